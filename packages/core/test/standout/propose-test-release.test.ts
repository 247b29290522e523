import { describe, expect, it } from "vitest";
import { Interval } from "../../src/exact/interval.js";
import { rational } from "../../src/exact/rational.js";
import {
  type ProposeTestReleaseOptions,
  proposeTestRelease,
} from "../../src/standout/propose-test-release.js";
import { bitTree } from "../../src/testing/bit-tree.js";
import { replayEntropy } from "../../src/testing/replay-entropy.js";
import { seededEntropy } from "../../src/testing/seeded-entropy.js";
import { laplaceTail, passing } from "./exact-laws.js";
import { expectTree } from "./expect-enclosed.js";

const delta = "1e-6";
/** A gap that passes but for a chance of 10^−6. */
const CLEAR = 1000;

function run(histogram: ArrayLike<number | bigint>, options: object, seed = "propose") {
  const entropy = seededEntropy(seed);
  return proposeTestRelease(histogram, { k: 2, delta, ...options, entropy } as ProposeTestReleaseOptions);
}

describe("proposeTestRelease", () => {
  it("releases a clear set in the order of the candidates, not by count", () => {
    const answer = run([1, CLEAR, 3, CLEAR + 50, 2], { rho: "0.1" });
    expect(answer).toMatchObject({ released: true, candidates: [1, 3] });
  });

  it("releases the same for counts in any other order of the winners", () => {
    for (const [a, b] of [
      [CLEAR, CLEAR + 1],
      [CLEAR + 1, CLEAR],
      [CLEAR, CLEAR],
    ])
      expect(run([a, 0, b], { rho: "0.1" })).toMatchObject({ candidates: [0, 2] });
  });

  it("releases nothing where there is no gap", () => {
    expect(run([CLEAR, CLEAR, CLEAR], { rho: "0.1" })).toEqual({
      released: false,
      privacy: { measure: "zcdp", rho: rational("0.1"), delta: rational(delta) },
    });
  });

  it("says nothing but the set, whether it was released, and the loss", () => {
    expect(Object.keys(run([CLEAR, CLEAR, 1], { rho: "0.1" })).sort()).toEqual([
      "candidates",
      "privacy",
      "released",
    ]);
    expect(Object.keys(run([1, 1, 1], { rho: "0.1" })).sort()).toEqual(["privacy", "released"]);
  });

  it("never names a candidate that was not mentioned", () => {
    // k exceeds the number of candidates: all that can be released is all of them, in a rare case.
    const released = Array.from({ length: 2000 }, (_, i) =>
      run([7, 9], { k: 5, scale: 1, delta: "1/4", monotone: true }, `unmentioned ${i}`),
    ).filter(({ released }) => released);
    expect(released.length).toBeGreaterThan(0);
    for (const answer of released) expect(answer).toMatchObject({ candidates: [0, 1] });
  });

  it("costs the same whatever the answer", () => {
    const clear = run([CLEAR, CLEAR, 0], { epsilon: "1/3" });
    const unclear = run([0, 0, 0], { epsilon: "1/3" });
    expect([clear.released, unclear.released]).toEqual([true, false]);
    expect(clear.privacy).toEqual(unclear.privacy);
    expect(clear.privacy).toEqual({ measure: "approx", epsilon: rational("1/3"), delta: rational(delta) });
  });

  it.each([true, false])("has the law of the test, by all strings of bits (monotone: %s)", (monotone) => {
    const options = { k: 1, scale: 1, delta: "1/4", monotone };
    const tree = bitTree((entropy) => proposeTestRelease([1, 5], { ...options, entropy }), {
      depth: 16,
      key: (answer) => (answer.released ? answer.candidates.join(" ") : "nothing"),
    });
    const chance = passing(4, monotone ? 1 : 2, 1, laplaceTail(1)); // P(noise > 1) < 1/4
    const nothing = Interval.from(1n, chance.precision).minus(chance);
    expectTree(
      tree,
      new Map([
        ["1", chance],
        ["nothing", nothing],
      ]),
    );
  });
});

describe("proposeTestRelease refuses, before it draws a bit,", () => {
  const refusal = (options: object, histogram: readonly number[] = [3, 2]) => {
    const all = { k: 1, delta, ...options, entropy: replayEntropy("") };
    return expect(() => proposeTestRelease(histogram, all as ProposeTestReleaseOptions));
  };

  it("a k that is no count", () => {
    refusal({ k: 0, rho: 1 }).toThrow("k must be an integer >= 1; got 0");
  });

  it("budgets, sensitivities and thresholds that make no sense", () => {
    refusal({}).toThrow('budget must be exactly one of rho, epsilon, variance and scale; got "none"');
    refusal({ rho: 1, sensitivity: "1/2" }).toThrow('sensitivity must be an integer >= 1; got "1/2"');
    refusal({ rho: 1, delta: 0 }).toThrow("delta must be a rational > 0 and < 1; got 0");
    refusal({ rho: 1, thresholdRule: 3 }).toThrow('thresholdRule must be "smallest" or "closed-form"; got 3');
  });

  it("a histogram that is none", () => {
    refusal({ rho: 1 }, [Number.NaN, 1]).toThrow("histogram must be integers >= 0 throughout");
  });
});
