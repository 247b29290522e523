import { describe, expect, it } from "vitest";
import { rational } from "../../src/exact/rational.js";
import {
  AboveThreshold,
  type AboveThresholdOptions,
  base2,
  convert,
  eta,
  type LossOf,
  makeAboveThreshold,
  noisyThreshold,
  pure,
  zcdp,
} from "../../src/index.js";
import type { AboveThresholdParameters } from "../../src/numbers/threshold-parameters.js";
import { seededEntropy } from "../../src/testing/seeded-entropy.js";
import { parameterOf, vectors } from "../support/more-vectors.js";

const SCALES = { thresholdScale: 2, queryScale: 3 };

describe("The loss of AboveThreshold", () => {
  it.each(vectors.above_threshold)("is the reference law: $name", (vector) => {
    const noise = {
      thresholdScale: vector.threshold_scale,
      queryScale: vector.query_scale,
      maxAbove: vector.count,
    };
    expect(makeAboveThreshold(noise).map(1)).toEqual(pure(vector.loss_general_sens1));
    expect(makeAboveThreshold({ ...noise, monotone: true }).map(1)).toEqual(pure(vector.loss_monotone_sens1));
    if (vector.loss_ordered_sens1 !== null)
      expect(makeAboveThreshold({ ...noise, ordered: true }).map(1)).toEqual(pure(vector.loss_ordered_sens1));
  });

  it.each(vectors.above_threshold_adaptive)("is the reference law with levels: $name", (vector) => {
    const measurement = makeAboveThreshold({
      thresholdScale: vector.threshold_scale,
      queryScale: vector.levels.at(-1)!.scale,
      levels: vector.levels.map(({ sigma, cost }) => ({ margin: sigma, share: cost })),
    });
    expect(measurement.map(1)).toEqual(pure(vector.loss_general_sens1));
  });

  it.each(vectors.above_threshold_zcdp)("is the reference ρ: $name", (vector) => {
    const noise = { thresholdVariance: vector.threshold_variance, queryScale: vector.query_scale };
    expect(makeAboveThreshold(noise).map(1)).toEqual(zcdp(vector.rho_general_sens1));
    expect(makeAboveThreshold({ ...noise, monotone: true }).map(1)).toEqual(zcdp(vector.rho_monotone_sens1));
  });

  it.each(vectors.above_threshold_base2)("is the reference law in base 2: $name", (vector) => {
    const noise = {
      thresholdEta: parameterOf(vector.eta_threshold),
      queryEta: parameterOf(vector.eta_query),
      maxAbove: vector.count,
    };
    for (const [monotone, loss] of [
      [false, vector.loss_general_sens1],
      [true, vector.loss_monotone_sens1],
    ] as const) {
      const { epsilon } = convert(makeAboveThreshold({ ...noise, monotone }).map(1), { to: "pure" });
      const ratio = rational(epsilon).dividedBy(loss);
      expect(ratio.compare(1)).toBeGreaterThanOrEqual(0);
      expect(ratio.compare("1.00000000000001")).toBe(-1);
    }
  });

  it.each(vectors.accounting2.filter(({ fn }) => fn.startsWith("svt_gumbel")))(
    "has the curve $args.alpha",
    ({ args, value }) => {
      const { variance, query_scale, count, alpha } = args as Record<string, string>;
      const measurement = makeAboveThreshold({
        thresholdVariance: variance,
        queryScale: query_scale,
        maxAbove: Number(count),
      });
      const bound = measurement.curve(1).at(alpha);
      expect(bound.compare(value)).toBeGreaterThanOrEqual(0);
      expect(bound.dividedBy(value).compare("1.0000000000001")).toBe(-1);
      expect(bound.compare(rational((measurement.map(1) as LossOf["zcdp"]).rho).times(alpha))).toBe(-1); // sharper than ρα
    },
  );

  it("has the curve αε²/2 at small ε, to as many digits as anywhere", () => {
    for (const zeros of [5, 20, 60]) {
      const [size, order] = [`2e-${zeros}`, 700_000_000];
      const far = { thresholdVariance: `1e${4 * zeros + 9}`, queryScale: `1e${zeros}`, maxAbove: 1 };
      const { curve } = makeAboveThreshold(far);
      for (const alpha of zeros > 5 ? ["3/2", 30, order] : ["3/2", 30]) {
        const line = rational(size).times(size).times(alpha).dividedBy(2);
        const ratio = curve.call(makeAboveThreshold(far), 1).at(alpha).dividedBy(line).toNumber();
        expect(Math.abs(ratio - 1)).toBeLessThan(zeros > 5 ? 1e-9 : 1e-2);
      }
    }
  });

  it("has a curve with bounds on all orders at once, and that of the threshold alone where nothing moves", () => {
    const measurement = makeAboveThreshold({ thresholdVariance: 4, queryScale: 3, maxAbove: 2 });
    const { rho, epsilon } = measurement.curve(1);
    // 1/(2·4) for the threshold and 2·(2/3)²/2 for two answers.
    expect([String(rho), epsilon]).toEqual([String(rational("1/8").plus("4/9")), Infinity]);
    expect(measurement.curve(0).at(7)).toEqual(rational(0));
    expect(measurement.curve(0).rho).toEqual(rational(0));
    expect(() => makeAboveThreshold(SCALES).curve(1)).toThrow(
      'noise must be Gaussian and Gumbel for a Rényi curve; got "exponential"',
    );
  });

  it("of an ordered stream is the larger of the two", () => {
    const loss = (thresholdScale: number, queryScale: number) =>
      makeAboveThreshold({ thresholdScale, queryScale, ordered: true }).map(1);
    expect([loss(2, 3), loss(3, 2)]).toEqual([pure("1/2"), pure("1/2")]);
  });

  it("is not computed for a distance below 0", () => {
    const gumbel = makeAboveThreshold({ thresholdVariance: 4, queryScale: 3 });
    for (const asked of [() => gumbel.map(-1), () => gumbel.curve(-1), () => gumbel.check(-1, zcdp(1))])
      expect(asked).toThrow("dIn must be a rational >= 0; got -1");
  });

  it("is linear in the distance, quadratic in zCDP, and nothing where nothing moves", () => {
    const exponential = makeAboveThreshold(SCALES);
    expect(exponential.map(3)).toEqual(pure("7/2"));
    expect(exponential.map(0)).toEqual(pure(0));
    const gumbel = makeAboveThreshold({ thresholdVariance: 4, queryScale: 3 });
    expect(gumbel.map(3)).toEqual(zcdp("25/8"));
    expect(makeAboveThreshold({ thresholdEta: eta(1, 1), queryEta: eta(1, 1), step: 2 }).map(3)).toEqual(
      base2(6),
    );
    expect([exponential.check(1, pure("7/6")), exponential.check(1, pure("1.16"))]).toEqual([true, false]);
    expect(() => exponential.check(1, zcdp(1))).toThrow(
      'dOut must be a loss in the measure "pure"; got "zcdp"',
    );
  });

  it.each([
    [{ epsilon: 1 }, 1],
    [{ epsilon: "1/3", maxAbove: 7, monotone: true, sensitivity: 5 }, "1/3"],
    [{ epsilon: 1, maxAbove: 1, ordered: true }, 1],
    [{ rho: "1/10", maxAbove: 10 }, "1/10"],
    [{ rho: "1/10", maxAbove: 3, monotone: true }, "1/10"],
    [{ rho: "1/10", ordered: true }, "1/10"],
    // Sizes that aren't finite decimals: each is rounded to the side that costs less.
    [{ epsilon: "1/7", sensitivity: "1/3", ordered: true }, "1/7"],
    [{ epsilon: "3/7", sensitivity: "2/3", maxAbove: 4 }, "3/7"],
    [{ epsilon: "5/13", sensitivity: "7/3", maxAbove: 27, monotone: true }, "5/13"],
    [{ rho: "1/7", sensitivity: "1/3", maxAbove: 3 }, "1/7"],
    [{ rho: "2/13", sensitivity: "5/3", maxAbove: 11, monotone: true }, "2/13"],
    // So long that scales are rounded.
    ...Array.from({ length: 12 }, (_, i) => `0.${12_345_678_913 + 7_654_321_089 * i}`).flatMap((budget) => [
      [{ epsilon: budget, ordered: true }, budget],
      [{ epsilon: budget, maxAbove: 4 }, budget],
      [{ epsilon: budget, monotone: true }, budget],
      [{ rho: budget, maxAbove: 3 }, budget],
      [{ rho: budget, monotone: true }, budget],
    ]),
  ] as [AboveThresholdOptions, string][])(
    "keeps the budget and uses nearly all of it: %o",
    (options, budget) => {
      const { privacy } = new AboveThreshold(options);
      const spent =
        privacy.measure === "pure" ? privacy.epsilon : privacy.measure === "zcdp" ? privacy.rho : 0;
      expect(rational(spent).compare(budget)).toBeLessThanOrEqual(0);
      expect(rational(spent).dividedBy(budget).compare("0.99999")).toBe(1);
    },
  );
});

