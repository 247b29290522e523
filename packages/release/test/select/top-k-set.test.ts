/** A top k as a set: what may be asked, its law, its price in every account, and how it is read back. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { lossToJson, type Measure, rational } from "winnow-dp";
import { seededEntropy } from "winnow-dp/testing";
import {
  expectedUtility,
  lossOf,
  mechanismFor,
  mechanismOf,
  type QuestionInput,
  questionsAt,
  readRelease,
  select,
} from "../../src/index.js";
import { chargeOf } from "../../src/mechanisms/of-question.js";
import { ask, listed, numbered, releaseOf, UNKNOWN } from "../support/ask.js";
import { ACCEPTED, deviation, draw, type Law } from "../support/draws.js";

interface SetLaw {
  readonly name: string;
  readonly counts: readonly string[];
  readonly k: number;
  readonly lambda: string;
  readonly tau: string;
  readonly recall: string;
  readonly outcomes: readonly { set: readonly number[]; prob: string }[];
}

const { set_law: VECTORS } = JSON.parse(
  readFileSync(new URL("../../../core/test/vectors-sets.json", import.meta.url), "utf8"),
) as { readonly set_law: readonly SetLaw[] };
const WHOLE = VECTORS.filter(({ counts }) => counts.every((count) => /^\d+\/1$/.test(count)));

const asked = (more: Partial<QuestionInput> = {}) =>
  ask({ k: 2, domain: listed(4), epsilon: "1/2", set: true, ...more });

describe("a top k as a set", () => {
  it("is another mechanism, with a share that is recorded", () => {
    expect(asked()).toMatchObject({ mechanism: "top-k-set", outsiderShare: "0.5" });
    expect(asked({ outsiderShare: "2/3" }).outsiderShare).toBe("2/3");
    expect(asked({ outsiderShare: 0 }).outsiderShare).toBe("0");
    const recorded = asked();
    expect(ask({ ...recorded })).toEqual(recorded);
    expect(mechanismFor(recorded).words.caveat).toContain("All or nothing");
  });

  const refused: readonly [string, string, Partial<QuestionInput>][] = [
    ["leads", "resolution", { resolution: 1 }],
    ["a δ", "delta", { delta: "1e-6" }],
    ["unknown names", "domain.kind", { domain: UNKNOWN }],
    ["all candidates", "k", { k: 4 }],
    ["a share above 1", "outsiderShare", { outsiderShare: "1.01" }],
    ["a negative share", "outsiderShare", { outsiderShare: "-1/2" }],
    ["an order", "set", { mechanism: "top-k" }],
    ["a share without a set", "outsiderShare", { set: false, outsiderShare: 1 }],
    ["a limit on items", "maxItemsPerUser", { maxItemsPerUser: 3 }],
    ["a word for yes", "set", { set: "yes" as never }],
    ["a set of names from the rows", "set", { kind: "names", domain: UNKNOWN }],
    ["too many candidates", "domain", { domain: { kind: "integers", below: 1_048_577 } }],
    ["too many classes", "k", { k: 5000, domain: { kind: "integers", below: 1_000_000 } }],
  ];

  it.each(refused)("refuses %s", (_, field, more) => {
    expect(() => asked(more)).toThrow(expect.objectContaining({ code: "invalid-parameter", field }));
  });

  it.each(WHOLE)("$name has the law that was computed independently", async (vector) => {
    const scores = vector.counts.map((count) => Number(rational(count)));
    const question = asked({
      k: vector.k,
      domain: listed(scores.length),
      epsilon: rational(1n).dividedBy(vector.tau),
      outsiderShare: vector.lambda,
    });
    const draws = await draw(2000, vector.name, async (entropy) => {
      const { winners, ordered } = await select(question, [numbered(scores)], { entropy });
      expect(ordered).toBe(false);
      return winners.map(({ item }) => item).join();
    });
    const law: Law = Object.fromEntries(vector.outcomes.map(({ set, prob }) => [set.join(), prob]));
    expect(deviation(draws, law)).toBeLessThan(ACCEPTED);
    const turned = vector.outcomes.map(({ set }, i) => [set.join(), vector.outcomes.at(-1 - i)!.prob]);
    const isFlat = new Set(vector.outcomes.map(({ prob }) => prob)).size === 1;
    if (!isFlat) expect(deviation(draws, Object.fromEntries(turned))).toBeGreaterThan(ACCEPTED);
    if (new Set(scores).size < scores.length) return; // among equals, a plan takes any for right
    const { recall } = await expectedUtility(question, scores, { runs: 400, entropy: seededEntropy("set") });
    expect(Math.abs(recall.mean - Number(vector.recall))).toBeLessThan(5 * recall.standardError + 1e-9);
  });

  it("over whole numbers has those without rows as zeros", async () => {
    const question = asked({ domain: { kind: "integers", below: 5 }, epsilon: 40 });
    const rows = { items: ["3", "1", "7", "x"], users: [30, 20, 90, 90] };
    const { winners } = await select(question, [rows], { entropy: seededEntropy("numbers") });
    expect(winners).toEqual([{ item: "1" }, { item: "3" }]);
  });

  it("costs as much as one selection, whatever k", () => {
    for (const k of [1, 2, 3])
      expect(lossToJson(lossOf(asked({ k })))).toEqual({ measure: "pure", epsilon: "0.5" });
    expect(mechanismOf(asked()).parameters).toMatchObject({ scale: "2", outsiderShare: "0.5" });
    expect(mechanismOf(asked({ neighbours: "replace" })).parameters.scale).toBe("4");
  });

  it("is counted in ρ as an eighth of ε² where the account counts in ρ", () => {
    const counted = (measure: Measure, isAtOrder = false, more = {}) =>
      chargeOf(asked(more), { winners: 2, stopped: false }, { measure, isAtOrder })?.settled;
    for (const loss of [counted("zcdp"), counted("renyi"), counted("approx", true)])
      expect(loss).toMatchObject({ measure: "zcdp", rho: rational("1/32") });
    expect([counted("pure"), counted("base2"), counted("approx")]).toEqual([undefined, undefined, undefined]);
    const withCounts = counted("zcdp", false, { counts: true });
    expect(withCounts?.measure).toBe("zcdp"); // four fifths of ε for names, the rest is Laplace noise
    expect(Number(withCounts?.measure === "zcdp" && withCounts.rho)).toBeCloseTo(
      0.4 ** 2 / 8 + 0.1 * Math.tanh(1 / 20),
      9,
    );
  });

  it("with counts falls by the counts that are released, and not by the true ones", async () => {
    const question = asked({ k: 3, counts: true, epsilon: 1 });
    let apart = 0;
    for (let i = 0; i < 20; i++) {
      const entropy = seededEntropy(`counts ${i}`);
      const { winners, ordered } = await select(question, [numbered([900, 899, 898, 1])], { entropy });
      expect(ordered).toBe(true);
      const counts = winners.map(({ count }) => Number(count));
      expect(counts).toEqual(counts.toSorted((a, b) => b - a));
      if (winners.map(({ item }) => item).join() !== "0,1,2") apart++;
    }
    expect(apart).toBeGreaterThan(5); // with noise of scale 12 on each, an order by true counts would always be the same
  });

  it.each([undefined, true])(
    "is read back from its document, and no other order is (counts: %s)",
    async (counts) => {
      const release = await releaseOf(asked({ k: 3, counts }), numbered([90, 80, 70, 1]));
      expect(readRelease(JSON.stringify(release))).toEqual(release);
      const winners = release.answer.winners.toReversed();
      const turned = { ...release, answer: { ...release.answer, winners } };
      expect(() => readRelease(JSON.stringify(turned))).toThrow("in the order of their");
      const flipped = { ...release, answer: { ...release.answer, ordered: !release.answer.ordered } };
      expect(() => readRelease(JSON.stringify(flipped))).toThrow("ordered");
    },
  );

  it("is planned only where a set will do, beside the orders that would do too", () => {
    const names = (set?: boolean) =>
      questionsAt({ k: 2, domain: listed(9), set, unit: "one person" }, 1).map(({ mechanism }) => mechanism);
    expect(names()).toEqual(["top-k-with-gap", "top-k"]);
    expect(names(true)).toEqual(["top-k-with-gap", "top-k", "top-k-set"]);
  });
});
