/** Every figure of the vectors that an experiment prints, by the function that prints it. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { discreteGaussianTail } from "winnow-audit";
import { rational } from "winnow-dp";
import { ratioBound } from "../src/base2/rounding-ratio.js";
import { epsilonOf, rhoFor, rhoInSource } from "../src/stable-topk/label-baselines.js";
import { failure, laplaceTail, neededGap, stableTail } from "../src/stable-topk/needed-gaps.js";

interface Figure {
  readonly fn: string;
  readonly args: Readonly<Record<string, string | number>>;
  readonly value: string;
}

const file = new URL("../../packages/core/test/vectors-more.json", import.meta.url);
const { accounting2 } = JSON.parse(readFileSync(file, "utf8")) as { accounting2: readonly Figure[] };

const number = (value: string | number) => rational(value).toNumber();
const cut = (tau: string | number, labels: string | number) => Math.min(2 * number(tau), number(labels));

/** P(a set with this gap is not released) for a threshold λ. */
function failureWith(rho: string | number, lambda: string | number, gap: string | number): number {
  return 1 - stableTail(rho)(number(lambda) - (number(gap) - 1)).toNumber("down");
}

const FIGURES: Readonly<Record<string, (args: Figure["args"]) => number>> = {
  pate_multilabel_rho: ({ labels, sigma }) => rhoFor(number(labels), number(sigma)),
  pate_multilabel_epsilon_simple: ({ labels, sigma }) => epsilonOf(rhoFor(number(labels), number(sigma))),
  pate_tau_rho_replace: ({ tau, labels, sigma }) => rhoFor(cut(tau, labels), number(sigma)),
  pate_tau_epsilon_simple: ({ tau, labels, sigma }) => epsilonOf(rhoFor(cut(tau, labels), number(sigma))),
  pate_tau_rho_remove: ({ tau, sigma }) => rhoFor(number(tau), number(sigma)),
  pate_tau_rho_as_in_private_knn: ({ tau, sigma }) => rhoInSource(number(tau), number(sigma)),
  ptr_laplace_least_gap: ({ epsilon, delta, beta }) => neededGap(laplaceTail(epsilon), delta, beta),
  ptr_gaussian_least_gap: ({ sigma2, delta, beta }) => neededGap(discreteGaussianTail(sigma2), delta, beta),
  thm11_failure_at_claimed_gap: ({ rho, delta_t, gap }) => failure(stableTail(rho), delta_t, number(gap)),
  thm11_failure_with_rounded_lambda: ({ rho, lam, gap }) => failureWith(rho, lam, gap),
  thm11_exact_sufficient_gap: ({ rho, delta_t }) => neededGap(stableTail(rho), delta_t, delta_t),
  rounding_lnM: ({ rate }) => ratioBound(number(rate)) / 2,
};

const shown = accounting2.filter(({ fn }) => /^(?:pate|ptr|thm11|rounding)_/.test(fn));

describe("the published figures", () => {
  it("all have a function here", () => {
    expect([...new Set(shown.map(({ fn }) => fn))].sort()).toEqual(Object.keys(FIGURES).sort());
  });

  it.each(shown)("$fn of $args is $value", ({ fn, args, value }) => {
    const [found, published] = [FIGURES[fn](args), Number(value)];
    // A small probability is the difference of 1 and a double.
    expect(Math.abs(found - published)).toBeLessThanOrEqual(1e-9 * published + 1e-15);
  });
});
