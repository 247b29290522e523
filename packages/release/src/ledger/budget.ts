/**
 * Budgets and totals: the limit of a data set as exact JSON, that limit after the charges of a log, and the total cost
 * of releases where there is no budget.
 *
 * A budget is a limit in one measure. A Rényi budget is a limit ε at one order α, given in advance; all other budgets
 * are written like losses.
 *
 * Without a budget nothing says in which measure to count, so there are two totals. Both hold even if later releases
 * were chosen after looking at earlier answers; they are two bounds on the same thing, not parts of it. The first is
 * in the strongest measure that can express all of the losses (`compose`). The second is in zCDP, which can always
 * express them and is smaller for many small losses: ε-DP counts as ρ = ε²/2, and (ε, δ)-DP keeps its δ.
 * @module
 */
import {
  Budget,
  compose,
  convert,
  type Loss,
  type LossJson,
  lossFromJson,
  pure,
  type Rational,
  rational,
  renyi,
  WinnowError,
  zcdpCurve,
} from "winnow-dp";

export type BudgetJson =
  | LossJson
  | { readonly measure: "renyi"; readonly order: string; readonly epsilon: string; readonly delta?: string };

/** A limit, and the orders at which it holds if it is a Rényi budget. */
export interface BudgetLimit {
  readonly loss: Loss;
  readonly orders: readonly Rational[];
}

/** Reads a budget; one that promises nothing, or admits nothing, is refused. */
export function readBudget(json: BudgetJson): BudgetLimit {
  const limit = json.measure === "renyi" ? renyiLimit(json) : { loss: lossFromJson(json), orders: [] };
  if (json.measure !== "renyi" && !sizeOf(json).every(isPositive)) throw noBudget();
  // With probability 1 anything may happen.
  if ("delta" in json && json.delta !== undefined && rational(json.delta, "delta").compare(1n) >= 0)
    throw noBudget();
  return limit;
}

/** An empty budget with that limit. */
export function budgetOf({ loss, orders }: BudgetLimit): Budget {
  return new Budget(loss, orders.length === 0 ? {} : { orders });
}

/** The line through (α, ε): it is only ever evaluated at α. */
function renyiLimit({ order, epsilon, delta }: BudgetJson & { measure: "renyi" }): BudgetLimit {
  const [alpha, size] = [rational(order, "order"), rational(epsilon, "epsilon")];
  if (alpha.compare(1n) <= 0 || size.compare(0n) <= 0) throw noBudget();
  return { loss: renyi(zcdpCurve(size.dividedBy(alpha)), delta ?? 0n), orders: [alpha] };
}

function sizeOf(json: LossJson): string[] {
  switch (json.measure) {
    case "base2":
      return [json.eta];
    case "zcdp":
      return [json.rho];
    default:
      return [json.epsilon];
  }
}

function isPositive(text: string): boolean {
  return text !== "Infinity" && rational(text, "budget").compare(0n) > 0;
}

function noBudget(): WinnowError {
  const expected =
    "a finite limit > 0 in one measure, with a delta < 1 if it has one (for a Rényi budget at an order > 1)";
  return new WinnowError("invalid-parameter", `budget must be ${expected}`, { field: "budget", expected });
}

/** The budget with all of the losses charged, or the error of the first that it does not admit. */
export function spend(limit: BudgetLimit, losses: readonly Loss[]): Budget | WinnowError {
  const budget = budgetOf(limit);
  const counted = new Map<Loss, Loss>();
  for (const loss of losses) {
    const refusal = refusalOf(() => {
      if (!counted.has(loss)) counted.set(loss, inMeasureOf(limit, loss));
      budget.charge(counted.get(loss) ?? loss);
    });
    if (refusal !== undefined) return refusal;
  }
  return budget;
}

/** The error with which core refuses a charge, if it does. */
export function refusalOf(charge: () => void): WinnowError | undefined {
  try {
    charge();
    return undefined;
  } catch (error) {
    if (error instanceof WinnowError) return error;
    throw error;
  }
}

/** Equal losses get the same Rényi curve: a curve then counts how often, instead of adding a formula each time. */
function inMeasureOf({ loss: { measure } }: BudgetLimit, loss: Loss): Loss {
  return measure === "renyi" ? convert(loss, { to: "renyi" }) : loss;
}

/** ε = 0 for nothing. */
export function totalsOf(losses: readonly Loss[]): readonly [Loss, ...Loss[]] {
  if (losses.length === 0) return [pure(0n)];
  const total = compose(...losses);
  if (total.measure === "zcdp") return [total];
  return [total, compose(...losses.map((loss) => convert(loss, { to: "zcdp" })))];
}

/** "about 7 more releases like this"; undefined times (no budget) has no words. */
export function moreReleases(times: number, like = "this"): string {
  if (times === 0) return `no more release like ${like}`;
  if (times === Infinity) return `any number of releases like ${like}`;
  return `about ${times} more release${times === 1 ? "" : "s"} like ${like}`;
}
