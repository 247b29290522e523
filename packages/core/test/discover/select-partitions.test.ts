import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { discreteGaussianTail, discreteLaplaceTail } from "../../../audit/src/laws/stable-laws.js";
import { tableOfAllOrders } from "../../src/accounting/profile/failing-steps.js";
import { type NamesBudget, tableOfOneOrder } from "../../src/accounting/profile/one-order-steps.js";
import { KeepCoin } from "../../src/discover/keep-probabilities.js";
import { sparseThreshold } from "../../src/discover/select-partitions.js";
import { Entropy } from "../../src/entropy.js";
import { bitLength } from "../../src/exact/integers.js";
import type { Interval } from "../../src/exact/interval.js";
import { Rational, rational } from "../../src/exact/rational.js";
import { approx, boundContributions, selectPartitions } from "../../src/index.js";
import { preparedNoise } from "../../src/sample/prepared-noise.js";
import { TruncatedLaplace } from "../../src/sample/truncated-laplace.js";
import { bitTree } from "../../src/testing/bit-tree.js";
import { replayEntropy } from "../../src/testing/replay-entropy.js";
import { seededEntropy } from "../../src/testing/seeded-entropy.js";
import { expectLaw } from "../support/expect-law.js";
import { expectAccepts, expectRejects, tally, tallyBatch } from "../support/tally.js";
import { vectors } from "../support/unknown-vectors.js";

const NO_BITS = new Entropy({
  fill() {
    throw new Error("a bit was drawn");
  },
});

/** How many zeros U starts with if the name is kept, where that is worth knowing. */
const rareZeros = ({ hi, precision }: Interval) => {
  const zeros = Math.min(precision - bitLength(hi - 1n), 20);
  return zeros < 2 ? 0 : zeros;
};

const renyiChance = (count: number, budget: NamesBudget) => {
  const { table } = tableOfOneOrder(budget)!;
  return Rational.of(table.units(count)!, 1n << BigInt(table.steps.bits));
};

const isNear = (value: Rational, decimal: string, digits = "1e-27") => {
  const off = rational(decimal).times(digits);
  return value.minus(decimal).compare(off) <= 0 && rational(decimal).minus(value).compare(off) <= 0;
};