describe("The split of a budget", () => {
  /** What a stream tells of the noise on both sides, by the same bits. */
  const gapOf = (options: object) =>
    new AboveThreshold({ ...options, resolution: "1e-9", entropy: seededEntropy("split") } as never).push(
      1e6,
    );
  const gapBy = (parameters: object) =>
    makeAboveThreshold({ ...parameters, resolution: "1e-9" } as AboveThresholdParameters)
      .start(seededEntropy("split"))
      .push(1e6);

  it.each([
    [1, true, 2, 2],
    [8, true, 5, 10],
    [27, true, 10, 30],
    [4, false, 5, 10],
    [500, false, 101, "1010"], // 1000^(2/3) = 100
  ])("of ε for %d answers, monotone %s, is 1 : n^(2/3)", (maxAbove, monotone, thresholdScale, queryScale) => {
    const scales = { thresholdScale, queryScale, maxAbove, monotone };
    expect(makeAboveThreshold(scales as AboveThresholdParameters).map(1)).toEqual(pure(1));
    expect(gapOf({ epsilon: 1, maxAbove, monotone })).toEqual(gapBy(scales));
  });

  it("in base 2 is none either, on a grid that is given", () => {
    const grid = { eta: eta(1, 1), step: 2, resolution: 2 };
    const { privacy } = new AboveThreshold({ ...grid, entropy: seededEntropy("grid") });
    expect(privacy).toEqual(base2(3));
    expect(() => new AboveThreshold({ epsilon: 1, step: 2 } as never)).toThrow(
      "step must be absent without eta; got 2",
    );
  });

  it("of ε is none where the stream is ordered", () => {
    expect(gapOf({ epsilon: "1/4", ordered: true, sensitivity: 3 })).toEqual(
      gapBy({ thresholdScale: 12, queryScale: 12, ordered: true }),
    );
  });

  it("of ρ is 1 : πs√(c/6)", () => {
    // c = 6: 1 : π for monotone values, with π = 355/113; then σ² = (1 + π)/(2ρ) and b² = 6(1 + π)/(2ρπ).
    const [pi, rho] = [rational("355/113"), rational("1/2")];
    const variance = pi.plus(1).dividedBy(rho.times(2));
    const square = variance.times(6).dividedBy(pi);
    const loss = rational(1).dividedBy(variance.times(2)).plus(rational(3).dividedBy(square));
    expect(loss).toEqual(rho);
    const scale = Math.sqrt(square.toNumber());
    const near = (answer: ReturnType<typeof gapOf>) => (answer.above ? answer.gap?.toNumber() : undefined);
    const expected = gapBy({ thresholdVariance: variance, queryScale: scale, maxAbove: 6, monotone: true });
    expect(near(gapOf({ rho, maxAbove: 6, monotone: true }))).toBeCloseTo(near(expected) as number, 7);
  });
});

