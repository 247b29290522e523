/** Conversions, compositions, calibrations, curves and budgets over a grid, as exact texts. */

import { describe } from "vitest";
import { epsilonOfBase2 } from "../../src/accounting/base2-parameter.js";
import { epsilonAtMost } from "../../src/accounting/calibrate.js";
import { gaussianMaxCurve } from "../../src/accounting/noisy-max-curve.js";
import * as core from "../../src/index.js";
import { type FrozenCases, frozen } from "../support/frozen.js";

const { approx, base2, eta, pure, renyi, zcdp } = core;

const CURVES: Readonly<Record<string, () => core.RenyiCurve>> = {
  "pureCurve 1/3": () => core.pureCurve("1/3"),
  "zcdpCurve 1/8": () => core.zcdpCurve("1/8"),
  "boundedRangeCurve 1": () => core.boundedRangeCurve(1),
  "gaussianCurve 4": () => core.gaussianCurve({ variance: 4 }),
  "gaussianCurve 9, sensitivity 2": () => core.gaussianCurve({ variance: 9, sensitivity: 2 }),
  gaussianMaxCurve: () => gaussianMaxCurve({ maxCandidates: 5, distance: 2, variance: 9 }),
  noisyMaxCurve: () => core.noisyMaxCurve(core.gaussianCurve({ variance: 4 }), 3),
  sum: () => core.gaussianCurve({ variance: 4 }).times(3).plus(core.pureCurve("1/2")),
  least: () => core.pureCurve("1/2").min(core.zcdpCurve("1/8")),
};

const LOSSES: Readonly<Record<string, () => core.Loss>> = {
  "pure 1": () => pure(1),
  "pure 1/3": () => pure("1/3"),
  "pure ∞": () => pure(Infinity),
  "base2 1/2": () => base2("1/2"),
  "base2 of η(15, 4)": () => core.base2LossOf(eta(15, 4)),
  "zcdp 1/8": () => zcdp("1/8"),
  "zcdp 1/8 with δ": () => zcdp("1/8", "1e-8"),
  "renyi, Gaussian": () => renyi(core.gaussianCurve({ variance: 4 })),
  "renyi, bounded range with δ": () => renyi(core.boundedRangeCurve(1), "1e-8"),
  "approx 1": () => approx(1, "1e-6"),
  "zcdpOfBoundedRange 1": () => zcdp(core.boundedRangeCurve(1).rho),
};

const ORDERS = ["1.01", "3/2", 2, 7, 64, 1000];
const cases: Record<string, () => unknown> = {};

for (const [name, curve] of Object.entries(CURVES))
  cases[name] = () => ({
    bounds: [curve().rho, curve().epsilon].map(String),
    up: ORDERS.map((order) => curve().at(order)),
    down: curve().at("3/2", "down"),
  });

const TARGETS = {
  pure: { to: "pure" },
  base2: { to: "base2" },
  zcdp: { to: "zcdp" },
  renyi: { to: "renyi" },
  "approx at δ 1e-6": { to: "approx", delta: "1e-6" },
  "approx at δ 1e-6, simple": { to: "approx", delta: "1e-6", conversion: "simple" },
  "approx at ε 2": { to: "approx", epsilon: 2 },
} as const;

for (const [name, loss] of Object.entries(LOSSES)) {
  cases[`${name}, read and told`] = () => {
    const json = loss().measure === "renyi" ? undefined : core.lossToJson(loss());
    return {
      json,
      isReadBack:
        json !== undefined && core.describeLoss(core.lossFromJson(json)) === core.describeLoss(loss()),
      up: core.describeLoss(loss()),
      down: core.describeLoss(loss(), { rounding: "down" }),
    };
  };
  for (const [target, options] of Object.entries(TARGETS))
    cases[`${name} to ${target}`] = () => toldLoss(core.convert(loss(), options));
  cases[`${name}, seven times`] = () => toldLoss(core.repeat(loss(), 7));
  for (const [other, second] of Object.entries(LOSSES))
    cases[`${name} and ${other}`] = () => toldLoss(core.compose(loss(), second()));
}

