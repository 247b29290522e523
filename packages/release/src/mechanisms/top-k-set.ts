/**
 * The k items of a public list with the most users, as a set, at a price that doesn't grow with k. Core's `topKSet`: the
 * exponential mechanism over all sets (docs/mechanisms/top-k-set.md). All or nothing, which the answer doesn't show.
 *
 * Counts, if asked for, take a quarter of the budget, or a fifth, and are measured after the set is drawn; the list then falls by these released
 * counts, which costs nothing. Without them names come in the order of names, because any other order would be another release.
 * @module
 */
import {
  compose,
  invalidParameter,
  type Loss,
  makeNoisyTopK,
  pure,
  type Rational,
  rational,
  topKSet as run,
  scaleAtLeast,
  zcdp,
} from "winnow-dp";
import { countedPeople, distanceOf, isMonotone } from "../parts/budget.js";
import { everyCandidate, forEachRow, wholeNumber } from "../parts/counted-rows.js";
import {
  type CountPlan,
  countParameters,
  countPlan,
  countShare,
  measure,
  prepareCounts,
} from "../parts/counts.js";
import { lnAtLeast, lnOfSetsAtLeast } from "../parts/ln-at-least.js";
import { compareNames } from "../parts/names.js";
import { PUBLIC_RACE } from "../parts/public-race.js";
import { winner } from "../parts/winner.js";
import type { Batches, CountedItems } from "../question/answer.js";
import { sizeOf } from "../question/domain.js";
import type { Question } from "../question/question.js";
import type { Code, Mechanism } from "./mechanism.js";

export const topKSet: Mechanism = {
  name: "top-k-set",
  rules: {
    kind: "top",
    domains: ["listed", "integers"],
    budgets: ["epsilon", "rho"],
    delta: "none",
    spare: 1,
    counts: "possible",
    isSet: true,
  },
  defaults: { outsiderShare: "1/2" },
  hasOtherPrices: true,
  check({ k, domain }) {
    const size = sizeOf(domain) as number; // the rules see to it that candidates are public
    if (size > MOST_CANDIDATES)
      throw invalidParameter(
        "domain",
        `a list of at most ${MOST_CANDIDATES.toLocaleString("en")} candidates`,
        size,
      );
    if (k * (size - k) > MOST_CLASSES)
      throw invalidParameter(
        "k",
        `such that k·(candidates − k) is at most ${MOST_CLASSES.toLocaleString("en")}`,
        k,
      );
  },
  parameters(question) {
    const counts = countsOfSet(question);
    return {
      ...countedPeople(question),
      scale: String(setScale(question)),
      outsiderShare: question.outsiderShare as string,
      ...(counts !== undefined && countParameters(counts)),
    };
  },
  price(question) {
    const [own, other] = [question.rho !== undefined, true].map((inRho) => lossOfSet(question, inRho));
    return { loss: own!, also: question.rho === undefined ? [other!] : undefined };
  },
  counts: countsOfSet,
  expect(question) {
    const inside = rational(1n).minus(question.outsiderShare as string);
    if (inside.numerator <= 0n) return undefined; // a small count inside then weighs nothing
    const size = sizeOf(question.domain) as number;
    const t = setScale(question).times(lnOfSetsAtLeast(size, question.k).plus(lnAtLeast(20)));
    return { within: Number(t.dividedBy(inside).ceil()) };
  },
  wants: PUBLIC_RACE.wants,
  async draw(question, batches, entropy) {
    const { items, users } = await everyItem(question, batches);
    const { candidates: indices } = run(users, { ...setOptions(question), entropy });
    const names = indices.map((index) => items[index]!);
    const answer = { released: true, k: question.k, loss: lossOfSet(question, question.rho !== undefined) };
    const plan = countsOfSet(question);
    if (plan === undefined)
      return { ...answer, winners: names.toSorted(compareNames).map((name) => winner(name)), ordered: false };
    const kept = new Map(indices.map((index) => [items[index]!, users[index]!]));
    const counts = measure(kept, names, plan, entropy);
    const measured = names.map((name, i) => ({ name, count: counts[i]! }));
    measured.sort((a, b) => b.count.compare(a.count) || compareNames(a.name, b.name));
    return {
      ...answer,
      winners: measured.map(({ name, count }) => winner(name, undefined, count)),
      ordered: true,
    };
  },
  prepare(question, scores) {
    const options = setOptions(question);
    const all = new Float64Array(sizeOf(question.domain) ?? scores.length);
    all.set(scores);
    const counts = prepareCounts(countsOfSet(question), all);
    return (entropy) => {
      const { candidates: indices } = run(all, { ...options, entropy });
      return { winners: indices, ...counts(indices, entropy) };
    };
  },
  words: {
    title: "Top k as a set",
    gives: "The winners without an order, at a price that doesn't grow with their number.",
    how: "the k largest as a set (the exponential mechanism over all sets)",
    caveat:
      "All or nothing: either the true set wins almost surely, or it has random names among right ones, and the answer doesn't show which. Plan first, on public counts like yours.",
  },
  answer: { fields: [], order: ({ counts }) => (counts ? "count" : "name") },
  code(question) {
    const { k, epsilon, rho, counts, neighbours, outsiderShare } = question;
    const size = (share: Rational) => ({
      ...(epsilon !== undefined && { epsilon: String(rational(epsilon).times(share)) }),
      ...(rho !== undefined && { rho: String(rational(rho).times(share)) }),
    });
    const monotone = isMonotone(question);
    const code: Code = {
      call: "topKSet",
      input: "counts",
      options: {
        k,
        ...size(namesShare(question)),
        outsiderShare: outsiderShare as string,
        monotone,
      },
    };
    if (!counts) return code;
    return {
      ...code,
      next: {
        call: "measureCounts",
        options: { ...size(countShare(question, lawOf(question))), neighbours },
      },
    };
  },
};

