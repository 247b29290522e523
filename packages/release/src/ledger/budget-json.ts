/**
 * The budget of a data set as exact JSON: a limit in one measure. A Rényi budget is a limit ε at one order α, given in
 * advance; all other budgets are written like losses.
 * @module
 */
import {
  Budget,
  type Loss,
  type LossJson,
  lossFromJson,
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
