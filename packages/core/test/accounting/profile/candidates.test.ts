import { describe, expect, it } from "vitest";
import { convert } from "../../../src/accounting/convert.js";
import { pureCurve, renyi, zcdpCurve } from "../../../src/accounting/curve.js";
import { approx, base2, type Loss, pure, zcdp } from "../../../src/accounting/loss.js";
import {
  lossOfChoice,
  lossOfPoissonBest,
  poissonBound,
  ruleOfBest,
  ruleOfFirstAbove,
} from "../../../src/accounting/profile/candidates.js";
import * as curves from "../../../src/accounting/renyi-curve.js";
import { Interval } from "../../../src/exact/interval.js";
import { type Rational, type RationalLike, rational } from "../../../src/exact/rational.js";
import { vectors } from "../../support/set-vectors.js";

const best = (eta: RationalLike, gamma: RationalLike) =>
  ruleOfBest({ law: "truncated-negative-binomial", eta: rational(eta), gamma: rational(gamma) });
const firstAbove = (stop: RationalLike) => ruleOfFirstAbove(rational(stop));

type Given = Readonly<Record<string, string>>;

function of(fn: string) {
  return vectors.candidate_accounting
    .filter((vector) => vector.fn === fn)
    .map((vector) => ({ ...vector, args: vector.args as unknown as Given, value: vector.value as string }));
}

/** At least the value, up to the rounding of its last digit, and at most a billionth more. */
function expectTight(bound: RationalLike, value: string) {
  expect(rational(bound).compare(rational(value).times("0.999999999999999999999999999"))).not.toBe(-1);
  expect(rational(bound).compare(rational(value).times("1.000000001"))).toBe(-1);
}

describe("The loss of the best of K runs", () => {
  it.each(of("tnb_pure_tight"))("is exact for pure runs: $args", ({ args, value }) => {
    const loss = lossOfChoice(pure(args.epsilon), best(args.eta, args.gamma));
    expectTight(convert(loss, { to: "pure" }).epsilon as Rational, value);
  });

  it.each(of("tnb_pure"))("is below the simple form: $args", ({ args, value }) => {
    const loss = lossOfChoice(pure(args.epsilon), best(args.eta, "1e-6")) as Loss & { epsilon: Rational };
    expect(loss.epsilon.compare(value)).toBe(-1);
    expect(loss.epsilon.compare(rational(value).times("0.99"))).toBe(1);
  });

  it.each(of("tnb_renyi_zcdp"))("is the curve for zCDP runs: $args", ({ args, value }) => {
    const loss = lossOfChoice(zcdp(args.rho), best(args.eta, args.gamma));
    expectTight((loss as Loss & { measure: "renyi" }).curve.at(args.alpha), value);
  });

  it.each(of("tnb_renyi"))("is not above the curve at one order of the runs: $args", ({ args, value }) => {
    // A curve with these two values and the least slope through them.
    const { epsilon_alpha, epsilon_hat, alpha, hat_alpha } = args;
    const formula = (order: Rational) =>
      order.compare(alpha) <= 0
        ? rational(epsilon_alpha)
        : order.compare(hat_alpha) <= 0
          ? rational(epsilon_hat)
          : rational(100);
    const { RenyiCurve } = curves;
    const loss = lossOfChoice(renyi(RenyiCurve.of(formula)), best(args.eta, args.gamma));
    const bound = (loss as Loss & { measure: "renyi" }).curve.at(alpha);
    expect(bound.toNumber()).toBeLessThan(rational(value).toNumber() * 1.03);
    expect(bound.toNumber()).toBeGreaterThan(rational(value).toNumber() * 0.7);
  });

  it.each(of("poisson_renyi"))("is the curve for a Poisson number: $args", ({ args, value }) => {
    const alpha = rational(args.alpha);
    const bound = poissonBound(
      Interval.from(args.epsilon_alpha, 200),
      rational(args.delta_hat),
      rational(args.mean),
      alpha.minus(1n),
      200,
    );
    expectTight(bound.upper(), value);
  });

  it("is ε + μ·tanh(ε/2) for pure runs and a Poisson number", () => {
    const loss = lossOfPoissonBest(pure(1), rational(3));
    expectTight((loss as Loss & { epsilon: Rational }).epsilon, "2.386351471780029277");
  });

  it("takes the least ε̂ that the condition allows for (ε, δ) runs", () => {
    const { args, epsilon } = vectors.candidate_accounting.filter(
      ({ fn }) => fn === "tnb_profile",
    )[0] as unknown as {
      args: Given;
      epsilon: string;
    };
    // (1 − γ)·δ ≤ γ(e^ε − 1) holds by far, so ε̂ = ε.
    const loss = lossOfChoice(approx(args.epsilon1, args.delta1), best(args.eta, args.gamma));
    const { epsilon: total, delta } = loss as Loss & { measure: "approx"; epsilon: Rational };
    expect(total.toString()).toBe("2");
    expectTight(delta, "1.252548871313124125536659778e-5");
    expect(rational(total).compare(epsilon)).toBe(1);
    // And where it doesn't hold at ε = 1/10, δ = 1/10, γ = 1/10, ε̂ grows to ln(1.9).
    const tight = lossOfChoice(approx("1/10", "1/10"), best(1, "1/10")) as Loss & { epsilon: Rational };
    expectTight(tight.epsilon, "1.38370777234478");
  });

  it("is smaller by the profile where a δ is asked for", () => {
    const [sigma5, delta] = [zcdp("1/50"), rational("1e-6")];
    const rule = best(1, "1/10"); // E[K] = 10
    const profile = lossOfChoice(sigma5, rule, delta) as Loss & { epsilon: Rational; delta: Rational };
    const curve = convert(lossOfChoice(sigma5, rule), { to: "approx", delta: "1e-6" });
    expect(profile.delta.compare("1e-6")).not.toBe(1);
    expect(profile.epsilon.compare(curve.epsilon)).toBe(-1);
    expect(profile.epsilon.toNumber()).toBeLessThan(1.5); // 1.29 with the exact profile of Gaussian noise
  });

  it("covers failures of the runs, E[K] times", () => {
    const loss = lossOfChoice(zcdp("1/8", "1e-6"), best(1, "1/10")) as Loss & { measure: "renyi" };
    expectTight(loss.delta!, "1e-5");
  });
});

