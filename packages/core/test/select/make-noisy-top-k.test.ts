import { describe, expect, it } from "vitest";
import { type LossOf, pure, zcdp } from "../../src/accounting/loss.js";
import { type RationalLike, rational } from "../../src/exact/rational.js";
import { makeNoisyTopK, type NoisyTopKOptions } from "../../src/select/noisy-top-k.js";
import { topK } from "../../src/select/top-k.js";
import { replayEntropy } from "../../src/testing/replay-entropy.js";
import { seededEntropy } from "../../src/testing/seeded-entropy.js";
import { vectors } from "../support/vectors.js";
import { expectRefused, untouched } from "./refusals.js";

function map(options: Partial<NoisyTopKOptions>, dIn: RationalLike = 1): string {
  return String(sizeOf(makeNoisyTopK({ k: 1, measure: "pure", scale: 1, ...options }).map(dIn)));
}

function sizeOf(loss: LossOf["pure" | "zcdp"]): RationalLike {
  return loss.measure === "pure" ? loss.epsilon : loss.rho;
}

describe("The privacy map of makeNoisyTopK", () => {
  it("has the values of the privacy map of [Sho25] for sensitivity 1 and scale 1", () => {
    expect(map({ measure: "pure" })).toBe("2");
    expect(map({ measure: "pure", monotone: true })).toBe("1");
    expect(map({ measure: "zcdp" })).toBe("0.5");
    expect(map({ measure: "zcdp", monotone: true })).toBe("0.125");
  });

  it("of peeled permute-and-flip is k·r/scale, or k·(r/scale)²/2: it has no bounded range", () => {
    expect(map({ method: "peel", k: 3, scale: 2 })).toBe("3");
    expect(map({ method: "peel", k: 3, scale: 2, measure: "zcdp" })).toBe("1.5");
    expect(map({ method: "peel", k: 3, scale: 2, measure: "zcdp", monotone: true })).toBe("0.375");
    expect(map({ method: "peel", scale: 0, measure: "zcdp" })).toBe("Infinity");
  });

  it("doubles for twice the winners", () => {
    for (const measure of ["pure", "zcdp"] as const)
      for (const monotone of [false, true]) {
        const one = rational(map({ measure, monotone }));
        expect(map({ measure, monotone, k: 2 })).toBe(String(one.times(2n)));
      }
  });

  it("is infinite without noise, and 0 where nothing changes", () => {
    for (const measure of ["pure", "zcdp"] as const) {
      expect(map({ measure, scale: 0 })).toBe("Infinity");
      expect(map({ measure, scale: -0 })).toBe("Infinity");
      expect(map({ measure }, 0)).toBe("0");
      expect(map({ measure, scale: 0 }, 0)).toBe("0");
    }
  });

  const cases = vectors.accounting.filter(
    ({ fn }) => fn === "topk_map_pure" || fn === "topk_map_zcdp_gumbel",
  );

  it.each(cases)("has the value of the vectors: $fn of $args is $value", ({ fn, args, value }) => {
    const { k, scale, monotone, d_in } = args as {
      k: number;
      scale: string;
      monotone: boolean;
      d_in: string;
    };
    const measure = fn === "topk_map_pure" ? "pure" : "zcdp";
    const off = rational(sizeOf(makeNoisyTopK({ k, scale, monotone, measure }).map(d_in))).minus(value);
    expect(off.compare(0)).toBeGreaterThanOrEqual(0);
    expect(off.compare("1e-20")).toBe(-1);
  });

  it("is exact: k·r/scale and k·(r/scale)²/8 for any rationals", () => {
    expect(map({ k: 7, scale: "13/5" }, "2/3")).toBe(String(rational(7).times("4/3").dividedBy("13/5")));
    expect(map({ k: 7, scale: "13/5", measure: "zcdp", monotone: true }, "2/3")).toBe(
      String(rational("2/3").dividedBy("13/5").times(rational("2/3").dividedBy("13/5")).times("7/8")),
    );
  });

  it("takes the distance as it is, whatever the resolution of the gaps", () => {
    expect(map({ resolution: "0.3" }, "0.25")).toBe("0.5");
    expect(map({ resolution: "0.3" }, "0.3")).toBe("0.6");
    expect(map({ resolution: "3" }, "0.3")).toBe("0.6");
    expect(map({ resolution: "0.3" }, 0)).toBe("0");
  });
});

