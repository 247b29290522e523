import { describe, expect, it } from "vitest";
import { rational } from "../../src/exact/rational.js";
import type { Recorder } from "../../src/standout/recorder.js";
import { StabilityTest } from "../../src/standout/stability-test.js";
import { makeStableTopK, type StableTopKOptions, stableTopK } from "../../src/standout/stable-top-k.js";
import { replayEntropy } from "../../src/testing/replay-entropy.js";
import { seededEntropy } from "../../src/testing/seeded-entropy.js";

const delta = "1e-6";

function run(histogram: ArrayLike<number | bigint>, options: object, seed = "stable") {
  return stableTopK(histogram, {
    delta,
    maxK: 5,
    monotone: true,
    ...options,
    entropy: seededEntropy(seed),
  } as StableTopKOptions);
}

describe("stableTopK", () => {
  it("finds the gap and releases who is above it, in the order of the candidates", () => {
    expect(run([3, 900, 2, 950, 920, 1], { rho: "0.1" })).toMatchObject({
      released: true,
      k: 3,
      candidates: [1, 3, 4],
    });
  });

  it("chooses and releases the 19 above the gap where k = 3 cuts a plateau: Example A of [ZW22]", () => {
    const example = [
      100,
      100,
      99,
      99,
      ...Array<number>(15).fill(98),
      54,
      53,
      53,
      52,
      ...Array<number>(20).fill(50),
    ];
    for (let seed = 0; seed < 20; seed++)
      expect(run(example, { rho: 1, maxK: 30 }, `example ${seed}`)).toMatchObject({
        released: true,
        k: 19,
        candidates: [...example.keys()].slice(0, 19),
      });
  });

  it("releases nothing where there is no gap, but says the k that it chose", () => {
    const answer = run([10, 10, 10, 10, 10, 10, 10], { rho: "0.1" });
    expect(answer.released).toBe(false);
    expect(answer.k).toBeGreaterThanOrEqual(1);
    expect(answer.k).toBeLessThanOrEqual(5);
  });

  it("says nothing but k, the set and the loss", () => {
    expect(Object.keys(run([900, 1], { rho: "0.1" })).sort()).toEqual([
      "candidates",
      "k",
      "privacy",
      "released",
    ]);
    expect(Object.keys(run([1, 1], { rho: "0.1" })).sort()).toEqual(["k", "privacy", "released"]);
  });

  it("does not depend on the order of equal counts, of winners or of losers", () => {
    const clear = [
      [900, 901, 1, 2],
      [901, 900, 2, 1],
      [900, 900, 2, 2],
    ];
    for (const histogram of clear)
      expect(run(histogram, { rho: "0.1" })).toMatchObject({ k: 2, candidates: [0, 1] });
  });

  it("reads bigints", () => {
    const large = 1n << 70n;
    const histogram = [large, large + 5000n, 12n, large - 8000n];
    expect(run(histogram, { rho: "0.1", maxK: 3 })).toMatchObject({ k: 3, candidates: [0, 1, 3] });
    expect(run(histogram, { rho: "0.1", maxK: 2 })).toMatchObject({ k: 2, candidates: [0, 1] });
  });

  it("needs no list of candidates: a short histogram goes on with zeros", () => {
    expect(run([400, 500], { rho: "0.1", maxK: 50 })).toMatchObject({
      released: true,
      k: 2,
      candidates: [0, 1],
    });
    expect(run([], { rho: "0.1", maxK: 50 })).toMatchObject({ released: false });
  });

  it("never names a candidate that was not mentioned", () => {
    const measurement = makeStableTopK({
      maxK: 4,
      choose: { noise: "gumbel", scale: 5 },
      test: { scale: 1 },
      delta: "1/4",
      monotone: true,
    });
    const entropy = seededEntropy("unmentioned");
    const beyond = Array.from({ length: 4000 }, () => measurement.invoke([3, 1], entropy)).filter(
      ({ k, released }) => k > 2 && released,
    );
    expect(beyond.length).toBeGreaterThan(100);
    for (const answer of beyond) expect(answer).toMatchObject({ candidates: [0, 1] });
  });
});

