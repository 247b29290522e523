/** One answer for each group: what it costs, what is answered, and what the page hands out. */
import { describe, expect, it } from "vitest";
import { Account, listedDomain, lossOf, type Release, readableLoss } from "winnow-release";
import type { BrowserLedger } from "../../src/ledger/browser-ledger.js";
import { costOf, planNumbers, planPoints, releaseOnce } from "../../src/worker/answering.js";
import type { Asked } from "../../src/worker/api.js";
import { questionOf } from "../../src/worker/asked-question.js";
import { DataSession } from "../../src/worker/data-session.js";
import { Task } from "../../src/worker/task.js";
import { NO_MARKS } from "../support/no-marks.js";
import { textFile } from "../support/read-all.js";

const BUDGET = {
  format: "winnow-ledger/1",
  kind: "budget",
  sequence: 1,
  previous: "0".repeat(64),
  dataset: "visits",
  time: "2026-01-31T12:00:00.000Z",
  software: { name: "test", version: "1" },
  budget: { measure: "approx", epsilon: "9", delta: "1/1000" },
} as const;

const ASKED: Asked = {
  ...{ kind: "top", k: 1, domain: "listed", neighbours: "add-remove", epsilon: "4", unit: "one user" },
  groups: { by: ["country"], list: "listed", maxGroupsPerUser: 2 },
};

/** 300 people in each of two countries, one of whom has another river. */
const ROWS = ["DE", "FR"].flatMap((country, place) =>
  Array.from({ length: 300 }, (_, i) => `u${country}${i},${["Alster", "Seine"][place]},${country}`),
);

async function pageWith(rows: readonly string[] = ROWS) {
  const session = new DataSession();
  await session.open(textFile("visits.csv", "user,item,country", ...rows), new Task());
  const view = await session.count({ item: "item", user: "user", groups: ["country"] }, new Task(), () => {});
  await session.setCandidates(["Alster", "Seine"], new Task());
  await session.setGroups(["FR", "DE", "IT"], 1, new Task());
  const account = new Account("visits", [BUDGET]);
  const ledger = {
    ...NO_MARKS,
    look: async () => ({ account, stored: undefined }),
    account: async () => account,
    record: async (release: Omit<Release, "ledger">) => ({
      account,
      release: { ...release, ledger: { sequence: 2, head: "0".repeat(64) } },
    }),
  };
  return {
    ...{ session, view },
    cost: (asked: Asked) => costOf(session, ledger as unknown as BrowserLedger, "visits", asked),
    release: (asked: Asked, agreed = "") =>
      releaseOnce(session, ledger, { dataset: "visits", id: "june", asked, agreed }),
  };
}

