/**
 * Quantiles of a column: points of a public grid, chosen by rank. Core's `quantiles` (docs/mechanisms/quantile.md). Nothing is
 * measured for a plan: no values at all ask it for its parameters.
 *
 * The source gives how many times each value is kept, after it cut every person to `maxItemsPerUser` rows by a keyed hash: a value weighs
 * as often as its person has it.
 * @module
 */
import { type QuantilesOptions, type Rational, rational, quantiles as run } from "winnow-dp";
import { present } from "../parts/code.js";
import { forEachRow } from "../parts/counted-rows.js";
import { quantileOptions, quantilePlan } from "../parts/rank-errors.js";
import { asOptions, neighboursOf, numbersOf } from "../parts/simulated.js";
import type { GridDomain } from "../question/grid.js";
import { parseNumber } from "../question/number-text.js";
import type { Question } from "../question/question.js";
import { typedShares } from "../question/typed.js";
import type { Mechanism } from "./mechanism.js";

export const quantiles: Mechanism = {
  name: "quantiles",
  rules: {
    kind: "quantile",
    domains: ["grid"],
    budgets: ["epsilon", "rho"],
    delta: "none",
    bound: "needed",
    atMost: true,
  },
  parameters: quantileParameters,
  price: (question) => ({ loss: quantilePlan(question).privacy }),
  wants: () => ({ kind: "numbers" }),
  async draw(question, batches, entropy) {
    const counted = new Map<number | Rational, number>();
    await forEachRow(batches, (item, users) => {
      const value = parseNumber(item);
      if (value !== undefined) counted.set(value, (counted.get(value) ?? 0) + users);
    });
    const { values, privacy } = run(counted, { ...quantileOptions(question), entropy });
    const winners = values.map((value, i) => ({
      item: String(value),
      quantile: question.quantiles?.[i] ?? "",
    }));
    return { released: true, k: question.k, winners, ordered: true, loss: privacy };
  },
  simulated: {
    takes: ["monotone", "quantiles", "epsilon", "rho", "scale"],
    /** A score is the number of values at its position, so an outcome is the positions of the quantiles. */
    prepare(scores, { monotone, quantiles: list, ...rest }) {
      const values = numbersOf(scores).map((count, position): [number, number | bigint] => [position, count]);
      const grid = { quantiles: typedShares(list), lower: 0, upper: scores.length - 1, step: 1 };
      const chosen = { ...rest, ...grid, neighbours: neighboursOf({ monotone }) };
      return (entropy) => {
        const answer = run(values, asOptions<QuantilesOptions>({ ...chosen, entropy }));
        return {
          outcome: { indices: answer.values.map((value) => value.toNumber()) },
          privacy: answer.privacy,
        };
      };
    },
  },
  words: {
    title: "Quantiles",
    gives: "The values at the ranks that are asked for, on a public grid.",
    how: "the exponential mechanism by rank, over the points of a public grid",
  },
  answer: { fields: [], order: "value" },
  code(question) {
    const { lower, upper, step } = question.domain as GridDomain;
    const { quantiles = [], epsilon, rho, neighbours, atMost } = question;
    const { maxItemsPerUser: maxValuesPerUser = 1 } = question;
    return {
      call: "quantiles",
      input: "values",
      options: {
        ...{ quantiles, lower, upper, step, ...present({ epsilon, rho }), maxValuesPerUser, neighbours },
        ...(atMost !== undefined && { atMost }),
      },
    };
  },
};

function quantileParameters(question: Question): Record<string, string> {
  const { method, scales = [] } = quantilePlan(question);
  const { lower, upper, step } = question.domain as GridDomain;
  const shared = { method, range: `${lower}..${upper}`, step };
  if (method === "separate") return { ...shared, scale: String(scales[0]) };
  return {
    ...shared,
    levels: String(question.k.toString(2).length),
    epsilonOfLevel: String(levelOf(question, scales)),
    subCells: String(SUB_CELLS),
  };
}

/** The middle quantile is drawn first, with a scale of 2·max(p, 1 − p) times a person's records over the ε of a level. */
function levelOf(
  { quantiles: shares = [], k, neighbours, maxItemsPerUser = 1 }: Question,
  scales: readonly Rational[],
) {
  const middle = (k - 1) >> 1;
  const [share, rest] = [rational(shares[middle]), rational(1n).minus(shares[middle])];
  const records = BigInt(maxItemsPerUser) * (neighbours === "replace" ? 2n : 1n);
  return (share.compare(rest) > 0 ? share : rest).times(2n * records).dividedBy(scales[middle]);
}

/** Core's default: over how many sub-cells a value is spread in the recursion. */
const SUB_CELLS = 1024;
