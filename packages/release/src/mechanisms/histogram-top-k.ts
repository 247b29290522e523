/**
 * The items of a public list with the most users, after each person was cut to m items: every count of the list gets noise, and the
 * k largest noisy counts are the answer. Core's `histogramTopK` (docs/mechanisms/histogram-top-k.md). Names, order and counts have one
 * price together, that of m counts, whatever k is.
 *
 * The parameters tell how far a winner may be below the k-th count, and how far it may be for a selection without a limit on items.
 * @module
 */
import {
  countNoise,
  type HistogramTopKOptions,
  type Loss,
  pure,
  rational,
  histogramTopK as run,
  zcdp,
} from "winnow-dp";
import { budgetOf, countedPeople, movedBy } from "../parts/budget.js";
import { budgetInCode } from "../parts/code.js";
import { everyCandidate } from "../parts/counted-rows.js";
import { type CountPlan, countParameters, planOf } from "../parts/counts.js";
import { PUBLIC_RACE } from "../parts/public-race.js";
import { remembered } from "../parts/remembered.js";
import { winner } from "../parts/winner.js";
import { sizeOf } from "../question/domain.js";
import type { Question } from "../question/question.js";
import type { Mechanism } from "./mechanism.js";

export const histogramTopK: Mechanism = {
  name: "histogram-top-k",
  rules: {
    kind: "top",
    domains: ["listed"],
    budgets: ["epsilon", "rho"],
    delta: "possible",
    spare: 0,
    counts: "always",
    bound: "needed",
    // A limit on items is given for noise that doesn't grow with k.
    isUsual: ({ maxItemsPerUser, resolution }) => maxItemsPerUser !== undefined && resolution === undefined,
  },
  hasOtherPrices: true,
  parameters(question) {
    const { errorBound, selectionBound } = planFor(question);
    const counts = { ...countedPeople(question), ...countParameters(countsOfHistogram(question)) };
    return { ...counts, errorBound: String(errorBound), selectionBound: String(selectionBound) };
  },
  price(question) {
    const { privacy, noise, size } = planFor(question);
    const moved = Math.min(movedBy(question), sizeOf(question.domain) as number);
    const other: Loss =
      noise === "laplace"
        ? pure(question.epsilon as string)
        : zcdp(rational(moved).dividedBy(size.times(2n)));
    return { loss: privacy, also: privacy.measure === "approx" ? [other] : undefined };
  },
  counts: countsOfHistogram,
  wants: PUBLIC_RACE.wants,
  async draw(question, batches, entropy) {
    const { items, users } = await everyCandidate(question, batches);
    const { winners, privacy } = run(users, { ...optionsOf(question), entropy });
    const named = winners.map(({ candidate, count }) => winner(items[candidate]!, undefined, count));
    return { released: true, k: question.k, winners: named, ordered: true, loss: privacy };
  },
  prepare(question, scores) {
    const options = optionsOf(question);
    const all = new Float64Array(sizeOf(question.domain) ?? scores.length);
    all.set(scores);
    return (entropy) => {
      const { winners } = run(all, { ...options, entropy });
      return {
        winners: winners.map(({ candidate }) => candidate),
        counts: winners.map(({ count }) => count.toNumber()),
      };
    };
  },
  words: {
    title: "Counts of the whole list",
    gives:
      "Winners with noisy counts, after each person was cut to a few items. The noise doesn't grow with k.",
    how: "noise on the count of every listed item, of people who are counted for a limited number of items each",
  },
  answer: { fields: [], order: "count" },
  code(question) {
    const { k, neighbours, maxItemsPerUser = 1 } = question;
    const options = { k, ...budgetInCode(question), neighbours, maxItemsPerUser };
    return { call: "histogramTopK", input: "counts", options };
  },
};

function optionsOf(question: Question): HistogramTopKOptions {
  const { k, neighbours, maxItemsPerUser = 1, delta } = question;
  const { delta: _, ...spend } = budgetOf(question);
  return { k, ...spend, ...(delta !== undefined && { delta }), neighbours, maxItemsPerUser };
}

const planFor = (question: Question) =>
  planOfSize({ candidates: sizeOf(question.domain) as number, question });

const planOfSize = remembered(
  ({ candidates, question }: { readonly candidates: number; readonly question: Question }) =>
    run.plan(candidates, optionsOf(question)),
  ({ candidates, question: { k, epsilon, rho, delta, neighbours, maxItemsPerUser } }) =>
    [candidates, k, epsilon, rho, delta, neighbours, maxItemsPerUser].join(" "),
);

/** Winners were chosen by their noise, so their intervals are those that hold for all counts of the list at once. */
function countsOfHistogram(question: Question): CountPlan {
  const { noise, size, simultaneous, privacy } = planFor(question);
  const { neighbours, maxItemsPerUser } = question;
  const spend = noise === "laplace" ? { scale: size } : { variance: size };
  const k = sizeOf(question.domain) as number;
  const made = countNoise({ ...spend, k, neighbours, maxItemsPerUser });
  return { ...planOf(made), halfWidth: simultaneous, simultaneous, lossOf: () => privacy };
}
