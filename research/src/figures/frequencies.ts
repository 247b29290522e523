/**
 * How often each answer comes, over many seeded runs of a mechanism.
 * @module
 */
import type { Entropy } from "winnow-dp";
import { seededEntropy } from "winnow-dp/testing";

/** The share of the runs that gave each of the answers. */
export function frequencies<Answer>(
  seed: string,
  runs: number,
  answers: readonly Answer[],
  run: (entropy: Entropy) => Answer,
): number[] {
  const entropy = seededEntropy(seed);
  const counts = new Map<Answer, number>();
  for (let i = 0; i < runs; i++) {
    const answer = run(entropy);
    counts.set(answer, (counts.get(answer) ?? 0) + 1);
  }
  return answers.map((answer) => (counts.get(answer) ?? 0) / runs);
}

/** The share of the runs in which something was so. */
export function share(seed: string, runs: number, isSo: (entropy: Entropy) => boolean): number {
  return frequencies(seed, runs, [true], isSo)[0];
}
