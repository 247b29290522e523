/**
 * As many winners as stand out clearly, as a set; the cost doesn't grow with their number. Core's `stableTopK`: propose, test,
 * release at the largest gap.
 * @module
 */
import { makeStableTopK, stableTopK as run, type StableTopKOptions } from "winnow-dp";
import { budgetInCode } from "../parts/code.js";
import { asOptions, largestK, numbersOf, readTerms } from "../parts/simulated.js";
import { areScalesGiven, lossOf, OF_SETS, setOptions, setOutcome } from "../parts/simulated-sets.js";
import {
  answerByName,
  largest,
  STABLE_WORDS,
  stableBudget,
  stableParameters,
  stableTerms,
  wantsLargest,
} from "../parts/stable-set.js";
import type { Question } from "../question/question.js";
import type { Mechanism } from "./mechanism.js";

export const stableTopK: Mechanism = {
  name: "stable-top-k",
  rules: {
    kind: "adaptive",
    domains: ["unknown", "listed", "integers"],
    budgets: ["epsilon", "rho"],
    delta: "needed",
  },
  parameters: (question) => stableParameters(question, { takesRounds: false }),
  price: (question) => ({ loss: run([], stableOptions(question)).privacy }),
  wants: wantsLargest,
  async draw(question, batches, entropy) {
    const { items, users } = await largest(question, batches);
    const answer = run(users, { ...stableOptions(question), entropy });
    const named = answer.released ? answer.candidates.map((index) => items[index]) : [];
    return { ...answerByName(named), k: answer.k, loss: answer.privacy };
  },
  prepare(question, scores) {
    const { k } = question;
    const { monotone } = stableTerms(question);
    const { rho, failure } = stableBudget(question);
    const half = rho.dividedBy(2n);
    const measurement = makeStableTopK({
      maxK: k,
      monotone,
      choose: { noise: "gumbel", rho: half },
      test: { rho: half },
      delta: failure,
    });
    const histogram = scores.subarray(0, k + 1);
    return (entropy) => {
      const answer = measurement.invoke(histogram, entropy);
      return { winners: answer.released ? answer.candidates : [] };
    };
  },
  simulated: {
    takes: [...OF_SETS, "regulariser"],
    prepare(scores, parameters) {
      const counts = numbersOf(scores);
      const { chooseScale, testVariance } = parameters;
      const limits = { maxK: largestK(parameters, counts), regulariser: readTerms(parameters) };
      const { noise, ...settings } = { ...setOptions(parameters), ...limits };
      if (areScalesGiven(parameters, ["chooseScale", "testVariance"])) {
        const sized = { choose: { noise, scale: chooseScale }, test: { variance: testVariance } };
        const measurement = makeStableTopK(
          asOptions<Parameters<typeof makeStableTopK>[0]>({ ...settings, ...sized }),
        );
        return (entropy) => setOutcome(measurement.invoke(counts, entropy), measurement.zcdp);
      }
      const { privacy } = run(
        [],
        asOptions<StableTopKOptions>({ ...settings, noise, ...lossOf(parameters) }),
      );
      const { rho, failure } = stableBudget(parameters);
      const half = { rho: rho.dividedBy(2n) };
      const measurement = makeStableTopK({
        ...settings,
        delta: failure,
        choose: { noise, ...half },
        test: half,
      });
      return (entropy) => setOutcome(measurement.invoke(counts, entropy), privacy);
    },
  },
  words: {
    title: "Data-dependent k",
    gives: "As many winners as stand out clearly, as a set. The cost does not grow with their number.",
    how: "stable top-k with a size that the data choose (propose, test, release)",
    ...STABLE_WORDS,
  },
  answer: { fields: [], order: "name" },
  code: (question) => ({
    call: "stableTopK",
    input: "scores",
    options: {
      maxK: question.k,
      ...budgetInCode(question),
      monotone: question.neighbours === "add-remove",
    },
  }),
};

function stableOptions(question: Question): StableTopKOptions {
  return { ...stableTerms(question), maxK: question.k };
}
