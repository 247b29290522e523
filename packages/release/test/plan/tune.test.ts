/** A choice by looking at the rows: what one person can change, what it costs, and what it finds. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { boundContributions, convert, pure, rational, selectPrivateCandidate, zcdp } from "winnow-dp";
import { seededEntropy } from "winnow-dp/testing";
import {
  countsWanted,
  drawChoice,
  priceOfTuning,
  type QuestionInput,
  scoreOf,
  type TunedCandidate,
  type Tuning,
  tuningFor,
} from "../../src/index.js";
import { listed, UNIT, UNKNOWN } from "../support/ask.js";

const OPEN = { unit: UNIT, domain: UNKNOWN, epsilon: 1, delta: "1e-6" } as const;
const wayOf = ({ question }: TunedCandidate) =>
  [question.mechanism, question.maxItemsPerUser].filter((part) => part !== undefined).join(" ");

describe("a choice by the rows", () => {
  it("has every mechanism of which the need is known, with several limits", () => {
    expect(tuningFor({ ...OPEN, k: 20 }, "1/10").candidates.map(wayOf)).toEqual([
      "limited-top-k",
      ...["threshold-top-k 3", "threshold-top-k 10", "threshold-top-k 30"],
    ]);
    const limited = tuningFor({ ...OPEN, k: 20, maxItemsPerUser: 7 }, "1/10");
    expect(limited.candidates.map(wayOf)).toEqual(["limited-top-k", "threshold-top-k 7"]);
  });

  it.each([
    ["ε", { ...OPEN, k: 20 }],
    ["ρ", { ...OPEN, epsilon: undefined, rho: "1/20", k: 20 }],
  ] as const)("leaves the answer what it doesn't cost itself, in %s", (_, input) => {
    const share = "1/10";
    const { candidates, price } = tuningFor(input, share);
    for (const { question } of candidates) {
      const whole = rational("epsilon" in input && input.epsilon ? 1n : "1/20");
      expect(rational(question.epsilon ?? question.rho ?? "0")).toEqual(whole.times("9/10"));
      expect(question.delta).toBe("0.000001");
    }
    const most = input.epsilon === undefined ? convert(zcdp("1/200"), { to: "zcdp" }).rho : rational("1/10");
    const cost = input.epsilon === undefined ? convert(price.loss, { to: "zcdp" }).rho : price.loss.epsilon;
    expect(rational(cost as never).compare(most as never)).toBeLessThanOrEqual(0);
    expect(rational(cost as never).toNumber()).toBeGreaterThan(0.95 * rational(most as never).toNumber());
  });

  it("costs what the library says of the runs that it makes, with the noise that one person needs", () => {
    const { run, scale, runs, loss } = priceOfTuning({ epsilon: 1 }, "1/5");
    const { privacy } = selectPrivateCandidate(() => ({ output: 0, score: 0 }), { loss: pure(run), runs });
    expect(loss).toEqual(privacy);
    expect(scale.times(run)).toEqual(rational(1n));
    expect(priceOfTuning({ epsilon: 1, neighbours: "replace" }, "1/5").scale).toEqual(scale.times(2n));
  });

  it.each(["0", "1", "-1/10", "2"])("is refused for a share of %s", (share) => {
    expect(() => tuningFor({ ...OPEN, k: 20 }, share)).toThrow(
      /^tune must be a rational above 0 and below 1/,
    );
  });

  it("is refused with a list, and where the mechanism is named", () => {
    const say = (input: Partial<QuestionInput>) => () => tuningFor({ ...OPEN, k: 20, ...input }, "1/10");
    expect(say({ domain: listed(50), delta: undefined })).toThrow(/with a public list/);
    expect(say({ mechanism: "limited-top-k" })).toThrow(/where a mechanism is named/);
    expect(say({ resolution: 1 })).toThrow(/where only one mechanism can answer/);
  });
});

type Rows = readonly (readonly [string, string])[];

/** As a source counts them: people cut to the limit of the candidate, and only as many counts as are asked for. */
function countsFor(candidate: TunedCandidate, rows: Rows, key: Uint8Array): number[] {
  const maxItemsPerUser = candidate.question.maxItemsPerUser ?? 1000;
  const counts = [...boundContributions(rows, { maxItemsPerUser, key }).values()].sort((a, b) => b - a);
  return counts.slice(0, countsWanted(candidate));
}

/** Small needs and a small race, so that all terms of a score are in use. */
function small(k: number): Tuning {
  const { candidates, ...rest } = tuningFor({ ...OPEN, k }, "1/10");
  const shrunk = candidates.map((each, i) => ({
    ...each,
    needs: { ...each.needs, users: 2 + i, ...(each.needs.over === "outsiders" && { candidates: k + 1 }) },
  }));
  return { ...rest, candidates: shrunk as readonly TunedCandidate[] };
}

