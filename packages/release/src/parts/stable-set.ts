/**
 * Sets that stay the same when any one person is added or removed, found by propose, test, release. They are paid with ρ and the probability
 * that an unstable set passes the test. Of (ε, δ), half of δ is for that failure and half pays for the conversion from ρ, as in
 * core.
 *
 * A position among the largest depends on who is in the data, so candidates are sorted by name before anything is drawn, and
 * only names come out, by name. Core continues a short histogram with zeros, which have no names.
 * @module
 */
import { type Rational, rational, scaleAtLeast, varianceAtLeast, zcdp } from "winnow-dp";
import type { Answer, Batches } from "../question/answer.js";
import type { Question } from "../question/question.js";
import { budgetOf, countedPeople, isMonotone, rhoOf } from "./budget.js";
import { checkComplete, forEachRow, wholeNumber } from "./counted-rows.js";
import { LargestItems } from "./largest-items.js";
import { compareNames } from "./names.js";

export function stableTerms(question: Question) {
  return { ...budgetOf(question), monotone: isMonotone(question) };
}

/** A question, or options as they were typed, as the ρ to split and the probability that the test fails. */
export function stableBudget({ epsilon, rho, delta = "0" }: Pick<Question, "epsilon" | "rho" | "delta">): {
  rho: Rational;
  failure: Rational;
} {
  if (epsilon === undefined)
    return { rho: rational(rho as string, "rho"), failure: rational(delta, "delta") };
  const half = rational(delta, "delta").dividedBy(2n);
  return { rho: rhoOf({ epsilon, delta: half }), failure: half };
}

/** As core's mechanisms share their budget out: a public list lets the winners race in rounds of their own, for half of it. */
export function stableParameters(question: Question, { takesRounds }: { readonly takesRounds: boolean }) {
  const { k } = question;
  const { rho, failure } = stableBudget(question);
  const gapSensitivity = isMonotone(question) ? 1n : 2n;
  const share = zcdp(rho.dividedBy(takesRounds ? 4n : 2n));
  return {
    ...countedPeople(question),
    gapSensitivity: String(gapSensitivity),
    largestSize: String(takesRounds ? 2 * k : k),
    sizeNoise: "gumbel",
    sizeScale: String(scaleAtLeast(share, { distance: 2n * gapSensitivity, class: "bounded-range" })),
    testNoise: "discrete gaussian",
    testVariance: String(varianceAtLeast(share, { sensitivity: gapSensitivity })),
    testFailure: String(failure),
    ...(takesRounds && { roundsNoise: "gumbel", roundsRho: String(rho.dividedBy(2n)) }),
  };
}

/** What a set needs of a source: the k̄ + 1 largest counts, and no others ever leave it. */
export function wantsLargest({ domain, k }: Question) {
  switch (domain.kind) {
    case "listed":
      return { kind: "listed", size: domain.size } as const;
    case "integers":
      return { kind: "integers", below: domain.below } as const;
    default:
      return { kind: "largest", rows: k + 1 } as const;
  }
}

/** The k̄ + 1 largest counts, by name. */
export async function largest(question: Question, batches: Batches) {
  const { domain, k } = question;
  const kept = new LargestItems(k + 1);
  let candidates = 0;
  await forEachRow(batches, (item, users) => {
    if (domain.kind === "integers" && wholeNumber(item, domain.below) === undefined) return;
    kept.take(item, users);
    candidates++;
  });
  if (domain.kind === "listed") checkComplete(candidates, question);
  return kept.byName();
}

export function answerByName(named: readonly string[]): Pick<Answer, "released" | "winners" | "ordered"> {
  const winners = named.toSorted(compareNames).map((item) => ({ item }));
  return { released: winners.length > 0, winners, ordered: false };
}

export const STABLE_WORDS = {
  whyNone: {
    sentence: "No set of items stood out so clearly that naming it would be safe for everyone.",
    short: "no set of items is stable enough",
  },
  whyFewer: "no larger set is stable",
  falls:
    "The list ends where a wide lead follows. A larger ε finds the widest lead more surely, and the list before it may be shorter.",
};
