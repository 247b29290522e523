/**
 * Code in the same process may write into whatever it was handed: an answer, a measurement, a loss, a number. TypeScript's
 * `readonly` doesn't stop JavaScript. What later calls use must be frozen, or a copy.
 */
import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import * as core from "../src/index.js";
import { seededEntropy } from "../src/testing/seeded-entropy.js";
import { ENTRY_POINTS } from "./support/entry-points.js";

const { approx, eta, pure, rational, zcdp } = core;

/** Every object that can be reached from a value through properties, those of its own prototypes included; classes aside. */
function reachable(from: unknown, found = new Set<object>()): Set<object> {
  if (from === null || typeof from !== "object" || found.has(from)) return found;
  found.add(from);
  for (const key of Reflect.ownKeys(from)) {
    const property = Object.getOwnPropertyDescriptor(from, key);
    if (property !== undefined && "value" in property) reachable(property.value, found);
  }
  const prototype = Object.getPrototypeOf(from);
  if (prototype !== null && !Object.hasOwn(prototype, "constructor")) reachable(prototype, found);
  return found;
}

/** Writes nonsense wherever that is possible. */
function vandalise(value: unknown): void {
  for (const each of reachable(value)) {
    if (ArrayBuffer.isView(each)) continue; // whose elements are numbers
    for (const key of Reflect.ownKeys(each)) {
      Reflect.set(each, key, 41);
      Reflect.deleteProperty(each, key);
    }
    Reflect.set(each, "extra", 41);
    if (each instanceof Map) each.clear();
  }
}

const shown = (value: unknown) => inspect(value, { depth: 12, showHidden: true, maxArrayLength: null });

describe.each(ENTRY_POINTS.filter(({ data, name }) => data !== undefined && !/Parallel/.test(name)))(
  "an answer of $name",
  ({ call, data }) => {
    it("can be written into without a consequence for the next one", async () => {
      const first = await call(structuredClone(data) as never);
      const before = shown(first);
      vandalise(first);
      expect(shown(await call(structuredClone(data) as never))).toBe(before);
    });
  },
);

/** What is made once and used again, by callers and by the library itself. */
const KEPT: readonly (readonly [name: string, make: () => object])[] = [
  ["a rational", () => rational("1/3")],
  ["the number 0", () => core.Rational.ZERO],
  ["a result of arithmetic", () => rational(1).plus("1/3").negated()],
  ["an interval", () => core.Interval.from("1/3", 9).exp()],
  ["a pure loss", () => pure("1/3")],
  ["a zCDP loss", () => zcdp(1, "1e-6")],
  ["an approximate loss", () => core.convert(zcdp(1), { to: "approx", delta: "1e-6" })],
  ["a Rényi loss", () => core.renyi(core.zcdpCurve(1), "1e-6")],
  ["a curve", () => core.gaussianCurve({ variance: 4 }).times(2).plus(core.pureCurve(1))],
  ["a parameter", () => core.etaAtMost(1)],
  ["makeNoisyTopK", () => core.makeNoisyTopK({ k: 1, measure: "pure", scale: 1, resolution: 1 })],
  ["makeLimitedTopK", () => core.makeLimitedTopK({ k: 1, epsilon: 1, delta: "1e-6" })],
  ["its reservation", () => core.makeLimitedTopK({ k: 1, rho: 1, delta: "1e-6" }).reservation],
  ["limitedTopK's measurement", () => core.limitedTopK([], { k: 1, epsilon: 1, delta: "1e-6" }).measurement],
  ["limitedTopK's charge", () => core.limitedTopK([], { k: 1, epsilon: 1, delta: "1e-6" }).charge],
  ["makeTopKWithCounts", () => core.makeTopKWithCounts({ k: 1, epsilon: 1, delta: "1e-6" })],
  ["for a public domain", () => core.makeTopKWithCounts({ k: 1, epsilon: 1, domain: "public" })],
  [
    "makeBase2Exponential",
    () => core.makeBase2Exponential({ eta: core.eta(1, 1), lower: 0, upper: 3, maxCandidates: 2 }),
  ],
  ["makeAboveThreshold", () => core.makeAboveThreshold({ thresholdScale: 1, queryScale: 1 })],
  ["with levels", () => core.makeAboveThreshold({ thresholdScale: 1, queryScale: 1, levels: LEVELS })],
  [
    "makeStableTopK",
    () =>
      core.makeStableTopK({
        maxK: 2,
        choose: { noise: "gumbel", rho: 1 },
        test: { rho: 1 },
        delta: "1e-6",
      }),
  ],
  ["an answer below", () => core.makeAboveThreshold(NARROW).start(seededEntropy("below")).push(-1e9)],
];

const LEVELS = [
  { margin: 5, share: "1/2" },
  { margin: 0, share: 1 },
];
const NARROW = { thresholdScale: 1, queryScale: 1 };

describe.each(KEPT)("everything in %s", (_, make) => {
  it("is frozen", () => {
    for (const each of reachable(make())) expect(each, shown(each)).toSatisfy(Object.isFrozen);
  });
});

describe("a number that is frozen", () => {
  it("refuses to be written, and is shown, cloned and kept in JSON as before", () => {
    const third = rational("1/3");
    expect(() => Object.assign(third, { numerator: 0n })).toThrow(TypeError);
    expect(inspect(third)).toBe("Rational(1/3)");
    expect(JSON.stringify({ third })).toBe('{"third":"1/3"}');
    expect(structuredClone(third)).toEqual({ numerator: 1n, denominator: 3n });
    expect(rational(structuredClone(third)).equals("1/3")).toBe(true);
  });
});

describe("what was passed", () => {
  it("can be written into afterwards: a budget, a measurement and a stream keep copies", () => {
    const level = { margin: 5 as core.RationalLike, share: "1/2" };
    const levels = [level, { margin: 0, share: 1 }];
    const measurement = core.makeAboveThreshold({ thresholdScale: 1, queryScale: 1, levels });
    level.margin = 0;
    levels.pop();
    expect(measurement.levels.map(({ margin }) => String(margin))).toEqual(["5", "0"]);
    const limit = { measure: "approx" as const, epsilon: "1", delta: "1e-6" };
    const budget = new core.Budget(limit);
    limit.epsilon = "1e9";
    expect(budget.admits(approx(2, "1e-6"))).toBe(false);
  });

  it("is read again where it may be another: a threshold in an object of the caller's", () => {
    const stream = core.makeAboveThreshold({ thresholdEta: eta(1, 64), queryEta: eta(1, 64), maxAbove: 9 });
    const run = stream.start(seededEntropy("thresholds"));
    const threshold = { numerator: 100n, denominator: 1n };
    expect(run.push(0, threshold).above).toBe(false);
    threshold.numerator = -100n;
    expect(run.push(0, threshold).above).toBe(true);
  });
});

describe("the numbers 0 and 1", () => {
  it("can't be replaced for everyone", () => {
    expect(Reflect.set(core.Rational, "ONE", rational(2))).toBe(false);
    expect(Reflect.set(core.Rational.ZERO, "numerator", 5n)).toBe(false);
    expect(core.Rational.ONE.equals(1)).toBe(true);
  });
});
