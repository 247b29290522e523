/**
 * What a loss promises to one person, in a sentence. Factors are rounded up.
 * @module
 */
import { type Extended, isBounded, type LossLike, readLoss } from "winnow-dp";
import { decimalText } from "../document/decimal-text.js";
import { readableLoss } from "../document/readable-loss.js";

/** `change` is what neighbouring data sets differ in: "one person is added or removed". */
export function promiseInWords(promised: LossLike, change: string): string {
  const loss = readLoss(promised);
  const cost = readableLoss(loss);
  switch (loss.measure) {
    case "pure":
      return `Its privacy loss is ${cost}: if ${change}, every answer stays as likely as it was${upTo(loss.epsilon)}.`;
    case "approx":
      return `Its privacy loss is ${cost}: if ${change}, every answer stays as likely as it was${upTo(loss.epsilon)}, except with probability ${decimalText(loss.delta, "up")}.`;
    case "zcdp":
      return `Its privacy loss is ${cost} (zero-concentrated differential privacy${loss.delta === undefined ? "" : `, except with probability ${decimalText(loss.delta, "up")}`}): if ${change}, the logarithm of how much more likely any answer becomes is at worst like a Gaussian of mean ρ and variance 2ρ.`;
    default:
      return `Its privacy loss is ${cost} if ${change}.`;
  }
}

/** Factors that are large say little; then the promise itself is enough. */
const LARGEST_FACTOR = 1000;

function upTo(epsilon: Extended): string {
  const factor = Math.exp(isBounded(epsilon) ? epsilon.toNumber("up") : Infinity);
  if (factor > LARGEST_FACTOR) return " up to a factor of e^ε";
  return ` up to a factor of e^ε, at most ${(Math.floor(factor * 100 + 1) / 100).toFixed(2)}`;
}
