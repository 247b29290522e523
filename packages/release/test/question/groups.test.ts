import { describe, expect, it } from "vitest";
import { approx, compose, inGroups, lossToJson, pure, type Rational, rational } from "winnow-dp";
import { seededEntropy } from "winnow-dp/testing";
import { readQuestion } from "../../src/ask/read-question.js";
import { newRelease } from "../../src/document/new-release.js";
import { readRelease } from "../../src/document/read-release.js";
import { type GroupedQuestion, selectionQuestion, subQuestion } from "../../src/mechanisms/in-groups.js";
import {
  candidatesWanted,
  chargeOf,
  lossOf,
  mechanismOf,
  reservationOf,
  selectInGroups,
} from "../../src/mechanisms/of-question.js";
import type { GroupedRows } from "../../src/question/answer.js";
import { type GroupName, groupOfText, groupText } from "../../src/question/groups.js";
import { listedDomain } from "../../src/question/listed-domain.js";
import type { QuestionInput } from "../../src/question/question.js";

const COUNTRIES: readonly GroupName[] = [["IT"], ["DE"], ["FR"], ["all"]];
const list = await listedDomain(COUNTRIES.map(groupText));
const ITEMS = ["a", "b", "c"];
const domain = await listedDomain(ITEMS);
const by = ["country"];

const grouped = (more: Partial<QuestionInput> = {}, groups: Partial<QuestionInput["groups"]> = {}) =>
  readQuestion({
    ...{ k: 2, domain, epsilon: 1, unit: "one person" },
    groups: { by, list, maxGroupsPerUser: 2, ...groups },
    ...more,
  }) as GroupedQuestion;

function rowsOf(
  counts: Readonly<Record<string, Readonly<Record<string, number>>>>,
  listed = COUNTRIES,
  items?: readonly string[],
): GroupedRows {
  return {
    ...{ listed, items },
    people: () => [
      {
        items: Object.keys(counts),
        users: Object.values(counts).map((each) => Math.max(...Object.values(each))),
      },
    ],
    async *counts(only) {
      for (const [group, each] of Object.entries(counts))
        if (only?.includes(group) !== false)
          yield { group, items: Object.keys(each), users: Object.values(each) };
    },
  };
}

describe("the text of a group", () => {
  it("is another for any other group, and can be read back", () => {
    const names: GroupName[] = [
      ["a", "b"],
      ["ab", "c"],
      ["a", "bc"],
      ["1:a", "b"],
      ["é", "1:"],
      ["😀", "x"],
    ];
    expect(new Set(names.map(groupText)).size).toBe(names.length);
    for (const name of names) expect(groupOfText(groupText(name), 2)).toEqual(name);
    expect(groupOfText("DE", 1)).toEqual(["DE"]);
    for (const text of ["DE", "9:DE", "01:DE", "1:éx", "x:1"])
      expect(groupOfText(text, 2), text).toBeUndefined();
  });
});

describe("the question of one group", () => {
  it.each([
    ["add-remove", "0.00000025"],
    ["replace", "0.000000125"],
  ] as const)("has 1/g of ε, and 1/g or 1/2g of δ (%s)", (neighbours, delta) => {
    const question = grouped(
      { domain: { kind: "unknown" }, delta: "1e-6", neighbours },
      { maxGroupsPerUser: 4 },
    );
    const sub = subQuestion(question);
    expect([sub.epsilon, sub.delta, sub.groups]).toEqual(["0.25", delta, undefined]);
    const { groups: _, ...plain } = question;
    expect(readQuestion({ ...plain, epsilon: "1/4", delta })).toMatchObject({
      mechanism: question.mechanism,
    });
  });

  it("has no more groups to share with than there are", () => {
    expect(subQuestion(grouped({}, { maxGroupsPerUser: 100 })).epsilon).toBe("0.25");
  });

  it("is checked like any other: too small a part is refused", () => {
    expect(() => grouped({ kind: "frequencies", domain: { kind: "unknown" }, epsilon: "1e-200" })).toThrow(
      "epsilon",
    );
  });

  it("has its own budget if it is preferred; the others share the rest", () => {
    const question = grouped({}, { budgets: [{ group: ["all"], part: "3/4" }] });
    expect(subQuestion(question, ["all"]).epsilon).toBe("0.75");
    expect(subQuestion(question, ["IT"]).epsilon).toBe("0.25");
    expect(lossOf(question)).toEqual(pure(1));
    expect(() => grouped({}, { budgets: [{ group: ["all"], part: "1/4" }] })).toThrow("budgets");
    expect(() => grouped({}, { budgets: [{ group: ["all"], part: 1 }] })).toThrow("budgets");
    const two = [
      { group: ["all"], part: "1/2" },
      { group: ["IT"], part: "1/2" },
    ];
    expect(() => grouped({}, { budgets: two })).toThrow("fewer groups than maxGroupsPerUser");
  });
});

