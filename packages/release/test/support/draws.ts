/**
 * Seeded experiments: an outcome drawn many times, compared with a law outcome by outcome. A law is accepted if every count
 * is within five standard deviations of what it should be; a test that could not reject a wrong law would say nothing, so
 * each also shows one that is rejected.
 * @module
 */
import { type Entropy, rational } from "winnow-dp";
import { seededEntropy } from "winnow-dp/testing";

export interface Draws {
  readonly runs: number;
  readonly counts: ReadonlyMap<string, number>;
}

/** Probabilities by outcome; outcomes that are not named share the rest. */
export type Law = Readonly<Record<string, string | number>>;

export async function draw(
  runs: number,
  seed: string,
  sample: (entropy: Entropy) => Promise<string> | string,
): Promise<Draws> {
  const entropy = seededEntropy(seed);
  const counts = new Map<string, number>();
  for (let run = 0; run < runs; run++) {
    const outcome = await sample(entropy);
    counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  }
  return { runs, counts };
}

/** The largest distance of a count from its expectation, in standard deviations. */
export function deviation({ runs, counts }: Draws, law: Law): number {
  const named = Object.entries(law).map(([outcome, p]) => [counts.get(outcome) ?? 0, rational(p).toNumber()]);
  const [seen, mass] = [0, 1].map((part) => named.reduce((sum, pair) => sum + pair[part], 0));
  const rest = [runs - seen, Math.max(0, 1 - mass)];
  return Math.max(...[...named, rest].map(([observed, p]) => cellDeviation(observed, p, runs)));
}

/** One observation more or less is never a reason to reject. */
function cellDeviation(observed: number, p: number, runs: number): number {
  const distance = Math.max(0, Math.abs(observed - p * runs) - 1);
  return distance === 0 ? 0 : distance / Math.sqrt(Math.max(p * (1 - p) * runs, 0.01));
}

export const ACCEPTED = 5;
