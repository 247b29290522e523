/** Every accounting vector: a loss is at least the true value and at most 10⁻⁹ above it, a budget the reverse. */

import { describe, expect, it } from "vitest";
import { epsilonOfBase2 } from "../../src/accounting/base2-parameter.js";
import { epsilonAtOrder } from "../../src/accounting/curve-to-approx.js";
import { rhoOfRounds } from "../../src/accounting/price.js";
import { type Rational, rational } from "../../src/exact/rational.js";
import {
  boundedRangeCurve,
  compose,
  convert,
  eta,
  etaAtMost,
  gaussianCurve,
  gaussianToApprox,
  noisyMaxCurve,
  pure,
  pureCurve,
  renyi,
  repeat,
  rhoAtMost,
  zcdp,
  zcdpCurve,
} from "../../src/index.js";
import { type AccountingVector, vectors } from "../support/vectors.js";

type Arguments = Readonly<Record<string, string & number & boolean>>;

/** The loss of T PATE queries: noisy max with Gaussian noise chooses k, a Gaussian test releases. */
function pateLoss({ T, sigma1, sigma, outcomes, delta_t }: Arguments) {
  const square = (value: string) => rational(value).times(value);
  const choose = noisyMaxCurve(gaussianCurve({ sensitivity: 2, variance: square(sigma1) }), outcomes);
  const test = gaussianCurve({ variance: square(sigma) });
  return repeat(compose(renyi(choose), renyi(test, delta_t)), T);
}

function rangeOverScale({ d_in, scale, monotone }: Arguments): Rational {
  return rational(d_in)
    .times(monotone ? 1 : 2)
    .dividedBy(scale);
}

function atOrder({ rdp, alpha, delta }: Arguments, method: "simple" | "optimal"): Rational {
  const curve = zcdpCurve(rational(rdp).dividedBy(alpha)); // a line through the one point that is given
  return epsilonAtOrder(curve, rational(alpha), rational(delta), method);
}

const FUNCTIONS: Readonly<Record<string, (args: Arguments) => unknown>> = {
  eta_from_xyz: ({ x, y, z }) => eta(x, y, z).eta,
  eps_from_xyz: ({ x, y, z, sens, monotone }) =>
    epsilonOfBase2(eta(x, y, z), { sensitivity: sens, monotone }),
  x_from_eps_general_sens1: ({ eps, y, z }) => etaAtMost(eps, { y, z }).x,
  // What mechanisms state; conversions charge less, and have vectors of their own (tight-prices.test.ts).
  rho_from_pure: ({ eps }) => rhoOfRounds(rational(eps), "pure"),
  rho_from_bounded_range: ({ eps }) => rhoOfRounds(rational(eps), "bounded-range"),
  rdp_from_pure: ({ eps, alpha }) => pureCurve(eps).at(alpha),
  rdp_bounded_range_tight: ({ eps, alpha }) => boundedRangeCurve(eps).at(alpha),
  eps_from_zcdp_simple: ({ rho, delta }) =>
    convert(zcdp(rho), { to: "approx", delta, conversion: "simple" }).epsilon,
  eps_from_zcdp_optimal: ({ rho, delta }) => convert(zcdp(rho), { to: "approx", delta }).epsilon,
  eps_gaussian_exact: ({ rho, delta }) => gaussianToApprox(rho, { delta }).epsilon,
  rho_from_eps_simple: ({ eps, delta }) => rhoAtMost({ epsilon: eps, delta }, { conversion: "simple" }),
  eps_from_rdp_basic: (args) => atOrder(args, "simple"),
  eps_from_rdp_improved: (args) => atOrder(args, "optimal"),
  topk_map_pure: (args) => repeat(pure(rangeOverScale(args)), args.k).epsilon,
  topk_map_zcdp_gumbel: (args) => rhoOfRounds(rangeOverScale(args), "bounded-range", args.k),
  topk_map_zcdp_pf_peel: (args) => rhoOfRounds(rangeOverScale(args), "pure", args.k),
  pate_stable_gauss_basic: (args) =>
    convert(pateLoss(args), { to: "approx", delta: args.delta, conversion: "simple" }).epsilon,
  pate_stable_gauss_improved: (args) => convert(pateLoss(args), { to: "approx", delta: args.delta }).epsilon,
  pate_rdp_at_alpha: (args) => pateLoss(args).curve.at(args.alpha),
};

const isBudget = ({ fn }: AccountingVector) => fn.startsWith("rho_from_eps");
const isExact = ({ fn }: AccountingVector) => fn.startsWith("x_from_eps");
const nameOf = ({ fn, args }: AccountingVector) => `${fn}(${JSON.stringify(args)})`;
const computed = ({ fn, args }: AccountingVector) => rational(FUNCTIONS[fn](args as Arguments) as Rational);

const named = vectors.accounting.map((vector) => ({ name: nameOf(vector), vector }));

describe("the accounting vectors", () => {
  it("are 81, and each has its function here", () => {
    expect(vectors.accounting).toHaveLength(81);
    expect(new Set(vectors.accounting.map(({ fn }) => fn))).toEqual(new Set(Object.keys(FUNCTIONS)));
  });

  it.each(named.filter(({ vector }) => !isBudget(vector) && !isExact(vector)))(
    "$name is not below the truth and at most 1e-9 above it",
    ({ vector }) => {
      const [value, truth] = [computed(vector), rational(vector.value)];
      expect(value.compare(truth.times(rational(1).minus("1e-27")))).toBeGreaterThanOrEqual(0);
      expect(value.compare(truth.times(rational(1).plus("1e-9")))).toBeLessThanOrEqual(0);
    },
  );

  it.each(named.filter(({ vector }) => isBudget(vector)))(
    "$name is not above the truth and at most 1e-9 below it",
    ({ vector }) => {
      const [value, truth] = [computed(vector), rational(vector.value)];
      expect(value.compare(truth.times(rational(1).plus("1e-27")))).toBeLessThanOrEqual(0);
      expect(value.compare(truth.times(rational(1).minus("1e-9")))).toBeGreaterThanOrEqual(0);
    },
  );

  it.each(named.filter(({ vector }) => isExact(vector)))("$name is exact", ({ vector }) => {
    expect(String(computed(vector))).toBe(vector.value);
  });
});