const people = fc.array(fc.uniqueArray(fc.integer({ min: 0, max: 7 }), { maxLength: 8 }), { maxLength: 12 });
const rowsOf = (all: readonly (readonly number[])[]): Rows =>
  all.flatMap((items, person) => items.map((item) => [`u${person}`, `i${item}`] as const));
const KEY = new Uint8Array(32).fill(7);

describe("a score", () => {
  const { candidates } = small(3);

  function largestMove(before: Rows, after: Rows): number {
    const moves = candidates.map((candidate) => {
      const [a, b] = [before, after].map((rows) =>
        scoreOf(candidate, countsFor(candidate, rows, KEY), { candidates }),
      );
      return Number(a! > b! ? a! - b! : b! - a!);
    });
    return Math.max(...moves);
  }

  it("moves by at most 1 with one person, and by at most 2 if someone is replaced", () => {
    let [added, replaced] = [0, 0];
    fc.assert(
      fc.property(people, fc.uniqueArray(fc.integer({ min: 0, max: 7 })), (all, other) => {
        const next = rowsOf([...all, other]);
        added = Math.max(added, largestMove(rowsOf(all), next));
        const changed = all.length === 0 ? [] : [...all.slice(0, -1), other];
        replaced = Math.max(replaced, largestMove(rowsOf(all), rowsOf(changed)));
        expect(added).toBeLessThanOrEqual(1);
        expect(replaced).toBeLessThanOrEqual(2);
      }),
      { numRuns: 600, seed: 33 },
    );
    expect([added, replaced]).toEqual([1, 2]); // and no smaller noise would do
  });

  it("would move by more if it were the sum of the terms, or a number of names", () => {
    const candidate = candidates[1]!;
    const [k, need] = [candidate.question.k, candidate.needs.users];
    const sumOf = (counts: readonly number[]) =>
      k * Number(scoreOf(candidate, counts, { candidates: [candidate] }));
    const namesIn = (counts: readonly number[]) => counts.filter((count) => count >= need).length;
    const [before, after] = [
      [need - 1, need - 1, need - 1],
      [need, need, need],
    ];
    expect(sumOf(after) - sumOf(before)).toBeGreaterThan(1);
    expect(namesIn(after) - namesIn(before)).toBeGreaterThan(1);
  });

  it("is the same for a name far above the need, at its end, and for none", () => {
    const { candidates } = tuningFor({ ...OPEN, k: 1 }, "1/10");
    const w = BigInt(Math.min(...candidates.map(({ needs }) => needs.users)));
    for (const candidate of candidates) {
      const scoreAt = (count: number) => scoreOf(candidate, [count], { candidates });
      const { users } = candidate.needs;
      expect([0, users, 2 * users, 1_000_000].map(scoreAt)).toEqual([-w, 0n, w, 9n * w]);
    }
  });
});

/** As in the test of choices: places that few people share, and films that many do. */
const PLACES = Array.from({ length: 45_000 }, (_, rank) => Math.max(1, Math.floor(1500 / (rank + 1))));
const FILMS = Array.from({ length: 1600 }, (_, rank) => Math.max(1, Math.floor(228 * Math.exp(-rank / 300))));

const tenTimes = (counts: readonly number[]) => counts.map((count) => 10 * count);

describe("what a choice finds", () => {
  it.each([
    ["places, 13 for each person", PLACES, 13, /^threshold-top-k (10|30)$/, 34],
    ["films, 100 for each person", FILMS, 100, /^limited-top-k$/, 25],
    ["as many places of ten times the people", tenTimes(PLACES), 13, /^threshold-top-k (10|30)$/, 40],
    ["as many films of ten times the people", tenTimes(FILMS), 100, /^limited-top-k$/, 37],
  ] as const)("is mostly what public counts would choose, of 40: %s", (_, all, each, right, least) => {
    const tuning = tuningFor({ ...OPEN, k: 20 }, "1/5");
    const scores = tuning.candidates.map((candidate) => {
      const share = Math.min(1, (candidate.question.maxItemsPerUser ?? each) / each);
      const largest = all.slice(0, countsWanted(candidate)).map((count) => Math.floor(count * share));
      return scoreOf(candidate, largest, tuning);
    });
    const found = Array.from({ length: 40 }, (_, run) =>
      wayOf(drawChoice(tuning, scores, seededEntropy(`choice ${run}`))),
    );
    expect(found.filter((way) => right.test(way)).length).toBeGreaterThanOrEqual(least);
  });

  it("is any candidate where the scores don't tell them apart", () => {
    const tuning = tuningFor({ ...OPEN, k: 20 }, "1/10");
    const found = new Set(
      Array.from({ length: 60 }, (_, run) =>
        wayOf(drawChoice(tuning, [0n, 0n, 0n, 0n], seededEntropy(`equal ${run}`))),
      ),
    );
    expect(found.size).toBe(4);
  });
});