describe("The loss of the first above a threshold", () => {
  it.each(of("first_above_pure_tight"))("is exact for pure runs: $args", ({ args, value }) => {
    const loss = lossOfChoice(pure(args.epsilon), firstAbove(args.gamma));
    expectTight((loss as Loss & { epsilon: Rational }).epsilon, value);
  });

  it("has no price in zCDP for runs with a δ, unless a δ is asked for", () => {
    expect(() => lossOfChoice(zcdp("1/8", "1e-9"), firstAbove("1/10"))).toThrow("loss must be without a δ");
    const loss = lossOfChoice(zcdp("1/8", "1e-9"), firstAbove("1/10"), rational("1e-6"));
    expect(loss.measure).toBe("approx");
  });
});

describe("The loss of a choice", () => {
  it("is never below that of a run, in every measure", () => {
    for (const rule of [best("-1/2", "1/100"), best(0, "1/3"), best(5, "1/2"), firstAbove("9/10")]) {
      for (const epsilon of ["1e-9", "1/3", "40", "5000"])
        expect(
          (lossOfChoice(pure(epsilon), rule) as Loss & { epsilon: Rational }).epsilon.compare(epsilon),
        ).not.toBe(-1);
      for (const curve of [zcdpCurve("1/50"), pureCurve(1)])
        for (const alpha of ["1.01", "2", "64"])
          expect(
            (lossOfChoice(renyi(curve), rule) as Loss & { measure: "renyi" }).curve
              .at(alpha)
              .compare(curve.at(alpha)),
          ).not.toBe(-1);
    }
  });

  it("is unbounded for unbounded runs, and in base 2 that of the same ε", () => {
    expect(lossOfChoice(pure(Infinity), best(1, "1/2"))).toEqual(pure(Infinity));
    expect(lossOfPoissonBest(zcdp(Infinity), rational(1))).toEqual(pure(Infinity));
    const natural = convert(base2(1), { to: "pure" });
    expect(lossOfChoice(base2(1), best(1, "1/2"))).toEqual(lossOfChoice(natural, best(1, "1/2")));
  });
});