describe("The coin that keeps a name", () => {
  it.each(vectors.keep_probability)("has its probabilities: ε = $epsilon_each, δ = $delta_each", (vector) => {
    const coin = new KeepCoin(rational(vector.epsilon_each), rational(vector.delta_each));
    for (const { count, prob } of vector.keep) {
      const enclosure = coin.enclose(count, 160);
      if (count >= vector.certain_from) expect(enclosure).toBeUndefined();
      else {
        expect(isNear(enclosure!.lower(), prob)).toBe(true);
        expect(enclosure!.upper().minus(enclosure!.lower()).compare("2e-42")).toBe(-1);
      }
    }
    expect(coin.enclose(vector.certain_from - 1, 160)).toBeDefined();
  });

  it("asks for more digits as long as U agrees with the probability, and then decides", () => {
    const coin = new KeepCoin(rational("1/3"), rational("1/3000000"));
    for (const count of [1, 17, 40, 41, 60])
      for (const digits of [40, 100, 330]) {
        const { lo, precision } = coin.enclose(count, 512)!;
        const agreed = lo >> BigInt(precision - digits);
        const zeros = rareZeros(coin.enclose(count, 64)!);
        // Where U is known to start with zeros, a word that passes nobody by comes first.
        const text = (numerator: bigint) =>
          (zeros > 0 ? "1".repeat(32) : "") +
          numerator.toString(2).padStart(digits, "0").slice(zeros) +
          "0".repeat(900);
        for (const [u, kept] of [
          [agreed, true],
          [agreed + 1n, false],
        ] as const)
          expect(coin.tosses(replayEntropy(text(u), { wordBits: 32 }))(count)).toBe(kept);
      }
  });

  it("has its law by all bit strings", () => {
    const coin = new KeepCoin(rational(1), rational("1/10"));
    for (let count = 1; count <= 4; count++) {
      const tree = bitTree((entropy) => coin.tosses(entropy)(count), { depth: 15, wordBits: 3 });
      const kept = coin.enclose(count, 160)!.lower();
      expectLaw({ tree, probabilities: { true: String(kept), false: String(Rational.ONE.minus(kept)) } });
      expect(tree.undecided.compare("1/250")).toBe(-1);
    }
  });

  it.each([
    { delta: "1/10", counts: [1, 1] },
    { delta: "1/10", counts: [1, 2, 1] },
    { delta: "1/20", counts: [1, 1, 1] },
  ])("tosses for many names at once with the law of independent coins: δ = $delta, $counts", (instance) => {
    const { delta, counts } = instance;
    const coin = new KeepCoin(rational(1), rational(delta));
    const tree = bitTree((entropy) => counts.map(coin.tosses(entropy)).map(Number).join(""), {
      ...{ depth: 17, wordBits: 1 },
    });
    const chances = counts.map((count) => coin.enclose(count, 160)!.lower());
    const patterns = Array.from({ length: 1 << counts.length }, (_, i) =>
      i.toString(2).padStart(counts.length, "0"),
    );
    const chanceOf = (pattern: string) =>
      [...pattern]
        .map((kept, i) => (kept === "1" ? chances[i] : Rational.ONE.minus(chances[i])))
        .reduce((a, b) => a.times(b));
    expect(coin.enclose(1, 64)).toSatisfy((chance: Interval) => rareZeros(chance) >= 3);
    expectLaw({ tree, probabilities: Object.fromEntries(patterns.map((p) => [p, String(chanceOf(p))])) });
    expect(tree.undecided.compare("1/20")).toBe(-1);
  });

  it("draws nothing for nobody, nor for a name that is certain", () => {
    const keeps = new KeepCoin(rational(1), rational("1/1000")).tosses(NO_BITS);
    expect(keeps(0)).toBe(false);
    expect(keeps(14)).toBe(true);
    expect(keeps(10n ** 30n)).toBe(true);
    expect(() => keeps(13)).toThrow("a bit was drawn");
  });

  it("draws a few words for a million names that one person has", () => {
    const entropy = seededEntropy("a million rare names");
    const keeps = new KeepCoin(rational(1), rational("1e-6")).tosses(entropy);
    let kept = 0;
    for (let name = 0; name < 1e6; name++) if (keeps(1)) kept++;
    expect(kept).toBeLessThan(10); // 1 on average
    expect(entropy.bitsUsed).toBeLessThan(1000); // 32 million with a word for each
  });
});

describe("Truncated noise", () => {
  it.each(vectors.truncated_laplace)("has its bound and keeps as often: ε = $epsilon_each", (vector) => {
    const [epsilon, delta] = [rational(vector.epsilon_each), rational(vector.delta_each)];
    const noise = new TruncatedLaplace(epsilon, delta);
    expect(noise.bound).toBe(BigInt(vector.kappa));
    expect(noise.bound + 1n).toBe(BigInt(vector.threshold));
    expect(isNear(noise.failure, vector.delta_used, "1e-14")).toBe(true);
    expect(noise.failure.compare(delta)).not.toBe(1);
    // The optimal probabilities for δ = P(κ).
    const coin = new KeepCoin(epsilon, rational(vector.delta_used));
    for (const { count, prob } of vector.keep) {
      const enclosure = coin.enclose(count, 160);
      if (prob !== "1" && enclosure !== undefined)
        expect(isNear(enclosure.lower(), prob, "1e-24")).toBe(true);
    }
  });

  it("keeps as often as it should", () => {
    const { keep } = vectors.truncated_laplace[0];
    const noise = new TruncatedLaplace(rational(1), rational("1/1000"));
    for (const { count, prob } of keep.filter(({ count }) => count >= 7 && count <= 8)) {
      const law = { true: prob };
      const draws = tally({
        seed: `truncated Laplace ${count}`,
        runs: 4000,
        sample: (entropy) => noise.publish(count, entropy) !== undefined,
      });
      expectAccepts(draws, law);
      expectRejects(draws, { true: String(rational(prob).times("0.8")) });
    }
  });
});

