/** Counts beside names: noise that they share, its price, its intervals, and documents from before counts shared any. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { countNoise, type LossOf, rational } from "winnow-dp";
import { seededEntropy } from "winnow-dp/testing";
import {
  answerRows,
  caption,
  countsOf,
  mechanismOf,
  type QuestionInput,
  readRelease,
  select,
  statement,
  toCsv,
  toJson,
} from "../../src/index.js";
import { chargeOf } from "../../src/mechanisms/of-question.js";
import { countShare } from "../../src/parts/counts.js";
import { ask, listed, releaseOf, UNKNOWN } from "../support/ask.js";

const VECTORS: { gaussian: readonly Vector[] } = JSON.parse(
  readFileSync(new URL("counts-that-share.json", import.meta.url), "utf8"),
);
interface Vector {
  readonly k: number;
  readonly u: number;
  readonly variance: number;
}

const COUNTED = { k: 10, domain: listed(40), rho: "1/10", counts: true } as const;
const MANY = {
  items: Array.from({ length: 40 }, (_, i) => `item ${String(i).padStart(2, "0")}`),
  users: Array.from({ length: 40 }, (_, i) => 5000 - 120 * i),
};
const WITHOUT_A_LIST = { ...COUNTED, domain: UNKNOWN, delta: "1e-6" } as const;

describe("counts beside names", () => {
  it.each(VECTORS.gaussian)("share noise as the table has it: k = $k", ({ k, u, variance }) => {
    const plan = countsOf(ask({ ...COUNTED, k, domain: listed(200) }));
    const { size, shared, factor } = plan as Required<NonNullable<typeof plan>>;
    expect(size.dividedBy(shared).equals(BigInt(u))).toBe(true);
    const whole = size.plus(shared).dividedBy(factor.times(factor)); // of a count
    const alone = rational(k).dividedBy(rational("1/50").times(2n)); // within a fifth of ρ
    expect(Math.sqrt(whole.dividedBy(alone).toNumber())).toBeCloseTo(variance, 3);
  });

  it("get a fifth of the budget where they share noise, and a quarter elsewhere", () => {
    const share = (more: Partial<QuestionInput>, law: "rho" | "epsilon" = "rho") =>
      String(countShare(ask({ ...COUNTED, ...more }), law));
    expect([share({}), share({ k: 1 }), share({ neighbours: "replace" })]).toEqual(["0.2", "0.25", "0.25"]);
    expect(
      share({ domain: UNKNOWN, delta: "1e-6", maxItemsPerUser: 3, k: 40, mechanism: "limited-top-k" }),
    ).toBe("0.25");
    expect(share({ k: 2 }, "epsilon")).toBe("0.2");
  });

  it.each([
    ["of a list in ρ", COUNTED],
    ["of a list in ε", { ...COUNTED, rho: undefined, epsilon: 1 }],
    ["of a list in (ε, δ)", { ...COUNTED, rho: undefined, epsilon: 1, delta: "1e-6", mechanism: "top-k" }],
    ["of a set", { ...COUNTED, set: true }],
    ["without a list", WITHOUT_A_LIST],
  ] as const)("state factor, own and shared noise, and both widths: %s", async (_, input) => {
    const question = ask(input);
    const { parameters } = mechanismOf(question);
    const law = parameters.countVariance === undefined ? "countScale" : "countVariance";
    expect(parameters.countNoise).toMatch(/^discrete (gaussian|laplace), partly shared$/);
    for (const name of ["countFactor", law, `${law}Shared`, "countHalfWidth", "countSimultaneous"])
      expect(rational(parameters[name] as string).compare(0n), name).toBe(1);
    const release = await releaseOf(question, MANY);
    const read = readRelease(toJson(release));
    expect(read).toEqual(release);
    for (const { count } of read.answer.winners)
      expect(
        rational(count as string)
          .times(parameters.countFactor as string)
          .isInteger(),
      ).toBe(true);
    expect(caption(read)).toContain("errors share a part");
    expect(statement(read).text).toContain("Errors of counts: share a part, so differences");
    expect(toCsv(read)).toContain("count_all_low,count_all_high");
  });

  it("say that they are simultaneous intervals, and narrower ones if the order is right, only where that means something", async () => {
    const header = async (input: Parameters<typeof ask>[0]) =>
      toCsv(await releaseOf(ask(input), MANY)).split("\r\n")[0];
    expect(await header(COUNTED)).toMatch(/count_in_order_low,count_in_order_high$/);
    expect(await header({ ...COUNTED, set: true })).toMatch(/count_all_low,count_all_high$/); // its order is that of the counts
    expect(await header({ ...COUNTED, k: 1 })).toMatch(/count_fitted$/);
  });

  it("lie in their intervals as often as is said, one by one and all at once", async () => {
    const question = ask({ ...COUNTED, domain: UNKNOWN, delta: "1e-6", rho: "1/2" });
    const truth = new Map(MANY.items.map((item, i) => [item, MANY.users[i] as number]));
    let [inside, all, ordered, rightOrders, runs] = [0, 0, 0, 0, 120];
    const none = { low: "1", high: "0" };
    for (let run = 0; run < runs; run++) {
      const answer = await select(question, [MANY], { entropy: seededEntropy(`coverage ${run}`) });
      const { loss: _, ...told } = answer;
      const rows = answerRows({ question, mechanism: mechanismOf(question), answer: told } as never);
      const holds = (ends: { low?: string; high?: string } | undefined, item: string) => {
        const { low = "1", high = "0" } = ends ?? none;
        const count = truth.get(item) as number;
        return Number(low) <= count && count <= Number(high);
      };
      inside += rows.filter(({ count, item }) => holds(count, item)).length / rows.length;
      all += Number(rows.every(({ all: ends, item }) => holds(ends, item)));
      const isRight = rows.every(
        ({ item }, i) => i === 0 || (truth.get(rows[i - 1]!.item) as number) >= (truth.get(item) as number),
      );
      rightOrders += Number(isRight);
      if (isRight) ordered += Number(rows.every(({ inOrder, item }) => holds(inOrder, item)));
    }
    expect(inside / runs).toBeGreaterThan(0.92);
    expect(inside / runs).toBeLessThan(0.985); // wider intervals than promised would be a fault too
    expect(all / runs).toBeGreaterThan(0.92);
    expect(rightOrders).toBeGreaterThan(runs / 2);
    expect(ordered / rightOrders).toBeGreaterThan(0.92);
  });

  it("settle for ρ_j, which is more than j/k of ρ_k", () => {
    const question = ask(WITHOUT_A_LIST);
    const of = (winners: number) =>
      chargeOf(question, { winners, stopped: winners < 10 }, { measure: "zcdp", isAtOrder: false })
        ?.settled as LossOf["zcdp"];
    const noise = countNoise({ k: 10, rho: "1/50" });
    const rounds = rational("0.008"); // four fifths of ρ over ten rounds
    for (const winners of [0, 1, 2, 5, 9]) {
      const counts = (noise.lossOf(winners) as LossOf["zcdp"]).rho;
      const least = rounds.times(winners + 1).plus(counts as never);
      expect(Number(of(winners).rho)).toBeCloseTo(least.toNumber(), 10);
    }
    const share = (j: number) => Number((noise.lossOf(j) as LossOf["zcdp"]).rho) / 0.02;
    expect([1, 2, 5, 9].map((j) => share(j).toFixed(2))).toEqual(["0.23", "0.37", "0.62", "0.93"]);
  });

  it("refuse a document whose counts are finer than their noise, or whose noise isn't a number", async () => {
    const release = JSON.parse(toJson(await releaseOf(ask(COUNTED), MANY)));
    const with_ = (change: (copy: typeof release) => void) => {
      const copy = structuredClone(release);
      change(copy);
      return () => readRelease(JSON.stringify(copy));
    };
    expect(with_((copy) => (copy.answer.winners[0].count = "1/7"))).toThrow(/multiple of 1\/13/);
    expect(with_((copy) => (copy.mechanism.parameters.countFactor = "much"))).toThrow(/countFactor/);
    expect(with_((copy) => (copy.mechanism.parameters.countHalfWidth = "-1"))).toThrow(/countHalfWidth/);
    expect(with_((copy) => delete copy.mechanism.parameters.countVariance)).toThrow(/countVariance/);
  });
});

describe("a release from before counts shared noise", () => {
  const old = JSON.parse(
    readFileSync(new URL("../document/counts-of-their-own.json", import.meta.url), "utf8"),
  );

  it.each(old as readonly { release: object; csv: string; caption: string }[])(
    "reads and shows as it did, to the byte",
    (each) => {
      const release = readRelease(JSON.stringify(each.release));
      expect(toCsv(release)).toBe(each.csv);
      expect(caption(release)).toBe(each.caption);
      expect(answerRows(release)[0]?.all).toBeUndefined();
    },
  );
});