/** A loss as JSON; of a curve its values. */
function toldLoss(loss: core.Loss): unknown {
  return loss.measure === "renyi"
    ? { delta: loss.delta, at: ORDERS.map((order) => loss.curve.at(order)) }
    : loss;
}

const EPSILONS = ["0.01", "1/3", 1, 5];
const DELTAS = ["1e-12", "1e-6", "1/50"];
const grid = <A, B>(first: readonly A[], second: readonly B[], ask: (a: A, b: B) => unknown) =>
  first.map((a) => second.map((b) => ask(a, b)));

const CALIBRATIONS: FrozenCases = {
  rhoAtMost: () => grid(EPSILONS, DELTAS, (epsilon, delta) => core.rhoAtMost({ epsilon, delta })),
  "rhoAtMost, simple": () =>
    grid(EPSILONS, DELTAS, (epsilon, delta) => core.rhoAtMost({ epsilon, delta }, { conversion: "simple" })),
  epsilonAtMost: () => grid(EPSILONS, [1, 3, 10], (rho, times) => epsilonAtMost(rho, { rounds: times })),
  "epsilonAtMost, bounded range": () =>
    grid(EPSILONS, [1, 3], (rho, times) => epsilonAtMost(rho, { rounds: times, class: "bounded-range" })),
  "scaleAtLeast, pure": () =>
    grid(EPSILONS, [1, 3], (epsilon, times) =>
      core.scaleAtLeast(pure(epsilon), { distance: 2, rounds: times }),
    ),
  "scaleAtLeast, zCDP": () =>
    grid(EPSILONS, [1, 3], (rho, times) => core.scaleAtLeast(zcdp(rho), { distance: 2, rounds: times })),
  "scaleAtLeast, zCDP, bounded range": () =>
    grid(EPSILONS, [1, 3], (rho, times) =>
      core.scaleAtLeast(zcdp(rho), { distance: 1, rounds: times, class: "bounded-range" }),
    ),
  "varianceAtLeast, zCDP": () =>
    grid(EPSILONS, [1, 3], (rho, times) =>
      core.varianceAtLeast(zcdp(rho), { sensitivity: 2, rounds: times }),
    ),
  "varianceAtLeast, approx": () =>
    grid(EPSILONS, DELTAS, (epsilon, delta) => core.varianceAtLeast(approx(epsilon, delta))),
  "varianceAtLeast, approx, simple": () =>
    grid(EPSILONS, DELTAS, (epsilon, delta) =>
      core.varianceAtLeast(approx(epsilon, delta), { conversion: "simple" }),
    ),
  "varianceAtLeast, approx, optimal": () =>
    grid(EPSILONS, DELTAS, (epsilon, delta) =>
      core.varianceAtLeast(approx(epsilon, delta), { conversion: "optimal", rounds: 2 }),
    ),
  "gaussianToApprox at δ": () =>
    grid(EPSILONS, DELTAS, (rho, delta) => core.gaussianToApprox(rho, { delta }).epsilon),
  "gaussianToApprox at ε": () =>
    grid(EPSILONS, [1, 4], (rho, epsilon) => core.gaussianToApprox(rho, { epsilon }).delta),
  zcdpOfBoundedRange: () => EPSILONS.map((epsilon) => zcdp(core.boundedRangeCurve(epsilon).rho)),
  etaAtMost: () =>
    grid(EPSILONS, [{}, { monotone: true }, { sensitivity: 3 }, { y: 8, z: 3 }], (epsilon, options) => {
      const parameter = core.etaAtMost(epsilon, options);
      const { x, y, z } = parameter;
      return [[x, y, z].join(" "), parameter.eta, parameter.epsilon];
    }),
  epsilonOfBase2: () =>
    grid(
      [eta(1, 1), eta(15, 4), eta(3, 2, 5)],
      [{}, { monotone: true }, { sensitivity: 2 }],
      (given, options) => [epsilonOfBase2(given, options), core.base2LossOf(given, options)],
    ),
  noisyMaxLoss: () =>
    grid(
      [
        { noise: "exponential", scale: 3 },
        { noise: "laplace", scale: 3 },
        { noise: "gumbel", scale: 3 },
        { noise: "gaussian", variance: 9, maxCandidates: 5 },
      ] as const,
      [{}, { monotone: true }, { sensitivity: "5/2" }],
      (noise, options) => {
        const { renyi: curve, ...losses } = core.noisyMaxLoss({ ...noise, ...options });
        return { ...losses, renyi: curve === undefined ? undefined : toldLoss(curve) };
      },
    ),
};