describe("Noise for many names", () => {
  it.each([
    ["laplace", 40n, 1], // E|x| of the scale
    ["laplace", 2n ** 41n, 1],
    ["gaussian", 1600n, 0.798], // E|x| of σ
    ["gaussian", 2n ** 82n, 0.798],
  ] as const)("has its size within its tables and beyond: %s, %d", (law, size, mean) => {
    const noise = preparedNoise(law, rational(size));
    const entropy = seededEntropy(`${law} ${size}`);
    const unit = law === "laplace" ? Number(size) : Math.sqrt(Number(size));
    const draws = Array.from({ length: 4000 }, () => Number(noise(entropy)) / unit);
    const average = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
    expect(Math.abs(average(draws.map(Math.abs)) - mean)).toBeLessThan(0.06);
    expect(Math.abs(average(draws))).toBeLessThan(0.08);
  });
});

describe("The threshold of noisy counts", () => {
  it.each(vectors.sparse_threshold)("is the least: $noise, m = $m, δ = $delta", (vector) => {
    const isGaussian = vector.noise === "gaussian";
    const size = rational((isGaussian ? vector.variance : vector.scale)!);
    const law = isGaussian ? "gaussian" : "laplace";
    expect(sparseThreshold(law, size, vector.m, rational(vector.delta))).toBe(BigInt(vector.threshold));
    const tail = (isGaussian ? discreteGaussianTail : discreteLaplaceTail)(size);
    const passes = tail(vector.threshold - 2).lower(); // P(noise ≥ threshold − 1)
    expect(isNear(passes, vector.tail, "1e-15")).toBe(true);
  });
});

const COUNTS = { dove: 900, alster: 800, elbe: 1, oder: 0 };