describe("The check of makeNoisyTopK", () => {
  it("holds from the loss on", () => {
    const measurement = makeNoisyTopK({ k: 3, measure: "pure", scale: 7 });
    expect(measurement.check(1, pure("6/7"))).toBe(true);
    expect(measurement.check(1, { measure: "pure", epsilon: 1 })).toBe(true);
    expect(measurement.check(1, pure("0.857142857"))).toBe(false);
    expect(measurement.check(0, pure(0))).toBe(true);
    expect(measurement.check(1, pure(Infinity))).toBe(true);
    expect(makeNoisyTopK({ k: 1, measure: "zcdp", scale: 0 }).check(1, zcdp(10 ** 9))).toBe(false);
    expect(makeNoisyTopK({ k: 1, measure: "zcdp", scale: 0 }).check(1, zcdp(Infinity))).toBe(true);
    expect(makeNoisyTopK({ k: 1, measure: "zcdp", scale: 2 }).check(1, zcdp("1/2", "1e-6"))).toBe(true);
  });

  it("refuses distances and losses below 0, and losses in another measure", () => {
    const measurement = makeNoisyTopK({ k: 1, measure: "pure", scale: 1 });
    expectRefused(() => measurement.map(-1), "dIn must be a rational >= 0; got -1");
    expectRefused(
      () => measurement.check(1, { measure: "pure", epsilon: "-2" }),
      'dOut.epsilon must be a rational >= 0, or Infinity; got "-2"',
    );
    expectRefused(
      () => measurement.check(1, zcdp(1) as never),
      'dOut must be a loss in the measure "pure"; got "zcdp"',
    );
    expectRefused(
      () => measurement.map(Number.NaN),
      'dIn must be a rational number such as "1/3", "0.1", "1e-6", 1n or 0.1; got NaN',
    );
  });
});

describe("The domain of makeNoisyTopK", () => {
  const of = (options: Partial<NoisyTopKOptions> = {}) =>
    makeNoisyTopK({ k: 2, measure: "pure", scale: 1, ...options });

  it("is what invoke takes, and nothing else", () => {
    const inputs: [unknown, Partial<NoisyTopKOptions>?][] = [
      [[1, 2]],
      [[1]],
      [[]],
      [[1, Number.NaN]],
      [[1, Infinity]],
      [[1, "2"]],
      [[1n, 10n ** 400n]],
      [new Float32Array(3)],
      [{ a: 1, b: 2 }],
      [new Map([["a", 1]])],
      ["12"],
      [undefined],
      [[1, 2], { resolution: 1 }],
      [[1, 2, 3], { resolution: 1 }],
      [[1], { domain: { size: 9 } }],
      [{ a: 1 }, { domain: { size: 9 } }],
      [[1, 2, 3], { domain: { size: 2 } }],
    ];
    const taken = inputs.map(([input, options]) => {
      const measurement = of(options);
      let isTaken = true;
      try {
        measurement.invoke(input as number[], seededEntropy("domain"));
      } catch {
        isTaken = false;
      }
      expect(measurement.domain.contains(input as number[])).toBe(isTaken);
      return isTaken;
    });
    expect(taken.filter((isTaken) => isTaken)).toHaveLength(5);
  });

  it("doesn't hide a failure of what it is asked about", () => {
    const failing = {
      get a(): number {
        throw new RangeError("the source failed");
      },
    };
    expect(() => of().domain.contains(failing)).toThrow("the source failed");
  });

  it("knows its size beforehand where that is public, and refuses more winners than that at once [Sho25]", () => {
    expect(of({ domain: { size: 9 } }).domain.size).toBe(9);
    expectRefused(() => of({ domain: { size: 1 } }), "k must be an integer from 1 to 1; got 2");
    expectRefused(
      () => of({ domain: { size: 2 }, resolution: 1 }),
      "k must be an integer from 1 to 1 (the last lead needs a runner-up); got 2",
    );
  });
});

