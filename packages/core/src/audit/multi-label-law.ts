/**
 * The law of one multi-label answer of `labelByTeachers`: the labels that stand out, or none. It is that of `stableTopK` on the
 * teachers' counts with one thing less to see: who abstains does not tell for which k.
 * @module
 */
import type { Interval } from "../exact/interval.js";
import type { Law } from "./law.js";
import { type ChoiceLawOptions, stableTopKLaw, type TestLawOptions } from "./stable-top-k-law.js";

/**
 * The law of a multi-label answer of `labelByTeachers`: `"0 2"` for the labels 0 and 2, or `"nothing"`.
 *
 * @param counts How many teachers give each label.
 * @param options How the number of labels is chosen, and the stability test.
 */
export function multiLabelLaw(counts: readonly number[], options: ChoiceLawOptions & TestLawOptions): Law {
  const law = new Map<string, Interval>();
  for (const [outcome, probability] of stableTopKLaw(counts, options)) {
    const [, answer] = outcome.split(": ");
    law.set(answer, law.get(answer)?.plus(probability) ?? probability);
  }
  return law;
}