describe("What is promised without looking", () => {
  it.each(vectors.accounting2.filter(({ fn }) => fn.startsWith("at_")))(
    "is the reference bound: $fn",
    ({ fn, args, value }) => {
      const {
        threshold_scale,
        query_scale = "1",
        beta,
        queries = 1,
      } = args as unknown as Record<string, string>;
      const measurement = makeAboveThreshold({ thresholdScale: threshold_scale, queryScale: query_scale });
      const bounds = measurement.bounds(rational(1n).minus(beta), Number(queries));
      const bound = fn === "at_miss_bound" ? bounds.miss : bounds.falseAlarm;
      expect(bound.compare(value)).toBeGreaterThanOrEqual(0);
      expect(bound.dividedBy(value).compare("1.0000000000001")).toBe(-1);
    },
  );

  it("is nothing where false alarms are rare without it", () => {
    // One query, and scales of 1 and 1: e^(−x)/2 ≤ β for every x ≥ 0 if β ≥ 1/2.
    const measurement = makeAboveThreshold({ thresholdScale: 1, queryScale: 1 });
    for (const confidence of ["1/2", "1/4"])
      expect(measurement.bounds(confidence, 1).falseAlarm).toEqual(rational(0));
    expect(measurement.bounds("1/2", 2).falseAlarm.toNumber()).toBeCloseTo(Math.log(2), 12);
  });

  it("is for exponential noise and a number of queries", () => {
    expect(() => makeAboveThreshold(SCALES).bounds("19/20", 0)).toThrow(
      "queries must be an integer >= 1; got 0",
    );
    for (const [noise, kind] of [
      [{ thresholdVariance: 1, queryScale: 1 }, "gumbel"],
      [{ thresholdEta: eta(1, 1), queryEta: eta(1, 1) }, "geometric"],
    ] as const)
      expect(() => makeAboveThreshold(noise).bounds("19/20", 5)).toThrow(
        `noise must be exponential for bounds; got "${kind}"`,
      );
  });

  it("holds in a thousand seeded streams", () => {
    const measurement = makeAboveThreshold(SCALES);
    const { miss, falseAlarm } = measurement.bounds("19/20", 50);
    const entropy = seededEntropy("bounds");
    const low = new Float64Array(50).fill(-falseAlarm.toNumber());
    let [missed, alarms] = [0, 0];
    for (let run = 0; run < 1000; run++) {
      if (!measurement.start(entropy).push(miss.toNumber("up")).above) missed++;
      if (measurement.invoke(low, entropy).above.length > 0) alarms++;
    }
    expect(missed).toBeLessThan(80);
    expect(alarms).toBeLessThan(80);
    expect(missed + alarms).toBeGreaterThan(5); // it is not that nothing could fail
  });
});

