/**
 * About k winners as a set, where a wide lead follows them: at most k of an unknown domain, exactly k of a public list. Core's
 * `stableTopKFixed`.
 * @module
 */
import {
  makeStableTopKFixed,
  type RationalLike,
  stableTopKFixed as run,
  type StableTopKFixedOptions,
} from "winnow-dp";
import { budgetInCode, domainInCode } from "../parts/code.js";
import { everyCandidate } from "../parts/counted-rows.js";
import { asOptions, numbersOf } from "../parts/simulated.js";
import { areScalesGiven, lossOf, OF_SETS, setOptions } from "../parts/simulated-sets.js";
import {
  answerByName,
  largest,
  STABLE_WORDS,
  stableBudget,
  stableParameters,
  stableTerms,
  wantsLargest,
} from "../parts/stable-set.js";
import { sizeOf } from "../question/domain.js";
import type { Question } from "../question/question.js";
import type { Mechanism } from "./mechanism.js";

export const stableTopKFixed: Mechanism = {
  name: "stable-top-k-fixed",
  rules: {
    kind: "top",
    domains: ["unknown", "listed"],
    budgets: ["epsilon", "rho"],
    delta: "needed",
    spare: 0,
    isUsual: () => false,
  },
  parameters: (question) => stableParameters(question, { takesRounds: question.domain.kind !== "unknown" }),
  price: (question) => ({ loss: run(new Uint8Array(question.k), fixedOptions(question)).privacy }),
  wants: wantsLargest,
  async draw(question, batches, entropy) {
    const isUnknown = question.domain.kind === "unknown";
    const { items, users } = await (isUnknown ? largest : everyCandidate)(question, batches);
    const { candidates: indices, privacy } = run(users, { ...fixedOptions(question), entropy });
    return { ...answerByName(indices.map((index) => items[index])), k: question.k, loss: privacy };
  },
  prepare(question, scores) {
    const { k } = question;
    const { domain, monotone } = fixedOptions(question);
    const { rho, failure } = stableBudget(question);
    const half: RationalLike = rho.dividedBy(2n);
    const share = domain === "public" ? rho.dividedBy(4n) : half;
    const measurement = makeStableTopKFixed({
      k,
      domain,
      monotone,
      choose: { noise: "gumbel", rho: share },
      test: { rho: share },
      rounds: { rho: half },
      delta: failure,
    });
    const histogram =
      domain === "public" ? withZeros(scores, sizeOf(question.domain) ?? 0) : scores.subarray(0, k + 1);
    return (entropy) => ({ winners: measurement.invoke(histogram, entropy).candidates });
  },
  simulated: {
    takes: [...OF_SETS, "k", "roundsScale", "penalty", "gapCap"],
    /** Over a public domain: the scores are all of its candidates. */
    prepare(scores, parameters) {
      const counts = numbersOf(scores);
      const { chooseScale, testVariance, roundsScale, k = 1, maxK, penalty, gapCap } = parameters;
      const limits = {
        k,
        maxK,
        penalty,
        gapCap: gapCap === 0 ? Infinity : gapCap,
        domain: "public",
      } as const;
      const { noise, ...settings } = { ...setOptions(parameters), ...limits };
      if (areScalesGiven(parameters, ["chooseScale", "testVariance", "roundsScale"])) {
        const measurement = makeStableTopKFixed(
          asOptions<Parameters<typeof makeStableTopKFixed>[0]>({
            ...settings,
            choose: { noise, scale: chooseScale },
            test: { variance: testVariance },
            rounds: { scale: roundsScale },
          }),
        );
        const { zcdp: privacy } = measurement;
        return (entropy) => ({
          outcome: { indices: measurement.invoke(counts, entropy).candidates },
          privacy,
        });
      }
      const { privacy } = run(
        new Uint8Array(k),
        asOptions<StableTopKFixedOptions>({ ...settings, noise, ...lossOf(parameters) }),
      );
      const { rho, failure } = stableBudget(parameters);
      const quarter = { rho: rho.dividedBy(4n) };
      const measurement = makeStableTopKFixed({
        ...settings,
        delta: failure,
        choose: { noise, ...quarter },
        test: quarter,
        rounds: { rho: rho.dividedBy(2n) },
      });
      return (entropy) => ({ outcome: { indices: measurement.invoke(counts, entropy).candidates }, privacy });
    },
  },
  words: {
    title: "Stable top k",
    gives: "Up to k winners as a set, found where a wide lead follows them.",
    how: "stable top-k of a given size (propose, test, release)",
    ...STABLE_WORDS,
  },
  answer: { fields: [], order: "name" },
  code: (question) => ({
    call: "stableTopKFixed",
    input: "scores",
    options: {
      k: question.k,
      ...budgetInCode(question),
      domain: domainInCode(question),
      monotone: question.neighbours === "add-remove",
    },
  }),
};

function fixedOptions(question: Question): StableTopKFixedOptions {
  return { ...stableTerms(question), k: question.k, domain: domainInCode(question) };
}

/** As many as there are candidates. */
function withZeros(scores: Float64Array, size: number): Float64Array {
  const all = new Float64Array(size);
  all.set(scores);
  return all;
}
