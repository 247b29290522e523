/**
 * How far released leads are from the true ones, on public counts: with the leads that `topKWithGap` gives for free, and with
 * half of ε for the names and half for measuring each named count by discrete Laplace noise. One person may be in every
 * count, so measuring k of them within ε/2 needs noise of scale 2k/ε.
 * @module
 */
import { rational, systemEntropy, topK, topKWithGap } from "winnow-dp";
import { DiscreteLaplace } from "winnow-dp/sample";

/** Invented visitors of twelve areas. */
export const COUNTS = [4210, 3140, 2560, 2150, 1830, 1540, 1320, 1110, 940, 780, 650, 540];
export const WINNERS = 5;
const RUNS = 300;

export interface GapErrors {
  readonly free: number;
  readonly paid: number;
  readonly runs: number;
}

export function gapErrors(epsilon: string): GapErrors {
  const entropy = systemEntropy();
  const half = rational(epsilon).dividedBy(2n);
  const noise = new DiscreteLaplace(rational(WINNERS).dividedBy(half));
  let [free, paid] = [0, 0];
  for (let run = 0; run < RUNS; run++) {
    const { winners } = topKWithGap(COUNTS, { k: WINNERS, epsilon, monotone: true, entropy });
    const named = winners.map(({ index }) => index);
    for (let place = 0; place + 1 < WINNERS; place++)
      free += Math.abs(winners[place]!.gap.toNumber() - lead(named, place));

    const plain = topK(COUNTS, { k: WINNERS, epsilon: half, monotone: true, entropy });
    const order = plain.winners.map(({ index }) => index);
    const measured = order.map((index) => COUNTS[index]! + Number(noise.sample(entropy)));
    for (let place = 0; place + 1 < WINNERS; place++)
      paid += Math.abs(measured[place]! - measured[place + 1]! - lead(order, place));
  }
  const leads = RUNS * (WINNERS - 1);
  return { free: free / leads, paid: paid / leads, runs: RUNS };
}

/** By how much a winner truly leads the next of them. */
function lead(named: readonly number[], place: number): number {
  return COUNTS[named[place]!]! - COUNTS[named[place + 1]!]!;
}