/** Core's limits: it scans the classes of sets. */
const MOST_CANDIDATES = 1_048_576;
const MOST_CLASSES = 4_294_967_296;

function lawOf({ rho }: Question): "rho" | "epsilon" {
  return rho === undefined ? "epsilon" : "rho";
}

function namesShare(question: Question): Rational {
  return question.counts ? rational(1n).minus(countShare(question, lawOf(question))) : rational(1n);
}

function shareOfNames(size: string, question: Question): Rational {
  return rational(size).times(namesShare(question));
}

/** The scale τ of the weights e^(q/τ). */
function setScale(question: Question): Rational {
  const { epsilon = "", rho } = question;
  const distance = distanceOf(question);
  return rho === undefined
    ? scaleAtLeast(pure(shareOfNames(epsilon, question)), { distance })
    : scaleAtLeast(zcdp(shareOfNames(rho, question)), { distance, class: "bounded-range" });
}

function setOptions(question: Question) {
  const { k, outsiderShare } = question;
  return { k, outsiderShare, scale: setScale(question), monotone: isMonotone(question) };
}

/** One selection, in ε or in ρ: a set has bounded range r/τ. */
function lossOfSet(question: Question, inRho: boolean): Loss {
  const measure = inRho ? "zcdp" : "pure";
  const scale = setScale(question);
  const names = makeNoisyTopK({ k: 1, measure, scale, monotone: isMonotone(question) }).map(1n);
  const counts = countsOfSet(question);
  return counts === undefined ? names : compose(names, counts.lossOf(question.k));
}

function countsOfSet(question: Question): CountPlan | undefined {
  const { epsilon = "", rho, counts } = question;
  if (!counts) return undefined;
  const part = rational(rho ?? epsilon).times(countShare(question, lawOf(question)));
  return countPlan(question, rho === undefined ? { epsilon: part } : { rho: part });
}

/** Every candidate once, in the order of names or numbers; a number without rows has no users. */
async function everyItem(question: Question, batches: Batches): Promise<CountedItems> {
  const { domain } = question;
  if (domain.kind !== "integers") return everyCandidate(question, batches);
  const users = new Float64Array(domain.below);
  await forEachRow(batches, (item, count) => {
    const number = wholeNumber(item, domain.below);
    if (number !== undefined) users[number] = count;
  });
  return { items: Array.from(users.keys(), String), users: Array.from(users) };
}
