/**
 * How many items have how many people, without names: a falling list, less likely by a factor for each person that it is off.
 * Core's `integerPartition` (docs/mechanisms/integer-partition.md).
 * @module
 */
import {
  base2,
  convert,
  type IntegerPartitionOptions,
  invalidParameter,
  type LossOf,
  rational,
  integerPartition as run,
} from "winnow-dp";
import { present } from "../parts/code.js";
import { badCounts, forEachRow, wholeNumber } from "../parts/counted-rows.js";
import { baseOf, movedBy } from "../parts/partition-base.js";
import { asOptions, neighboursOf, numbersOf, readEta } from "../parts/simulated.js";
import type { Frequency } from "../question/answer.js";
import type { Question } from "../question/question.js";
import type { Mechanism } from "./mechanism.js";

export const integerPartition: Mechanism = {
  name: "integer-partition",
  rules: {
    kind: "frequencies",
    domains: ["unknown"],
    budgets: ["epsilon"],
    delta: "none",
    isForOne: true,
    bound: "needed",
  },
  check: checkFrequencies,
  parameters(question) {
    const { x, y, z } = baseOf(question);
    return { base: `(${x}/2^${y})^${z}`, distance: String(movedBy(question)) };
  },
  price: (question) => ({ loss: frequencyLoss(question) }),
  wants: () => ({ kind: "frequencies" }),
  async draw(question, batches, entropy) {
    const runs: Frequency[] = [];
    await forEachRow(batches, (item, items) => {
      const users = wholeNumber(item, Number.MAX_SAFE_INTEGER);
      if (users === undefined) throw badCounts();
      runs.push({ users, items });
    });
    const { frequencies } = run(listOf(runs), { ...frequencyOptions(question), entropy });
    const told = { released: true, k: question.k, winners: [], ordered: true };
    return { ...told, frequencies: runsOf(frequencies), loss: frequencyLoss(question) };
  },
  simulated: {
    takes: ["monotone", "epsilon", "eta", "maxItemsPerUser"],
    /** A score is how many people an item has. */
    prepare(scores, { monotone, eta, maxItemsPerUser, epsilon }) {
      const counts = numbersOf(scores);
      const chosen = { epsilon, eta: readEta(eta), maxItemsPerUser, neighbours: neighboursOf({ monotone }) };
      return (entropy) => {
        const { frequencies, privacy } = run(
          counts,
          asOptions<IntegerPartitionOptions>({ ...chosen, entropy }),
        );
        return { outcome: { indices: [], frequencies }, privacy };
      };
    },
  },
  words: {
    title: "Frequencies",
    gives: "How many items have how many people, without names.",
    how: "integer partitions (a falling list of any length, less likely by a factor for each person that it is off)",
  },
  answer: { fields: ["frequencies"], order: "rank" },
  code({ epsilon, maxItemsPerUser = 1, neighbours }) {
    const options = { ...present({ epsilon }), maxItemsPerUser, neighbours };
    return { call: "integerPartition", input: "numbers", options };
  },
};

/** How many people each item has. */
function listOf(runs: readonly Frequency[]): Float64Array {
  const list = new Float64Array(runs.reduce((sum, { items }) => sum + items, 0));
  let filled = 0;
  for (const { users, items } of runs) {
    list.fill(users, filled, filled + items);
    filled += items;
  }
  return list;
}

/** Equal numbers of people of a falling list together. */
function runsOf(list: readonly number[]): Frequency[] {
  const items = new Map<number, number>();
  for (const users of list) items.set(users, (items.get(users) ?? 0) + 1);
  return Array.from(items, ([users, items]) => ({ users, items }));
}

/** The table of the mechanism grows with 1/ε²: below this it takes minutes and gigabytes, whatever the data. */
const LEAST_EPSILON = rational("1/20");
/** The digits of its numbers grow with ε. */
const MOST_EPSILON = rational(1000);

/** Throws where drawing a list would take too long. */
function checkFrequencies(question: Question): void {
  const [least, most] = [LEAST_EPSILON, MOST_EPSILON].map((each) => each.times(BigInt(movedBy(question))));
  const epsilon = rational(question.epsilon as string);
  if (epsilon.compare(least) < 0 || epsilon.compare(most) > 0)
    throw invalidParameter(
      "epsilon",
      `a rational from ${least} to ${most} with ${question.mechanism} (0.05 to 1000 for each item by which one person can move the list)`,
      question.epsilon,
    );
}

function frequencyOptions(question: Question): IntegerPartitionOptions {
  return {
    eta: baseOf(question),
    maxItemsPerUser: question.maxItemsPerUser,
    neighbours: question.neighbours,
  };
}

/** What the base of the weights promises, in ε: it is 2Δη in base 2. */
function frequencyLoss(question: Question): LossOf["pure"] {
  const { eta } = baseOf(question);
  return convert(base2(eta.times(BigInt(2 * movedBy(question)))), { to: "pure" });
}