describe("A stream", () => {
  const start = (options: object = {}) =>
    new AboveThreshold({ epsilon: 1, threshold: 100, entropy: seededEntropy("stream"), ...options } as never);

  it("ends after its answers above, and refuses what is pushed then", () => {
    const stream = start({ maxAbove: 2 });
    expect([1e6, -1e6, 1e6].map((value) => stream.push(value).above)).toEqual([true, false, true]);
    expect(stream.remaining).toBe(0);
    const refusal =
      "the stream has ended: all of its answers above were given; start a new one and charge it";
    expect(() => stream.push(-1e6)).toThrow(refusal);
    expect(() => stream.pushAll([-1e6])).toThrow(expect.objectContaining({ code: "stream-finished" }));
  });

  it.each([Number.NaN, Infinity, -Infinity, "7", null, undefined])(
    "is closed by %s after earlier answers, and says neither where nor what",
    (bad) => {
      const stream = start({ maxAbove: 3 });
      stream.push(-1e6);
      stream.push(1e6);
      expect(() => stream.push(bad as number)).toThrow(
        "values must be finite numbers or bigints (up to 1.79e308) throughout; the stream is closed and was charged",
      );
      expect(stream.remaining).toBe(0);
      expect(() => stream.push(-1e6)).toThrow("the stream has ended: a failure closed it");
    },
  );

  it("is closed by a bad value in a list too, wherever it is", () => {
    for (const place of [0, 3, 5000, 9999]) {
      const values = new Float64Array(10_000).fill(-1e6);
      values[place] = place % 2 === 0 ? Number.NaN : -Infinity;
      const stream = start();
      expect(() => stream.pushAll(values)).toThrow(expect.objectContaining({ code: "invalid-score" }));
      expect(() => stream.push(0)).toThrow("the stream has ended");
    }
    expect(() => start().pushAll([1, "2" as never])).toThrow(
      expect.objectContaining({ code: "invalid-score" }),
    );
  });

  it("takes bigints, typed arrays, and a threshold with each query", () => {
    const stream = start({ maxAbove: 4, resolution: 1 });
    expect(stream.push(10n ** 30n, "5e29")).toMatchObject({ above: true });
    expect(stream.push(-(10n ** 30n)).above).toBe(false);
    expect(stream.push(5, -1e9).above).toBe(true);
    expect(stream.pushAll(BigInt64Array.of(-1000000n, 1000000n)).above[0].index).toBe(1);
    expect(stream.push(1e9).above).toBe(true);
    expect(stream.remaining).toBe(0);
  });

  it("answers a list as it answers one value after the other, bit by bit", () => {
    const values = Float64Array.from({ length: 3000 }, (_, i) => ((i * 7919) % 61) - 70);
    for (const noise of [
      SCALES,
      { thresholdVariance: 4, queryScale: 3 },
      { thresholdEta: eta(3, 2), queryEta: eta(7, 3) },
    ]) {
      const measurement = makeAboveThreshold({ ...noise, maxAbove: 3 });
      for (let seed = 0; seed < 20; seed++) {
        const listed = measurement.invoke(values, seededEntropy(`list ${seed}`));
        const stream = measurement.start(seededEntropy(`list ${seed}`));
        const one: number[] = [];
        for (let i = 0; i < listed.answered; i++) if (stream.push(values[i]).above) one.push(i);
        expect(one).toEqual(listed.above.map(({ index }) => index));
      }
    }
  });

  it("draws almost nothing for a million values far below", () => {
    const entropy = seededEntropy("far");
    const values = new Float64Array(1_000_000).fill(-1e6);
    const { above, answered } = makeAboveThreshold(SCALES).invoke(values, entropy);
    expect([above.length, answered]).toEqual([0, 1_000_000]);
    expect(entropy.bitsUsed).toBeLessThan(64 * 1_000_000 * 2 ** -16 * 2);
  });

  it("decides values that are equal to the threshold up to 100 digits", () => {
    const entropy = seededEntropy("equal");
    const near = makeAboveThreshold({ thresholdScale: "1e-100", queryScale: "1e-100", maxAbove: 60 });
    const stream = near.start(entropy);
    const answers = Array.from(
      { length: 60 },
      () => stream.push(1, "0.9999999999999999999999999999999999").above,
    );
    expect(new Set(answers)).toEqual(new Set([true])); // 10^−34 is 10^66 scales above
    const exact = near.start(entropy);
    const equal = Array.from({ length: 60 }, () => exact.push(1, 1).above);
    expect(new Set(equal)).toEqual(new Set([true, false]));
  });

  it("gives cheap answers far above, and ends when a full one could not be paid", () => {
    const levels = [
      { margin: 1000, share: "1/2" },
      { margin: 0, share: 1 },
    ];
    const stream = makeAboveThreshold({ ...SCALES, maxAbove: 2, levels, resolution: 1 }).start(
      seededEntropy("levels"),
    );
    expect(stream.push(1e6)).toMatchObject({ above: true, level: 0 });
    expect(stream.remaining).toBe(1);
    expect(stream.push(500)).toMatchObject({ above: true, level: 1 });
    expect(stream.remaining).toBe(0);
  });
});