describe("answers in groups", () => {
  it("cost what the library says, name the best of every listed group, and come as tables, picture, CSV and command", async () => {
    const { session, view, cost, release } = await pageWith();
    expect(view.groups).toBe(2);
    const priced = await cost(ASKED);
    expect(priced.loss).toBe(readableLoss(lossOf(questionOf(ASKED, session.lists))));
    expect(priced.loss).toMatch(/^ε = [34]/);
    const { groups, documents, headline, parameters } = await release(ASKED);
    expect(groups?.map(({ label, rows }) => [label, rows[0]?.item])).toEqual([
      ["FR", "Seine"],
      ["DE", "Alster"],
      ["IT", expect.any(String)],
    ]);
    expect(headline).toContain("by country");
    expect(documents.csv).toMatch(/^group,rank,item,[^\n]*\nFR,1,Seine/);
    expect(documents.svg.screen).toContain(">FR<");
    expect(documents.command).toMatch(
      /# groups\.txt: the public list of groups.*--by country.*--groups groups\.txt.*--max-groups-per-user 2/s,
    );
    expect(documents.typescript).toBe("");
    expect(documents.statement).toContain("however many groups there are");
    expect(Object.fromEntries(parameters).groups).toMatch(/by country: a public list of 3 groups/);
  });

  it("show counts that are fitted to their order, never below 0, and only say what holds of them", async () => {
    const { release } = await pageWith();
    const { documents } = await release({ ...ASKED, k: 2, counts: true });
    const shown = [...documents.svg.screen.matchAll(/class="small quiet end">([^<]*)</g)].map(([, text]) =>
      Number(text!.replaceAll(",", "")),
    );
    expect(shown).toHaveLength(6);
    for (const group of [0, 2, 4]) {
      expect(shown[group]).toBeGreaterThanOrEqual(shown[group + 1]!);
      expect(shown[group + 1]).toBeGreaterThanOrEqual(0);
    }
    expect(documents.svg.screen).toContain("come by chance from the public list");
    const unlisted = await release({ ...ASKED, domain: "unknown", delta: "1e-6" });
    expect(unlisted.documents.svg.screen).not.toContain("come by chance");
  });

  it("select groups that enough people are in, where there is no list, for a δ", async () => {
    const { release } = await pageWith([...ROWS, "u1,Alster,rare"]);
    const asked: Asked = { ...ASKED, groups: { ...ASKED.groups!, list: "selected" } };
    await expect(release(asked)).rejects.toMatchObject({ field: "delta" });
    const { groups, documents } = await release({ ...asked, delta: "1e-6" });
    expect(groups?.map(({ label }) => label)).toEqual(["DE", "FR"]);
    expect(documents.svg.screen).not.toContain("Every group");
  });

  it("ask about a list of groups that hardly matches, and about rows without a group", async () => {
    const { session, cost, release } = await pageWith([...ROWS, ...ROWS.map((row) => `${row.slice(0, -2)}`)]);
    expect((await cost(ASKED)).concern).toContain("Many rows may have no person or no item");
    await session.setGroups(["Germany", "France"], 1, new Task());
    const { concern } = await cost(ASKED);
    expect(concern).toContain("0 of the 2 groups have users in the rows");
    await expect(release(ASKED)).rejects.toMatchObject({ code: "unconfirmed" });
    expect((await release(ASKED, concern)).groups).toHaveLength(2);
  });

  it("are planned by the middle group, with its part of ε", async () => {
    const { session } = await pageWith();
    const plan = (asked: Asked, epsilons: readonly string[]) =>
      planPoints(session, { asked, epsilons, runs: 20 }, new Task(), () => {});
    const points = await plan(ASKED, ["4", "1/100"]);
    const top = points.filter(({ mechanism }) => mechanism === "top-k");
    expect(top).toMatchObject([
      { epsilon: "4", group: "DE", right: 1, kept: 1, real: 1 },
      { epsilon: "1/100", group: "DE" },
    ]);
    // 300 against 0 at ε/2 = 1/200: about 0.6 + 0.4 · ½ of the runs are right, and never all.
    expect(top[1]!.right).toBeLessThan(1);
    expect(await plan({ ...ASKED, domain: "unknown", delta: "1e-6" }, ["4"])).not.toEqual([]);
  });

  it("are quantiles of each group, planned by the values of the middle one", async () => {
    // In each country 300 people with the values 1 to 300, in FR from 1001 on; each person is in one.
    const ages = ["DE", "FR"].flatMap((country, place) =>
      Array.from({ length: 300 }, (_, i) => `u${country}${i},${1000 * place + i + 1},${country}`),
    );
    const { session, release } = await pageWith([...ages, "u,none,DE"]);
    const groups = { ...ASKED.groups!, maxGroupsPerUser: 1 };
    const range = { lower: "0", upper: "2000" };
    const asked: Asked = {
      ...{ kind: "quantile", domain: "grid", neighbours: "add-remove", epsilon: "4", unit: "one user" },
      ...{ quantiles: ["0.5"], range, groups, maxItemsPerUser: 1 },
    };
    const plan = planNumbers(session, { asked, epsilons: ["4", "2"] });
    expect(plan).toMatchObject({ counted: 300, all: 300, group: "DE" });
    const [better, worse] = plan.points;
    expect(better!.error).toBeLessThan(worse!.error);
    expect(better!.error).toBeLessThan(40);
    const [ends] = better!.inUnits!;
    for (const end of [ends!.low, ends!.high]) expect(Math.abs(Number(end) - 150)).toBeLessThan(50);
    const answer = await release(asked);
    const medians = answer.groups!.map(({ label, rows }) => [label, Number(rows[0]!.item)] as const);
    expect(medians.map(([label]) => label)).toEqual(["FR", "DE", "IT"]);
    expect(Math.abs(medians[0]![1] - 1150)).toBeLessThan(60);
    expect(Math.abs(medians[1]![1] - 150)).toBeLessThan(60);
    expect(answer.documents.csv).toMatch(/^group,quantile,/);
    expect(answer.documents.command).toContain("--by country");
    const twoEach = planNumbers(session, {
      asked: { ...asked, groups: { ...groups, maxGroupsPerUser: 2 } },
      epsilons: ["4"],
    });
    expect(twoEach.points[0]!.error).toBeGreaterThan(better!.error); // each group has half of ε
  });

  it("are frequencies of each group, counted with both limits", async () => {
    const { session, release } = await pageWith();
    const asked: Asked = {
      ...{ kind: "frequencies", domain: "unknown", neighbours: "add-remove", epsilon: "4", unit: "one user" },
      ...{ maxItemsPerUser: 1, groups: { ...ASKED.groups!, maxGroupsPerUser: 1 } },
    };
    expect(planNumbers(session, { asked, epsilons: ["4"] })).toMatchObject({ counted: 300, all: 300 });
    const { groups, documents } = await release(asked);
    const [first] = groups!;
    expect(groups!.map(({ label }) => label)).toEqual(["FR", "DE", "IT"]);
    expect(first!.rows).toEqual([]);
    const people = first!.frequencies!.reduce((sum, { users, items }) => sum + users * items, 0);
    expect(Math.abs(people - 300)).toBeLessThan(60);
    expect(documents.csv).toMatch(/^group,users[^,]*,items/);
  });

  it("are by two columns, with a list of two names on each line", async () => {
    const { session, release } = await pageWith();
    const months = ROWS.map((row, i) => `${row},2026-${i % 2 === 0 ? "10" : "11"}`);
    await session.open(textFile("visits.csv", "user,item,country,month", ...months), new Task());
    const columns = { item: "item", user: "user", groups: ["month", "country"] };
    const view = await session.count(columns, new Task(), () => {});
    expect(view.groups).toBe(4);
    const pairs = async (...lines: string[]) => session.setGroups(lines, 2, new Task());
    await expect(pairs("2026-10")).rejects.toThrow("Each line of the list of groups must have two names");
    await expect(pairs("2026-10,")).rejects.toMatchObject({ code: "no-candidates" });
    const { hash, size } = await pairs("2026-10,DE", '2026-11,"DE"', "2026-11,FR", "2026-10,DE");
    expect(size).toBe(3);
    expect(hash).toBe((await listedDomain(["7:2026-10DE", "7:2026-11DE", "7:2026-11FR"])).hash);
    const groups = { by: ["month", "country"], list: "listed", maxGroupsPerUser: 1 } as const;
    const asked: Asked = { ...ASKED, groups };
    const released = await release(asked);
    expect(released.groups!.map(({ label, rows }) => [label, rows[0]!.item])).toEqual([
      ["2026-10 · DE", "Alster"],
      ["2026-11 · DE", "Alster"],
      ["2026-11 · FR", "Seine"],
    ]);
    expect(released.documents.command).toMatch(
      /a CSV file with the columns month and country.*--by month,country/s,
    );
    const [point] = await planPoints(session, { asked, epsilons: ["4"], runs: 5 }, new Task(), () => {});
    expect(point!.group).toMatch(/^2026-1[01] · (DE|FR)$/);
    // The rows are counted for these columns and no others.
    await expect(release(ASKED)).rejects.toThrow("The rows were counted for another question.");
  });
});

