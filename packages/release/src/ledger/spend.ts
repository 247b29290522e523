/**
 * A budget after the charges that a log holds.
 * @module
 */
import { type Budget, convert, type Loss, WinnowError } from "winnow-dp";
import { type BudgetLimit, budgetOf } from "./budget-json.js";

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