describe("the budget of stableTopK", () => {
  const [histogram, maxK] = [[14, 13, 6, 5, 0, 0], 4];
  it("is halved: Gumbel noise of scale Δ/√ρ and Gaussian noise of σ² = Δ²/ρ", () => {
    const measurement = makeStableTopK({
      maxK,
      choose: { noise: "gumbel", scale: 2 },
      test: { variance: 4 },
      delta: "1/10",
      monotone: true,
    });
    // Both draw the same bits, so equal answers on many seeds mean equal noise.
    for (let i = 0; i < 300; i++) {
      const { privacy, ...answer } = run(histogram, { maxK, rho: "1/4", delta: "1/10" }, `halves ${i}`);
      expect(answer).toEqual(measurement.invoke(histogram, seededEntropy(`halves ${i}`)));
      expect(privacy).toEqual({ measure: "zcdp", rho: rational("1/4"), delta: rational("1/10") });
    }
    expect(measurement.zcdp.rho).toEqual(rational("1/4"));
  });

  it("is for twice the sensitivity unless counts are monotone", () => {
    const measurement = makeStableTopK({
      maxK,
      choose: { noise: "gumbel", scale: 12 },
      test: { variance: 144 },
      delta,
      sensitivity: 3,
    });
    expect(measurement.zcdp.rho).toEqual(rational("1/4"));
    expect(run(histogram, { rho: "1/4", sensitivity: 3, monotone: false }).privacy).toEqual(measurement.zcdp);
  });

  it("is what is reported, or a little less where the noise was rounded up", () => {
    const { privacy } = run(histogram, { rho: "0.0333" });
    expect(privacy.measure).toBe("zcdp");
    const { rho } = privacy as { rho: ReturnType<typeof rational> };
    expect(rho.compare("0.0333")).toBeLessThanOrEqual(0);
    expect(rho.compare("0.03329999999999")).toBe(1);
  });

  it("may be (ε, δ): then half of δ is for the test and the rest for the conversion", () => {
    const { privacy } = run(histogram, { epsilon: "0.8", delta: "1e-5" });
    expect(privacy).toMatchObject({ measure: "approx", delta: rational("1e-5") });
    const { epsilon } = privacy as { epsilon: ReturnType<typeof rational> };
    expect(epsilon.compare("0.8")).toBeLessThanOrEqual(0);
    expect(epsilon.compare("0.799999")).toBe(1);
  });

  it("costs no more with another noise on the gaps, and that noise is larger", () => {
    for (const noise of ["exponential", "laplace", "gaussian"] as const) {
      const { privacy } = run(histogram, { rho: "0.1", noise });
      expect(
        rational((privacy as { rho: ReturnType<typeof rational> }).rho).compare("0.1"),
      ).toBeLessThanOrEqual(0);
    }
  });

  it("composes as a curve too, which is never above the line of ρ", () => {
    const measurement = makeStableTopK({
      maxK: 39,
      choose: { noise: "gaussian", variance: 2500 },
      test: { variance: 3600 },
      delta: "1e-9",
    });
    const { zcdp, renyi } = measurement;
    expect(zcdp.rho).toEqual(rational("39/1250").plus("4/7200"));
    const line = rational(zcdp.rho).times("1.000000000001");
    for (const order of [1.5, 4, 32, 1000])
      expect(renyi.curve.at(order).compare(line.times(order))).toBeLessThanOrEqual(0);
    expect(renyi.delta).toEqual(rational("1e-9"));
  });
});

describe("the measurement of stableTopK", () => {
  const parameters = {
    maxK: 4,
    choose: { noise: "gumbel", scale: 2 },
    test: { variance: 4 },
    delta: "1/1000",
    monotone: true,
  } as const;

  it("says from which gap on a set may be released, and from which on it nearly always is", () => {
    const test = new StabilityTest(1n, parameters.test, { delta: parameters.delta });
    const { threshold, certainGap } = makeStableTopK(parameters);
    expect([threshold, certainGap]).toEqual([test.threshold, test.certainGap]);
    // σ = 2, and a noise of 7 or more has probability 0.0006.
    expect([threshold, certainGap]).toEqual([6n, 14n]);
  });

  it("takes its steps through a recorder, and answers as it does with the same bits", () => {
    const measurement = makeStableTopK(parameters);
    for (let seed = 0; seed < 20; seed++) {
      const bits = seededEntropy(`recorded ${seed}`);
      const names: string[] = [];
      const recorder: Recorder = {
        step: ({ name }, draw) => {
          names.push(name);
          return draw(bits);
        },
      };
      const counts = { elbe: 30, oder: 29, alster: 2 };
      expect(measurement.recorded(counts, recorder)).toEqual(
        measurement.invoke(counts, seededEntropy(`recorded ${seed}`)),
      );
      expect(names).toEqual(["choice of k", "stability test"]);
    }
  });

  it("refuses what it doesn't know by its own name for it", () => {
    expect(() => makeStableTopK({ ...parameters, maxk: 3 } as never)).toThrow("did you mean maxK?");
    expect(() => makeStableTopK({ ...parameters, wrongly: 3 } as never)).toThrow(/^parameters has/);
    expect(() => makeStableTopK(7 as never)).toThrow(/^parameters must be/);
  });
});

describe("stableTopK refuses, before it draws a bit,", () => {
  const refusal = (options: object, histogram: readonly number[] = [3, 2]) => {
    const all = { maxK: 1, delta, ...options, entropy: replayEntropy("") };
    return expect(() => stableTopK(histogram, all as StableTopKOptions));
  };

  it("no budget and two", () => {
    refusal({}).toThrow('budget must be exactly one of rho and epsilon; got "none"');
    refusal({ rho: 1, epsilon: 1 }).toThrow(
      'budget must be exactly one of rho and epsilon; got "rho and epsilon"',
    );
    refusal({ rho: 0 }).toThrow("rho must be a rational > 0; got 0");
    refusal({ epsilon: -1 }).toThrow("epsilon must be a rational > 0; got -1");
    refusal({ rho: 1, delta: 1 }).toThrow("delta must be a rational > 0 and < 1; got 1");
  });

  it("parameters that make no sense", () => {
    refusal({ rho: 1, maxK: 0 }).toThrow("maxK must be an integer >= 1; got 0");
    refusal({ rho: 1, sensitivity: 0 }).toThrow("sensitivity must be an integer >= 1; got 0");
    refusal({ rho: 1, noise: "cauchy" }).toThrow(
      'noise must be "exponential", "gumbel", "laplace" or "gaussian"',
    );
    refusal({ rho: 1, thresholdRule: "none" }).toThrow(
      'thresholdRule must be "smallest" or "closed-form"; got "none"',
    );
    refusal({ rho: 1, regulariser: [1, 2] }).toThrow(
      "regulariser must be a function, or an array of 1 terms; got 2",
    );
  });

  it("a histogram that is none", () => {
    refusal({ rho: 1 }, [2, -1]).toThrow("histogram must be integers >= 0 throughout (bigints above 2^53)");
  });
});