describe("selectPartitions", () => {
  it.each([
    [1, {}, "optimal"],
    [2, {}, "optimal"],
    [3, {}, "renyi"],
    [2, { counts: true }, "laplace"],
    [3, { counts: true }, "gaussian"],
    [1, { neighbours: "replace" }, "optimal"],
    [2, { neighbours: "replace" }, "renyi"],
  ] as const)("publishes what enough people have: m = %i, %o by %s", (maxItemsPerUser, more, method) => {
    const answer = selectPartitions(COUNTS, { maxItemsPerUser, epsilon: 1, delta: "1e-9", ...more });
    expect(answer.method).toBe(method);
    expect(answer.winners.map(({ candidate }) => candidate)).toEqual(["alster", "dove"]);
    expect(answer.winners.every(({ count }) => (count === undefined) === !("counts" in more))).toBe(true);
    expect(answer.privacy.measure).toBe("approx");
    if (answer.privacy.measure !== "approx") return;
    expect(rational(answer.privacy.epsilon).compare(1)).not.toBe(1);
    expect(answer.privacy.delta.compare("1e-9")).not.toBe(1);
  });

  it("needs about as many people as the table says", () => {
    const half = (m: number, method: "optimal" | "laplace" | "gaussian") => {
      const options = { maxItemsPerUser: m, epsilon: 1, delta: "1e-6", method, counts: method !== "optimal" };
      return selectPartitions({}, options).threshold;
    };
    expect([1, 2, 3].map((m) => Number(half(m, "laplace")))).toEqual([15, 28, 41]);
    expect([1, 3, 5, 10].map((m) => Number(half(m, "gaussian")))).toEqual([22, 38, 50, 71]);
    const named = (m: number) =>
      selectPartitions({}, { maxItemsPerUser: m, epsilon: 1, delta: "1e-6" }).halfKeep;
    expect([3, 5, 10, 30, 100].map(named)).toEqual([32, 39, 49, 71, 109]);
    // What was needed before, with Gaussian noise accounted in zCDP.
    const before = { 3: 40, 10: 81, 30: 143, 100: 270 };
    for (const [m, people] of Object.entries(before)) {
      const bar = Number(m) >= 30 ? 0.5 : Number(m) >= 10 ? 0.62 : 1;
      expect(named(Number(m))).toBeLessThanOrEqual(people * bar);
    }
  });

  it("is for people who are added or removed, unless they are replaced", () => {
    const threshold = (options: object) =>
      selectPartitions([], {
        maxItemsPerUser: 1,
        epsilon: 1,
        delta: "1e-6",
        method: "laplace",
        ...options,
      } as never).threshold;
    expect(threshold({ neighbours: "add-remove" })).toEqual(threshold({}));
    expect(threshold({ neighbours: "replace" })).toEqual(threshold({ maxItemsPerUser: 2 }));
    for (const wrong of [{ neighbours: "" }, { method: "" }])
      expect(() => threshold(wrong)).toThrow(/ must be "/);
  });

  it("publishes by the method that is asked for, whatever is better", () => {
    const by = (method: "optimal" | "renyi" | "laplace" | "gaussian", counts: boolean) =>
      selectPartitions(COUNTS, { maxItemsPerUser: 3, epsilon: 1, delta: "1e-6", method, counts }).method;
    expect(by("optimal", false)).toBe("optimal");
    expect(by("renyi", false)).toBe("renyi");
    expect([by("laplace", false), by("gaussian", false)]).toEqual(["laplace", "gaussian"]);
    expect([by("laplace", true), by("gaussian", true)]).toEqual(["laplace", "gaussian"]);
  });

  it("says what Gaussian noise costs in (ε, δ), where its zCDP was split", () => {
    const { method, privacy } = selectPartitions([], {
      ...{ maxItemsPerUser: 5, epsilon: "1/5000", delta: "1e-6", counts: true },
    });
    expect(method).toBe("gaussian");
    expect(privacy).toMatchObject({ measure: "approx", delta: rational("1e-6") });
    if (privacy.measure !== "approx") return;
    expect(rational(privacy.epsilon).compare("1/5000")).not.toBe(1);
    expect(rational(privacy.epsilon).compare("0.000199")).toBe(1);
  });

  it("refuses a name that comes twice, also from what only looks like a Map", () => {
    const options = { maxItemsPerUser: 1, epsilon: 1, delta: "1e-6" };
    const twice = [
      ["dove", 900],
      ["elbe", 3],
      ["dove", 1],
    ] as const;
    class Twice extends Map<string, number> {
      override *[Symbol.iterator]() {
        yield* twice as unknown as [string, number][];
        return undefined;
      }
    }
    for (const histogram of [twice, new Twice()])
      expect(() => selectPartitions(histogram, { ...options, entropy: NO_BITS })).toThrow(
        /^histogram must be a Map, a plain object or an iterable of \[name, count\], with each name once/,
      );
  });

  it("decides many releases by one table, as one release does", () => {
    const options = { maxItemsPerUser: 1, epsilon: 1, delta: "1e-2" } as const;
    const prepared = selectPartitions.prepare(options);
    const counts = Array.from({ length: 60 }, (_, i) => 1 + (i % 9));
    const names = counts.map((count, i) => [`name ${i + 100}`, count] as const);
    for (let run = 0; run < 10; run++) {
      const decide = prepared(seededEntropy(`prepared ${run}`));
      const kept = counts.map((count) => decide(count)).flatMap((is, i) => (is ? [names[i][0]] : []));
      const { winners } = selectPartitions(names, { ...options, entropy: seededEntropy(`prepared ${run}`) });
      expect(winners.map(({ candidate }) => candidate)).toEqual(kept);
    }
    const noisy = selectPartitions.prepare({ ...options, counts: true, method: "laplace" })(
      seededEntropy("noisy"),
    );
    expect(typeof noisy(900)).toBe("bigint");
  });

  it("falls back on a threshold where a table would be too long", () => {
    const method = (options: object) =>
      selectPartitions([], { maxItemsPerUser: 5, epsilon: 1, delta: "1e-6", ...options }).method;
    expect(method({ maxItemsPerUser: 1001 })).toBe("gaussian");
    expect(method({ epsilon: "1/21" })).toBe("gaussian");
    expect(method({ delta: "1e-41" })).toBe("gaussian");
    expect(method({ epsilon: "1/5000", counts: true })).toBe("gaussian"); // by its zCDP
    expect(method({ epsilon: "1/5000", counts: true, maxItemsPerUser: 3 })).toBe("laplace");
  });

  it("tells δ-approximate zCDP by rho", () => {
    const { privacy, method } = selectPartitions(COUNTS, { maxItemsPerUser: 2, rho: "1/8", delta: "1e-6" });
    expect(method).toBe("zcdp");
    expect(privacy).toEqual({ measure: "zcdp", rho: rational("1/8"), delta: rational("1e-6") });
  });

  it("shares ε and δ among the counts that move", () => {
    const privacy = (options: object) =>
      selectPartitions(COUNTS, { maxItemsPerUser: 1, epsilon: 1, delta: "1e-3", ...options }).privacy;
    expect(privacy({})).toEqual(approx(1, "1e-3"));
    const replaced = privacy({ neighbours: "replace", counts: true, method: "laplace" });
    expect(replaced.measure === "approx" && replaced.epsilon).toEqual(rational(1));
  });

  it.each([
    ["optimal", 7, { epsilon: 1 }],
    ["renyi", 15, { epsilon: 1, maxItemsPerUser: 2 }],
    ["zcdp", 11, { rho: "1/20" }],
    ["laplace", 8, { epsilon: 1, counts: true }],
    ["gaussian", 10, { rho: "1/20", counts: true }],
  ] as const)("keeps as often as it should among many names: %s", (method, count, budget) => {
    const options = { maxItemsPerUser: 1, delta: "1e-4", method, ...budget };
    const { threshold } = selectPartitions({}, options);
    const [one, delta] = [rational(1), rational("1e-4")];
    const keeps = (failure: Rational) => new KeepCoin(one, failure).enclose(count, 64)!.lower();
    const chance = {
      optimal: () => keeps(delta),
      renyi: () => renyiChance(count, { epsilon: one, delta, moved: 2 }),
      zcdp: () => {
        const table = tableOfAllOrders({ size: rational("1/20"), delta, moved: 1 })!;
        return Rational.of(table.units(count)!, 1n << BigInt(table.steps.bits));
      },
      laplace: () => keeps(new TruncatedLaplace(one, delta).failure),
      gaussian: () => discreteGaussianTail(10)(Number(threshold) - 1 - count).lower(),
    }[method]();
    const draws = tallyBatch({
      ...{ seed: `many names ${method}`, runs: 20_000 },
      batch(entropy, runs) {
        const histogram = Array.from({ length: runs }, (_, i) => [String(i), count] as const);
        const { winners } = selectPartitions(histogram, { ...options, entropy });
        const kept = new Set(winners.map(({ candidate }) => candidate));
        return histogram.map(([name]) => kept.has(name));
      },
    });
    expectAccepts(draws, { true: String(chance) });
    expectRejects(draws, { true: String(chance.times("0.8")) });
  });

  it("lists names by their bytes, whatever the order of the rows", () => {
    const names = ["～", "\u{1f600}", "b", "a", "é"];
    const options = { maxItemsPerUser: 1, epsilon: 1, delta: "1e-6" };
    const list = (order: string[]) =>
      selectPartitions(
        order.map((name, i) => [name, 500 + i] as const),
        options,
      ).winners.map(({ candidate }) => candidate);
    expect(list(names)).toEqual(["a", "b", "é", "～", "\u{1f600}"]);
    expect(list(names.toReversed())).toEqual(list(names));
  });

  it.each([
    [{ maxItemsPerUser: 0, epsilon: 1, delta: "1e-6" }, "maxItemsPerUser must be an integer >= 1"],
    [{ maxItemsPerUser: 1, delta: "1e-6" }, "budget must be exactly one of epsilon and rho"],
    [{ maxItemsPerUser: 1, epsilon: 1, delta: 0 }, "delta must be a rational > 0 and < 1"],
    [
      { maxItemsPerUser: 1, rho: 1, delta: "1e-6", method: "optimal" },
      'method must be "zcdp" or "gaussian" with rho',
    ],
    [
      { maxItemsPerUser: 3, epsilon: "1/21", delta: "1e-6", method: "renyi" },
      'epsilon must be from 1/20 to 100 for method "renyi"',
    ],
    [
      { maxItemsPerUser: 3, epsilon: 1, delta: "1e-6", method: "renyi", counts: true },
      'method must be "laplace" or "gaussian" with counts',
    ],
    [
      { maxItemsPerUser: 1, epsilon: 1, delta: "1e-6", method: "optimal", counts: true },
      'method must be "laplace" or "gaussian" with counts',
    ],
  ])("refuses %o before a bit is drawn", (options, message) => {
    expect(() => selectPartitions(COUNTS, { ...options, entropy: NO_BITS } as never)).toThrow(message);
  });
});

describe("boundContributions", () => {
  const key = Uint8Array.from({ length: 32 }, (_, i) => i);
  const rowsOf = (seed: string, users: number): [string, string][] => {
    const entropy = seededEntropy(seed);
    return Array.from({ length: users * 6 }, (_, i) => [`u${i % users}`, `item ${entropy.bits(4)}`]);
  };

  it("keeps the items with the smallest hashes, as the SQL does", () => {
    const items = Array.from({ length: 12 }, (_, i) => `item ${i}`);
    const kept = boundContributions(
      items.map((item) => ["Zoë", item] as const),
      { maxItemsPerUser: 4, key },
    );
    const hash = (item: string) => createHash("sha256").update(key).update(`4:Zoë${item}`).digest("hex");
    const expected = items.toSorted((a, b) => (hash(a) < hash(b) ? -1 : 1)).slice(0, 4);
    expect([...kept.keys()].sort()).toEqual(expected.sort());
    expect(new Set(kept.values())).toEqual(new Set([1]));
  });

  it("changes nobody else's choice when a person joins, in any order of the rows", () => {
    for (const m of [1, 2, 5]) {
      const rows = rowsOf(`bounding ${m}`, 40);
      const without = rows.filter(([user]) => user !== "u7");
      const own = new Map(
        boundContributions(
          rows.filter(([user]) => user === "u7"),
          { maxItemsPerUser: m, key },
        ),
      );
      const [all, others] = [rows.toReversed(), without].map((list) =>
        boundContributions(list, { maxItemsPerUser: m, key }),
      );
      expect([...own.values()].length).toBeLessThanOrEqual(m);
      for (const [item, count] of all) expect(count - (own.get(item) ?? 0)).toBe(others.get(item) ?? 0);
    }
  });

  it("counts each row once, and rows without a person or an item for nobody", () => {
    const rows = [
      ["a", "x"],
      ["a", "x"],
      [null, "x"],
      ["b", undefined],
      ["b", "x"],
    ] as const;
    expect([...boundContributions(rows, { maxItemsPerUser: 1 })]).toEqual([["x", 2]]);
  });

  it("draws another key each time", () => {
    const rows = rowsOf("keys", 200);
    const entropy = seededEntropy("two keys");
    const [a, b] = [1, 2].map(() =>
      [...boundContributions(rows, { maxItemsPerUser: 1, entropy })].sort().join(),
    );
    expect(a).not.toBe(b);
  });

  it.each([
    [[["a", 7]], { maxItemsPerUser: 1 }, "rows must be pairs of a person and an item"],
    [[], { maxItemsPerUser: 0 }, "maxItemsPerUser must be an integer >= 1"],
    [[], { maxItemsPerUser: 1, key: new Uint8Array(3) }, "key must be a Uint8Array of 32 bytes"],
  ])("refuses %o with %o", (rows, options, message) => {
    expect(() => boundContributions(rows as never, options)).toThrow(message);
  });
});
