/**
 * How much of a budget is spent, as a share for a picture. It decides nothing: admission is exact and elsewhere.
 * @module
 */
import type { Loss } from "winnow-dp";

/** From 0 to 1: the largest share in any of the budget's numbers. Both are of the same measure. */
export function shareSpent(spent: Loss, limit: Loss): number {
  const shares = sizesOf(spent).map((size, index) => share(size, sizesOf(limit)[index] ?? 0));
  return Math.min(Math.max(...shares), 1);
}

function share(part: number, whole: number): number {
  return part === 0 ? 0 : part / whole;
}

function sizesOf(loss: Loss): number[] {
  switch (loss.measure) {
    case "pure":
      return [toNumber(loss.epsilon)];
    case "base2":
      return [toNumber(loss.eta)];
    case "approx":
      return [toNumber(loss.epsilon), loss.delta.toNumber()];
    case "zcdp":
      return [toNumber(loss.rho), loss.delta?.toNumber() ?? 0];
    default:
      return [loss.curve.at(2n).toNumber(), loss.delta?.toNumber() ?? 0];
  }
}

function toNumber(size: { toNumber(): number } | number): number {
  return typeof size === "number" ? size : size.toNumber();
}