describe("a question in groups", () => {
  it("costs the g largest losses, with twice δ where one person is replaced by another", () => {
    expect(lossOf(grouped())).toEqual(pure(1));
    const rho = lossOf(grouped({ epsilon: undefined, rho: "1/10" }));
    expect("rho" in rho && (rho.rho as Rational).compare("1/10")).toBeLessThanOrEqual(0);
    const unknown = { domain: { kind: "unknown" }, delta: "1e-6" } as const;
    for (const neighbours of ["add-remove", "replace"] as const) {
      const question = grouped({ ...unknown, neighbours });
      const { epsilon, delta } = lossToJson(lossOf(question)) as { epsilon: string; delta: string };
      expect(rational(epsilon).compare(1n)).toBeLessThanOrEqual(0);
      expect(rational(delta).compare("1e-6")).toBeLessThanOrEqual(0);
      const one = lossOf(subQuestion(question));
      expect(lossOf(question)).toEqual(inGroups([one, one, one, one], { maxGroupsPerUser: 2, neighbours }));
    }
  });

  it("is canonical, and what cannot be asked is refused", () => {
    const question = grouped({}, { budgets: [{ group: ["all"], part: "3/4" }] });
    expect(JSON.stringify(readQuestion(question))).toBe(JSON.stringify(question));
    for (const groups of [
      { by: [] },
      { by: ["a", "b", "c"] },
      { by: ["a", "a"] },
      { maxGroupsPerUser: 0 },
      { maxGroupsPerUser: 1.5 },
      { maxGroupsPerUser: 10_001 },
      { list: { kind: "listed", size: 10_001, hash: list.hash } as const },
      { list: { kind: "listed", size: 3, hash: "x" } as const },
    ])
      expect(() => grouped({}, groups), JSON.stringify(groups)).toThrow();
    expect(() => grouped({ rho: 1 })).toThrow("exactly one of epsilon and rho");
  });

  it("selects unlisted groups from a quarter of the budget, and from δ", () => {
    expect(() => grouped({}, { list: "selected" })).toThrow("delta");
    const question = grouped({ delta: "1e-6" }, { list: "selected" });
    expect(question.delta).toBe("0.000001");
    expect(selectionQuestion(question)).toMatchObject({
      epsilon: "0.25",
      delta: "0.000001",
      maxItemsPerUser: 2,
    });
    expect(subQuestion(question)).toMatchObject({ epsilon: "0.375" });
    expect(subQuestion(question).delta).toBeUndefined();
    expect(JSON.stringify(readQuestion(question))).toBe(JSON.stringify(question));
    const selection = lossOf(selectionQuestion(question)!);
    expect(lossOf(question)).toEqual(compose(selection, pure("3/4")));
    expect(lossOf(question).measure).toBe("approx");
    const unknown = grouped({ delta: "1e-6", domain: { kind: "unknown" } }, { list: "selected" });
    expect(selectionQuestion(unknown)?.delta).toBe("0.0000005");
    expect(subQuestion(unknown).delta).toBe("0.00000025");
    expect(() =>
      grouped({ delta: "1e-6" }, { list: "selected", budgets: [{ group: ["a"], part: "1/2" }] }),
    ).toThrow("absent where groups are selected");
  });

  it("settles the g largest of what the groups used, never their mean or sum", () => {
    const question = grouped({ domain: { kind: "unknown" }, delta: "1e-6", rho: "1/10", epsilon: undefined });
    const counting = { measure: "zcdp", isAtOrder: false } as const;
    const used = (winners: readonly number[]) =>
      COUNTRIES.map((name, i) => ({ name, answer: { winners: winners[i], stopped: winners[i] < 2 } }));
    const one = (winners: number) =>
      chargeOf(subQuestion(question), { winners, stopped: winners < 2 }, counting)!.settled;
    const { reserved, settled } = chargeOf(question, { winners: 0, groups: used([0, 2, 0, 0]) }, counting)!;
    expect(settled).toEqual(inGroups([one(0), one(2), one(0), one(0)], { maxGroupsPerUser: 2 }));
    expect(settled).toEqual(compose(one(2), one(0)));
    expect(reserved).toEqual(compose(one(2), one(2)));
    expect(reservationOf(question, counting)).toEqual(reserved);
    const all = chargeOf(question, { winners: 0, groups: used([2, 2, 2, 2]) }, counting)!;
    expect(all.settled).toEqual(reserved);
  });

  it("answers every listed group in the order of the list, also empty ones, and reads back", async () => {
    const question = grouped();
    const rows = rowsOf({ FR: { a: 900, b: 800, x: 5000 }, DE: { c: 900, a: 700 } }, COUNTRIES, ITEMS);
    const answer = await selectInGroups(question, rows, { entropy: seededEntropy("groups") });
    expect(answer.groups?.map(({ name }) => name)).toEqual(COUNTRIES);
    const named = (group: string) =>
      answer.groups?.find(({ name }) => name[0] === group)?.answer.winners.map(({ item }) => item);
    expect(named("FR")).toEqual(["a", "b"]);
    expect(named("DE")).toEqual(["c", "a"]);
    expect(named("IT")).toHaveLength(2);
    const release = newRelease({
      ...{ id: "one", dataset: "visits", time: new Date(0), software: { name: "test", version: "1" } },
      ...{ question, answer, source: { item: "item", user: "user", dialect: {} } },
    });
    expect(release.schema).toBe("winnow-release/3");
    expect(release.answer.counted).toBe("users (each counted in at most 2 groups)");
    expect(readRelease(JSON.stringify(release))).toEqual(release);
    const spoiled = (
      change: (json: { answer: { groups: { name: string[]; answer: object }[] }; schema: string }) => void,
    ) => {
      const json = structuredClone(release) as never;
      change(json);
      return () => readRelease(JSON.stringify(json));
    };
    expect(
      spoiled((json) => {
        json.answer.groups.pop();
      }),
    ).toThrow("every group of the list once");
    expect(
      spoiled((json) => {
        json.answer.groups[0].name = ["XX"];
      }),
    ).toThrow("every group of the list once");
    expect(
      spoiled((json) => {
        json.answer.groups[0].name = [];
      }),
    ).toThrow("name");
    expect(
      spoiled((json) => {
        json.schema = "winnow-release/2";
      }),
    ).toThrow("schema");
    expect(mechanismOf(question).parameters).toEqual(mechanismOf(subQuestion(question)).parameters);
  });

  it("selects groups, and answers in those in the order of their names", async () => {
    const question = grouped({ delta: "1e-6" }, { list: "selected" });
    const rows = rowsOf(
      { FR: { a: 9000, b: 8000 }, DE: { c: 9000, a: 7000 }, XX: { a: 2 } },
      undefined,
      ITEMS,
    );
    const answer = await selectInGroups(question, rows, { entropy: seededEntropy("selected") });
    expect(answer.groups?.map(({ name }) => name)).toEqual([["DE"], ["FR"]]);
    expect(answer.loss).toEqual(lossOf(question));
  });

  it.each([["a group that isn't listed", { XX: { a: 1 } }]])(
    "fails without an answer on %s",
    async (_, counts) => {
      await expect(selectInGroups(grouped(), rowsOf(counts, COUNTRIES, ITEMS))).rejects.toThrow("source");
    },
  );

  it("fails without an answer if a group comes back, or the list is another", async () => {
    const rows: GroupedRows = {
      ...rowsOf({}, COUNTRIES, ITEMS),
      async *counts() {
        for (const group of ["DE", "FR", "DE"]) yield { group, items: ["a"], users: [1] };
      },
    };
    await expect(selectInGroups(grouped(), rows)).rejects.toThrow("source");
    await expect(selectInGroups(grouped(), rowsOf({}, [["DE"]], ITEMS))).rejects.toThrow("source");
  });

  it("asks the source for as many rows of each group as the smallest budget needs", () => {
    const question = grouped(
      { domain: { kind: "unknown" }, delta: "1e-6" },
      { budgets: [{ group: ["all"], part: "3/4" }] },
    );
    const wanted = candidatesWanted(question);
    const parts = [subQuestion(question), subQuestion(question, ["all"])].map((sub) => candidatesWanted(sub));
    const most = Math.max(...parts.map((each) => (each.kind === "largest" ? each.rows : 0)));
    expect(wanted).toEqual({ kind: "largest", rows: most });
  });

  it("has an approximate loss without a list of items", () => {
    const question = grouped({ domain: { kind: "unknown" }, delta: "1e-6" });
    expect(lossOf(question).measure).toBe(approx(1, "1e-6").measure);
  });
});