describe("a condition on rows", () => {
  it("is part of the question, and the rows must have been counted with it", async () => {
    const { session, release } = await pageWith();
    const { groups: _, ...asked } = ASKED;
    const where = "country = 'FR'";
    await expect(release({ ...asked, where })).rejects.toThrow("The rows were counted for another question.");
    const view = await session.count({ item: "item", user: "user", where }, new Task(), () => {});
    expect(view).toMatchObject({ users: 300, rows: 600, fitting: 300, skippedRows: 0, items: 1 });
    await expect(release(asked)).rejects.toThrow("The rows were counted for another question.");
    const { rows, documents, parameters } = await release({ ...asked, where: "(country='FR')" });
    expect(rows[0]!.item).toBe("Seine");
    expect(documents.statement).toContain("Only rows count for which country = 'FR'.");
    expect(documents.command).toContain("--where 'country = '\\''FR'\\'");
    expect(documents.typescript).toContain("// Only rows count for which country = 'FR'.");
    expect(Object.fromEntries(parameters).where).toBe(where);
  });

  it("is about columns that the file has", async () => {
    const { session } = await pageWith();
    const count = (where: string) =>
      session.count({ item: "item", user: "user", where }, new Task(), () => {});
    await expect(count("land = 'FR'")).rejects.toMatchObject({ code: "unknown-column" });
    await expect(count("country = FR")).rejects.toMatchObject({ field: "where" });
  });
});