/** What a budget says after each step. */
function told(
  limit: core.LossLike,
  steps: (budget: core.Budget) => Iterable<unknown>,
  options = {},
): unknown {
  const budget = new core.Budget(limit, options);
  return Array.from(steps(budget), (step) => ({
    step,
    spent: toldLoss(budget.spent),
    reserved: toldLoss(budget.reserved),
    remaining: toldLoss(budget.remaining),
  }));
}

/** The code of a refused charge. */
function attempt(charge: () => unknown): unknown {
  try {
    return charge();
  } catch (error) {
    return (error as core.WinnowError).code;
  }
}

const counted = ({ loss, counted: as, label }: core.Charge) => ({
  loss: toldLoss(loss),
  counted: toldLoss(as),
  label,
});

const LIMITS: Readonly<Record<string, core.LossLike>> = {
  "pure 3": pure(3),
  "zcdp 1/2": zcdp("1/2"),
  "zcdp 2 with δ": zcdp(2, "1e-5"),
  "approx 3, 1e-5": approx(3, "1e-5"),
};
const SPENT: Readonly<Record<string, core.LossLike>> = {
  pure: pure("1/2"),
  base2: base2("1/4"),
  zcdp: zcdp("1/16"),
  renyi: renyi(core.gaussianCurve({ variance: 16 })),
  approx: approx("1/2", "1e-7"),
  "zcdp with δ": zcdp("1/16", "1e-7"),
};

const BUDGETS: Record<string, () => unknown> = {};
for (const [limit, whole] of Object.entries(LIMITS)) {
  for (const [loss, part] of Object.entries(SPENT)) {
    BUDGETS[`${limit}: ${loss}, charged and settled`] = () =>
      told(whole, function* (budget) {
        yield { admits: budget.admits(part), times: budget.admitsTimes(part) };
        yield attempt(() => counted(budget.charge(part, "first")));
        const reservation = attempt(() => budget.reserve(part, "second"));
        yield typeof reservation === "string" ? reservation : counted(reservation as core.Charge);
        if (typeof reservation !== "string")
          yield attempt(() => counted(budget.settle(reservation as core.Reservation)));
      });
  }
  BUDGETS[`${limit}: all, one after the other`] = () =>
    told(whole, function* (budget) {
      for (const part of Object.values(SPENT)) yield attempt(() => counted(budget.charge(part)));
    });
  BUDGETS[`${limit}: settled for less`] = () =>
    told(whole, function* (budget) {
      const reservation = budget.reserve(pure("1/2"), "names");
      yield counted(reservation);
      yield attempt(() => counted(budget.charge(pure("1/4"))));
      yield attempt(() => counted(budget.settle(reservation, pure("1/3"))));
      yield { times: budget.admitsTimes(pure("1/4")) };
    });
}
BUDGETS["renyi, at given orders"] = () =>
  told(
    renyi(core.zcdpCurve(1)),
    function* (budget) {
      yield counted(budget.charge(zcdp("1/16")));
      yield counted(budget.charge(renyi(core.gaussianCurve({ variance: 16 }))));
    },
    { orders: [2, 8, 32] },
  );

describe("a loss", () => {
  frozen(new URL("losses.json", import.meta.url), cases);
});

describe("a calibration", () => {
  frozen(new URL("calibrations.json", import.meta.url), CALIBRATIONS);
});

describe("a budget", () => {
  frozen(new URL("budgets.json", import.meta.url), BUDGETS);
});
