/**
 * Pay what you get: a loss is reserved before a release, in full, and settled afterwards for what the answer used. That is
 * sound where the price of an answer is a bound that holds round by round or answer by answer:
 *
 *   zCDP and Rényi losses in a budget of zCDP, of Rényi, or of (ε, δ) at its order: rounds add up along each path
 *   losses in ε in a budget of ε or (ε, δ) that adds them up: the loss of an answer is at most its price, except for δ
 *
 * A loss in ε that is counted by its Rényi curve is counted in full, whatever the answer. A zCDP or Rényi budget refuses
 * less. An (ε, δ) budget does so for what was reserved after its order was fixed; to take the smaller of the curve and the
 * price of the answer would need prices that bound the loss from both sides, which a budget can't see.
 *
 * All of δ is charged whatever the answer. Proof: discover/limited-top-k.proof.md, 6.
 * @module
 */
import { invalidParameter } from "../errors.js";
import type { Rational } from "../exact/rational.js";
import type { ConversionOrder } from "./conversion-order.js";
import { inMeasure } from "./convert.js";
import { renyi } from "./curve.js";
import { type Extended, isAtMost } from "./extended.js";
import { approx, type Loss, type Measure, zcdp } from "./loss.js";

/** A loss reserved for a release: it counts in full until it is settled, and for ever if it never is. */
export interface Reservation {
  /** As it was asked for, read as a loss. */
  readonly loss: Loss;
  /** In the measure of the budget, with what had to be paid once to count it. */
  readonly counted: Loss;
  /** What it is for, as the caller put it. */
  readonly label?: string;
}

/** How a reservation was counted. */
export interface ReservedCounting {
  readonly each: Loss;
  readonly order?: ConversionOrder | undefined;
}

/** What a reservation is settled for, in the measure of the budget; `count` counts other losses as the reservation was. */
export function countSettled(
  { loss: reserved }: Pick<Reservation, "loss">,
  { each, order }: ReservedCounting,
  settled: Loss,
  measure: Measure,
  count: (loss: Loss) => Loss,
): Loss {
  if (settled.measure !== reserved.measure)
    throw invalidParameter("loss", `a ${reserved.measure} loss, as was reserved`, settled.measure);
  const loss = withDeltaOf(settled, reserved);
  if (settled.measure === "zcdp" || settled.measure === "renyi") return count(loss);
  if (!isAtMost(sizeOf(loss), sizeOf(reserved)))
    throw invalidParameter("loss", "at most what was reserved", "more");
  const isConcentrated = measure === "zcdp" || measure === "renyi";
  if (isConcentrated && !isAtMost(sizeOf(reserved), sizeOf(loss)))
    throw invalidParameter(
      "loss",
      `all that was reserved, because a ${measure} budget cannot count a part of a loss in epsilon`,
      "less",
    );
  return isConcentrated || order !== undefined ? each : count(loss);
}

/** The same loss with all of the δ that was reserved; more than that is refused. */
function withDeltaOf(settled: Loss, reserved: Loss): Loss {
  const [asked, whole] = [deltaOf(settled), deltaOf(reserved)];
  if (asked !== undefined && (whole === undefined || asked.compare(whole) > 0))
    throw invalidParameter("loss", "at most what was reserved", "more");
  switch (settled.measure) {
    case "zcdp":
      return zcdp(settled.rho, whole);
    case "renyi":
      return renyi(settled.curve, whole);
    case "approx":
      return approx(settled.epsilon, whole ?? 0n);
    default:
      return settled;
  }
}

function deltaOf(loss: Loss): Rational | undefined {
  return "delta" in loss ? loss.delta : undefined;
}

/** The ε or η of a loss. */
function sizeOf(loss: Loss): Extended {
  return loss.measure === "base2" ? loss.eta : inMeasure(loss, "approx").epsilon;
}