describe("Refused before a bit is drawn:", () => {
  it.each([
    [{}, "noise must be thresholdScale and queryScale"],
    [{ thresholdScale: 1 }, "noise must be"],
    [{ thresholdScale: 1, thresholdVariance: 1, queryScale: 1 }, "noise must be"],
    [{ ...SCALES, maxAbove: 0 }, "maxAbove must be an integer >= 1; got 0"],
    [
      { ...SCALES, maxAbove: 2, ordered: true },
      "ordered must be absent, or count 1 with exponential noise and no levels; got true",
    ],
    [
      {
        ...SCALES,
        ordered: true,
        levels: [
          { margin: 1, share: "1/2" },
          { margin: 0, share: 1 },
        ],
      },
      "ordered must be absent, or count 1 with exponential noise and no levels; got true",
    ],
    [
      { thresholdVariance: 1, queryScale: 1, ordered: true },
      "ordered must be absent, or count 1 with exponential noise and no levels; got true",
    ],
    [
      {
        thresholdVariance: 1,
        queryScale: 1,
        levels: [
          { margin: 1, share: "1/2" },
          { margin: 0, share: 1 },
        ],
      },
      'levels must be absent without exponential noise; got "levels"',
    ],
    [
      {
        ...SCALES,
        levels: [
          { margin: 0, share: 1 },
          { margin: 3, share: "1/2" },
        ],
      },
      "levels must be margins that fall to 0",
    ],
    [{ ...SCALES, step: 1 }, "step must be absent"],
    [{ ...SCALES, measure: "base2" }, 'measure must be "pure" with exponential noise; got "base2"'],
    [
      { thresholdEta: eta(1, 1), queryEta: eta(1, 1), measure: "zcdp" },
      'measure must be "base2" with geometric noise; got "zcdp"',
    ],
    [
      { thresholdVariance: 1, queryScale: 1, measure: "pure" },
      'measure must be "zcdp" with gumbel noise; got "pure"',
    ],
    [{ thresholdScale: 1, queryScale: 1, resolution: "1e-3000" }, "resolution must be"],
    [
      { thresholdEta: eta(1, 1), queryEta: eta(1, 1), threshold: "1/2" },
      "threshold must be a multiple of step",
    ],
    [{ thresholdEta: eta(1, 1), queryEta: eta(1, 1), resolution: 2 }, "resolution must be the step"],
    [{ ...SCALES, threshold: "high" }, "threshold must be a rational"],
  ] as [AboveThresholdParameters, string][])("%o", (parameters, refusal) => {
    expect(() => makeAboveThreshold(parameters)).toThrow(refusal);
  });

  it.each([
    [{}, 'budget must be exactly one of epsilon, rho and eta; got "none"'],
    [{ epsilon: 1, rho: 1 }, 'got "epsilon and rho"'],
    [{ epsilon: 0 }, "epsilon must be a rational > 0; got 0"],
    [
      {
        rho: 1,
        levels: [
          { margin: 3, share: "1/2" },
          { margin: 0, share: 1 },
        ],
      },
      "levels must be absent",
    ],
    [{ epsilon: 1, step: 2 }, "step must be absent without eta; got 2"],
    [{ eta: eta(1, 1), ordered: true }, "ordered must be absent"],
    [{ epsilon: 1, treshold: 5 }, "did you mean threshold?"],
  ] as [AboveThresholdOptions, string][])("%o", (options, refusal) => {
    expect(() => new AboveThreshold(options)).toThrow(refusal);
  });

  it("a threshold that cannot be read, and the stream goes on", () => {
    const stream = new AboveThreshold({ epsilon: 1 });
    expect(() => stream.push(1, "high")).toThrow("threshold must be a rational");
    expect(stream.remaining).toBe(1);
  });

  it("an entropy that is none", () => {
    const measurement = makeAboveThreshold(SCALES);
    expect(() => measurement.start({ word: () => 0 } as never)).toThrow("entropy must be an Entropy; got");
    expect(() => measurement.begin(7 as never)).toThrow(
      "entropy must be an Entropy; got a value of type number",
    );
  });

  it("options of noisyThreshold", () => {
    expect(() => noisyThreshold(1, { threshold: "1/2", eta: eta(1, 1) })).toThrow(
      "threshold must be a multiple of step",
    );
    expect(() => noisyThreshold(Number.NaN, { threshold: 1, eta: eta(1, 1) })).toThrow(
      expect.objectContaining({ code: "invalid-score" }),
    );
    expect(() => noisyThreshold(1, { threshold: 1 } as never)).toThrow(
      "eta must be a parameter made by eta()",
    );
    expect(noisyThreshold(7, { threshold: 1, eta: eta(1, 1), sensitivity: "3/2" }).privacy).toEqual({
      measure: "base2",
      eta: rational(2),
    });
  });
});
