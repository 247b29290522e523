/**
 * How far released leads are from the true ones, on public counts: with the leads that `topKWithGap` gives for free, and with
 * half of ε for the names and half for measuring each named count by discrete Laplace noise. One person may be in every
 * count, so measuring k of them within ε/2 needs noise of scale 2k/ε.
 * @module
 */
import { type Entropy, type Rational, rational, systemEntropy, topK, topKWithGap } from "winnow-dp";
import { DiscreteLaplace } from "winnow-dp/sample";

/** Invented visitors of twelve areas. */
export const AREAS = [
  ["search", 4210],
  ["news", 3140],
  ["maps", 2560],
  ["mail", 2150],
  ["sports", 1830],
  ["weather", 1540],
  ["games", 1320],
  ["jobs", 1110],
  ["travel", 940],
  ["health", 780],
  ["music", 650],
  ["books", 540],
] as const;
export const WINNERS = 5;

const COUNTS = AREAS.map(([, count]) => count);
/** Few enough that the slider stays responsive. */
const RUNS = 100;

/** A lead of one winner over the next: as released, and as it is. */
export interface Lead {
  readonly area: string;
  readonly released: number;
  readonly truth: number;
}

export interface GapErrors {
  /** The leads of one draw, best first. */
  readonly draw: readonly Lead[];
  /** Mean distances between released and true leads. */
  readonly free: number;
  readonly paid: number;
  readonly runs: number;
}

export function gapErrors(epsilon: string, entropy: Entropy = systemEntropy()): GapErrors {
  const half = rational(epsilon).dividedBy(2n);
  const noise = new DiscreteLaplace(rational(WINNERS).dividedBy(half));
  const draws = Array.from({ length: RUNS }, () => freeLeads(epsilon, entropy));
  const paid = Array.from({ length: RUNS }, () => paidLeads(half, noise, entropy));
  return { draw: draws[0]!, free: meanError(draws.flat()), paid: meanError(paid.flat()), runs: RUNS };
}

function freeLeads(epsilon: string, entropy: Entropy): Lead[] {
  const { winners } = topKWithGap(COUNTS, { k: WINNERS, epsilon, monotone: true, entropy });
  const gaps = winners.slice(0, -1).map(({ gap }) => gap.toNumber());
  return leads(winners, gaps);
}

function paidLeads(half: Rational, noise: DiscreteLaplace, entropy: Entropy): Lead[] {
  const { winners } = topK(COUNTS, { k: WINNERS, epsilon: half, monotone: true, entropy });
  const measured = winners.map(({ index }) => COUNTS[index]! + Number(noise.sample(entropy)));
  return leads(
    winners,
    measured.slice(0, -1).map((count, place) => count - measured[place + 1]!),
  );
}

function leads(winners: readonly { readonly index: number }[], released: readonly number[]): Lead[] {
  return released.map((lead, place) => {
    const [area, count] = AREAS[winners[place]!.index]!;
    const [, next] = AREAS[winners[place + 1]!.index]!;
    return { area, released: lead, truth: count - next };
  });
}

function meanError(all: readonly Lead[]): number {
  return all.reduce((sum, { released, truth }) => sum + Math.abs(released - truth), 0) / all.length;
}