describe("A domain of an exact size [Sho25]", () => {
  const whole = { size: 3, isWhole: true };
  const of = (options: Partial<NoisyTopKOptions> = {}) =>
    makeNoisyTopK({ k: 1, measure: "pure", scale: 1, domain: whole, ...options });

  it("contains lists of that size only, by position or by name", () => {
    expect(
      [
        [1, 2, 3],
        [1, 2],
        [1, 2, 3, 4],
      ].map((scores) => of().domain.contains(scores)),
    ).toEqual([true, false, false]);
    expect(of().domain.contains({ a: 1, b: 2, c: 3 })).toBe(true);
    expect(of().domain.contains({ a: 1, b: 2 })).toBe(false);
    expect(of().domain).toMatchObject(whole);
  });

  it("refuses other lists before a bit is drawn, without padding them", () => {
    const message = "scores must be a list of exactly 3 candidates; got 2";
    expectRefused(() => of().invoke([1, 2], replayEntropy("")), message);
    expectRefused(() => of({ k: 0 }).invoke([1, 2], replayEntropy("")), message);
    expect(of().metric.distance([1, 2, 3], [1, 2, 5])).toEqual(rational(2));
  });

  it("may be peeled, and bounds k at once", () => {
    expect(of({ method: "peel", k: 3 }).invoke([9, 5, 900], seededEntropy(1)).winners).toHaveLength(3);
    expectRefused(() => of({ k: 4 }), "k must be an integer from 1 to 3; got 4");
    expectRefused(
      () => of({ domain: { size: 3, isWhole: 1 as never } }),
      "isWhole must be true or false; got 1",
    );
  });
});

describe("The metric of makeNoisyTopK", () => {
  const of = (options: Partial<NoisyTopKOptions> = {}) =>
    makeNoisyTopK({ k: 1, measure: "pure", scale: 1, ...options }).metric;

  it("is the largest change of a score, exactly, also by name", () => {
    expect(String(of().distance([1, 2, 3], [2, 2, 1]))).toBe("2");
    expect(String(of().distance([0.1, 0], [0.3, 0]))).toBe("0.2");
    expect(String(of().distance({ a: 1, b: 5 }, { b: 4, a: 1 }))).toBe("1");
    expect(String(of().distance([10n ** 30n], [10n ** 30n + 1n]))).toBe("1");
    expect(String(of().distance([7], [7]))).toBe("0");
  });

  it("is infinite for other candidates, but a public domain's unlisted ones are zeros", () => {
    expect(of().distance([1, 2], [1, 2, 0])).toBe(Infinity);
    expect(of().distance([1, 2, 0], [1, 2])).toBe(Infinity);
    expect(of().distance({ a: 1 }, { b: 1 })).toBe(Infinity);
    expect(String(of({ domain: { size: 5 } }).distance([1, 2], [1, 2, -4]))).toBe("4");
  });

  it("is infinite where monotone scores would move both ways, and else the same", () => {
    expect(of({ monotone: true }).distance([1, 2], [2, 1])).toBe(Infinity);
    expect(String(of({ monotone: true }).distance([1, 2], [0, 2]))).toBe("1");
    expect(String(of({ monotone: true }).distance([1, 2], [2, 4]))).toBe("2");
  });

  it("refuses what is not in the domain", () => {
    expect(() => of().distance([1, Number.NaN], [1, 2])).toThrow(
      "scores must be finite numbers or bigints (up to 1.79e308) throughout",
    );
  });
});

