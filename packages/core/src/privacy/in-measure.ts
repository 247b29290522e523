/**
 * A loss in another measure without giving up any δ for it: how compositions and budgets count what comes in.
 * @module
 */
import { convert } from "./convert.js";
import { approx, type Loss, type LossOf, type Measure } from "./loss.js";

export function inMeasure<M extends Measure>(loss: Loss, measure: M): LossOf[M];
export function inMeasure(loss: Loss, measure: Measure): Loss {
  if (measure !== "approx") return convert(loss, { to: measure });
  return loss.measure === "approx" ? loss : approx(convert(loss, { to: "pure" }).epsilon, 0n);
}
