/**
 * What releases cost together where no budget says in which measure to count. Each of the totals holds, however later
 * releases were chosen after looking at earlier answers; they are different bounds on the same thing, not parts of it.
 *
 * The first is in the strongest measure that can express all of the losses (`compose`). The second, in zCDP, can express
 * them always and is the smaller promise of many small losses: ε-DP counts as ρ = ε²/2, and (ε, δ)-DP keeps its δ.
 * @module
 */
import { compose, convert, type Loss, pure } from "winnow-dp";

/** ε = 0 for nothing. */
export function totalsOf(losses: readonly Loss[]): readonly [Loss, ...Loss[]] {
  if (losses.length === 0) return [pure(0n)];
  const total = compose(...losses);
  if (total.measure === "zcdp") return [total];
  return [total, compose(...losses.map((loss) => convert(loss, { to: "zcdp" })))];
}