describe("makeNoisyTopK", () => {
  it("says what it takes, compares and measures", () => {
    const measurement = makeNoisyTopK({ k: 5, measure: "zcdp", scale: 2, monotone: true, negate: false });
    expect(measurement.domain).toMatchObject({ name: "finite scores", size: undefined });
    expect(measurement.metric).toMatchObject({ name: "largest change of a score", monotone: true });
    expect(measurement).toMatchObject({ measure: "zcdp", k: 5, scale: rational(2), negate: false });
  });

  it("peels as topK does, bit for bit, in either measure", () => {
    for (const measure of ["pure", "zcdp"] as const)
      for (let seed = 0; seed < 20; seed++) {
        const peeled = makeNoisyTopK({ k: 3, measure, scale: 2, method: "peel" });
        const options = { k: 3, scale: 2, method: "peel", entropy: seededEntropy(seed) } as const;
        const { winners } = topK([5, 4, 3, 2, 1], options);
        expect(peeled.invoke([5, 4, 3, 2, 1], seededEntropy(seed)).winners).toEqual(winners);
      }
    const exact = makeNoisyTopK({ k: 2, measure: "pure", scale: 0, method: "peel" });
    expect(exact.invoke({ a: 1, b: 2, c: 3 }).winners).toEqual([{ candidate: "c" }, { candidate: "b" }]);
  });

  it("takes the smallest if that is wanted, in one shot also where that is said", () => {
    const smallest = makeNoisyTopK({
      k: 1,
      measure: "pure",
      scale: "1e-6",
      method: "one-shot",
      negate: true,
    });
    expect([smallest.negate, smallest.method]).toEqual([true, "one-shot"]);
    expect(smallest.invoke([3, 1, 2], seededEntropy("least")).winners).toEqual([{ candidate: 1 }]);
  });

  it("answers k = 0 with no winners, no bit and no loss, but refuses what isn't in the domain [Sho25]", () => {
    for (const options of [{}, { measure: "zcdp" }, { method: "peel" }, { domain: { size: 9 } }] as const) {
      const none = makeNoisyTopK({ k: 0, measure: "pure", scale: 2, ...options });
      expect(none.invoke([3, 1], untouched())).toEqual({ winners: [] });
      expect(String(sizeOf(none.map(1)))).toBe("0");
      expect(none.check(1, none.map(0))).toBe(true);
      expect(() => none.invoke([1, Number.NaN], untouched())).toThrow("scores");
    }
    expect(() => topK([3, 1], { k: 0, scale: 1 })).toThrow("k must be an integer >= 1; got 0");
  });

  it("may be invoked again and again, with new noise", () => {
    const measurement = makeNoisyTopK({ k: 1, measure: "pure", scale: 10 });
    const entropy = seededEntropy("again");
    const indices = Array.from(
      { length: 50 },
      () => measurement.invoke([1, 2, 3], entropy).winners[0].candidate,
    );
    expect(new Set(indices)).toEqual(new Set([0, 1, 2]));
  });

  it("releases gaps where a resolution is given, of a domain larger than what is listed too", () => {
    const measurement = makeNoisyTopK({
      k: 2,
      measure: "pure",
      scale: "1e-6",
      resolution: "1/2",
      domain: { size: 10 ** 6 },
    });
    const { winners } = measurement.invoke([50, -3, 20], seededEntropy("gaps"));
    expect(winners.map(({ candidate }) => candidate)).toEqual([0, 2]);
    expect(winners[1].gap!.toNumber()).toBeCloseTo(20, -0.5);
  });

  it("refuses what is no measurement, before a bit is drawn", () => {
    const make = (options: Partial<Record<keyof NoisyTopKOptions, unknown>>) => () =>
      makeNoisyTopK({ k: 1, measure: "pure", scale: 1, ...options } as NoisyTopKOptions);
    expectRefused(make({ k: -1 }), "k must be an integer >= 0; got -1");
    expectRefused(make({ measure: "renyi" }), 'measure must be "pure" or "zcdp"; got "renyi"');
    expectRefused(make({ scale: "-1" }), 'scale must be a rational >= 0; got "-1"');
    expectRefused(
      make({ scale: "1e300" }),
      `scale must be a rational from 1e-270 to 1e270; got 1${"0".repeat(59)}… (301 characters)`,
    );
    expectRefused(make({ resolution: 0 }), "resolution must be a rational > 0; got 0");
    expectRefused(
      make({ measure: "zcdp", resolution: 1 }),
      'resolution must be absent with measure "zcdp", because only exponential noise covers gaps; got 1',
    );
    expectRefused(
      make({ method: "peel", resolution: 1 }),
      'method must be "one-shot" with a resolution; got "peel"',
    );
    expectRefused(
      make({ method: "peel", domain: { size: 9 } }),
      'method must be "one-shot" with a domain; got "peel"',
    );
    expectRefused(make({ domain: { size: -1 } }), "size must be an integer >= 1; got -1");
    const three = makeNoisyTopK({ k: 3, measure: "pure", scale: 1, resolution: 1 });
    expectRefused(
      () => three.invoke([1, 2, 3], untouched()),
      "k must be an integer from 1 to 2 (the last lead needs a runner-up); got 3",
    );
    expectRefused(
      () => three.invoke([1], untouched()),
      "scores must be a list of 2 or more candidates; got 1",
    );
  });
});
