/**
 * A budget as it is given on the command line: exactly one of --epsilon, --rho and --eta, in exact numbers.
 * @module
 */
import { rational } from "winnow-dp";
import { type BudgetJson, readBudget } from "winnow-release";
import { Refusal } from "../refusal.js";

export interface BudgetOptions {
  readonly epsilon?: string;
  readonly rho?: string;
  readonly eta?: string;
  readonly delta?: string;
  readonly order?: string;
}

export function readBudgetOptions(options: BudgetOptions): BudgetJson {
  const { epsilon, rho, eta, order } = options;
  if ([epsilon, rho, eta].filter((size) => size !== undefined).length !== 1)
    throw new Refusal("usage", "A budget needs exactly one of --epsilon, --rho and --eta.");
  if (order !== undefined && epsilon === undefined)
    throw new Refusal(
      "usage",
      "--order needs --epsilon beside it, because a Rényi budget is an epsilon at one order.",
    );
  if (eta !== undefined && options.delta !== undefined)
    throw new Refusal("usage", "--delta needs --epsilon or --rho beside it; got --eta.");
  const budget = budgetOf(options);
  readBudget(budget); // whatever else is wrong with it is said before a ledger is touched
  return budget;
}

function budgetOf({ epsilon, rho, eta, delta, order }: BudgetOptions): BudgetJson {
  const failure = delta === undefined ? undefined : { delta: chance(delta) };
  if (rho !== undefined) return { measure: "zcdp", rho: above(0n, "rho", rho), ...failure };
  if (eta !== undefined) return { measure: "base2", eta: above(0n, "eta", eta) };
  const size = { epsilon: above(0n, "epsilon", epsilon ?? "") };
  if (order !== undefined) return { measure: "renyi", order: above(1n, "order", order), ...size, ...failure };
  return failure === undefined ? { measure: "pure", ...size } : { measure: "approx", ...size, ...failure };
}

/** One text for one number, so that equal budgets are equal. */
function above(bound: bigint, option: string, text: string): string {
  const size = rational(text, option);
  if (size.compare(bound) <= 0)
    throw new Refusal("usage", `--${option} must be a rational > ${bound}; got ${JSON.stringify(text)}.`);
  return String(size);
}

function chance(text: string): string {
  const delta = rational(text, "delta");
  if (delta.compare(0n) <= 0 || delta.compare(1n) >= 0)
    throw new Refusal(
      "usage",
      `--delta must be a rational above 0 and below 1; got ${JSON.stringify(text)}.`,
    );
  return String(delta);
}
