/**
 * Every mechanism of the library that runs on public scores: those of the list, and those that answer no question. An option
 * that a mechanism doesn't take is refused, because anyone who compares frequencies with a distribution must know that Winnow
 * sampled the one they asked for. A default of a configuration is dropped instead.
 * @module
 */

import {
  type Base2ExponentialOptions,
  base2Exponential,
  type ClampedLaplaceOptions,
  clampedLaplace,
  etaAtMost,
  invalidParameter,
  type LargestGapOptions,
  largestGap,
  type MeasureCountsOptions,
  measureCounts,
  type ProposeTestReleaseOptions,
  proposeTestRelease,
  pure,
  type Rational,
  type ReportNoisyMaxOptions,
  rational,
  reportNoisyMax,
} from "winnow-dp";
import { geometric } from "winnow-dp/sample";
import { flagOf, OPTIONS, type OptionName } from "../ask/options.js";
import { MECHANISMS } from "../mechanisms/mechanisms.js";
import {
  asOptions,
  flags,
  largestK,
  namedCounts,
  neighboursOf,
  numbersOf,
  OF_SCORES,
  type Parameters,
  readEta,
  readTerms,
  readWholeSensitivity,
  type Simulated,
  single,
  unusable,
} from "../parts/simulated.js";
import { typedGrid } from "../question/typed.js";
import { mustBe } from "../refusal/must-be.js";

const reportNoisyMaximum: Simulated = {
  takes: [...OF_SCORES, "noise", "epsilon", "rho", "scale", "variance", "negate"],
  prepare(scores, { noise = "gumbel", ...parameters }) {
    const numbers = numbersOf(scores);
    return (entropy) =>
      single(reportNoisyMax(numbers, asOptions<ReportNoisyMaxOptions>({ ...parameters, noise, entropy })));
  },
};

const base2: Simulated = {
  takes: [...OF_SCORES, "eta", "epsilon", "range", "negate"],
  /** The mechanism prefers low utilities, so scores change their sign. */
  prepare(scores, parameters) {
    const { epsilon, eta, sensitivity = 1n, monotone = false, negate = false } = parameters;
    if ((epsilon === undefined) === (eta === undefined))
      throw unusable(`base2-exponential needs exactly one of ${flags("eta", "epsilon").join(" and ")}.`);
    const utilities = negate ? scores : scores.map((score) => score.negated());
    const floors = utilities.map((utility) => utility.floor());
    const chosen = {
      eta: readEta(eta) ?? etaAtMost(epsilon ?? "", { sensitivity, monotone }),
      sensitivity,
      monotone,
      ...(parameters.range === undefined
        ? {
            lower: floors.reduce((a, b) => (a < b ? a : b)),
            upper: floors.reduce((a, b) => (a > b ? a : b)) + 1n,
          }
        : wholeRange(parameters)),
      maxCandidates: scores.length,
      mode: "optimised", // the same law, and no one times a simulation on public scores
    } as const;
    return (entropy) =>
      single(
        base2Exponential(
          utilities,
          (utility) => utility,
          asOptions<Base2ExponentialOptions>({ ...chosen, entropy }),
        ),
      );
  },
};

/** The range of utilities, whose ends are integers. */
function wholeRange(parameters: Parameters): { readonly lower: bigint; readonly upper: bigint } {
  const { lower, upper } = typedGrid(parameters);
  const [least, most] = [lower, upper].map((end) => rational(end, "range"));
  if (!least.isInteger() || !most.isInteger())
    throw invalidParameter("range", "two integers", parameters.range);
  return { lower: least.numerator, upper: most.numerator };
}

const largestLead: Simulated = {
  takes: [
    ...OF_SCORES,
    ...(["maxK", "noise", "epsilon", "rho", "scale", "variance", "regulariser", "gapCap"] as const),
  ],
  prepare(scores, parameters) {
    const { noise, epsilon, rho, scale, variance, monotone, gapCap } = parameters;
    const counts = numbersOf(scores);
    const chosen = {
      ...{ noise, epsilon, rho, scale, variance, monotone, gapCap },
      maxK: largestK(parameters, counts),
      regulariser: readTerms(parameters),
      sensitivity: readWholeSensitivity(parameters),
    };
    return (entropy) => {
      const { k, privacy } = largestGap(counts, asOptions<LargestGapOptions>({ ...chosen, entropy }));
      return { outcome: { indices: [], k }, privacy };
    };
  },
};

/** The Laplace mechanism [Ding23, Theorem 3.3] on counts: each with discrete Laplace noise. */
const laplace: Simulated = {
  takes: [...OF_SCORES, "epsilon", "scale", "maxItemsPerUser"],
  prepare(scores, parameters) {
    const { epsilon, scale, sensitivity, maxItemsPerUser } = parameters;
    const chosen = { epsilon, scale, sensitivity, maxItemsPerUser, neighbours: neighboursOf(parameters) };
    const rows = namedCounts(scores);
    const names = rows.map(([name]) => name);
    return (entropy) => {
      const options = asOptions<MeasureCountsOptions>({ ...chosen, entropy });
      const { counts, privacy } = measureCounts(rows, names, options);
      return { outcome: { indices: [], values: counts.map(({ count }) => String(count)) }, privacy };
    };
  },
};

/** Rounded exponential noise [Ding23, Lemma 5.4] on each score. It has one sign, so numbers with it aren't private. */
const oneSided: Simulated = {
  takes: ["scale"],
  prepare(scores, { scale: text }) {
    if (text === undefined) throw unusable(`The noise needs ${flags("scale")[0]}.`);
    const scale = rational(text, "scale");
    if (scale.compare(0n) <= 0) throw invalidParameter("scale", "a rational > 0", text);
    const rate = rational(1n).dividedBy(scale);
    const privacy = pure(Number.POSITIVE_INFINITY);
    return (entropy) => {
      const values = scores.map((score) => String(score.plus(geometric(rate, entropy))));
      return { outcome: { indices: [], values }, privacy };
    };
  },
};

/** One value on a public grid [Ilv20, Mechanism 1 and §4.1]. */
const clamped: Simulated = {
  takes: ["sensitivity", "eta", "epsilon", "range", "step"],
  prepare(scores, parameters) {
    const { epsilon, eta, sensitivity, step = "1" } = parameters;
    const [value] = scores as readonly [Rational];
    if (scores.length > 1)
      throw unusable(mustBe("The file for clamped-laplace", "of one value", scores.length));
    const { lower, upper } = typedGrid(parameters);
    const chosen = { epsilon, eta: readEta(eta), sensitivity, lower, upper, step };
    return (entropy) => {
      const answer = clampedLaplace(value, asOptions<ClampedLaplaceOptions>({ ...chosen, entropy }));
      return { outcome: { indices: [], values: [String(answer.value)] }, privacy: answer.privacy };
    };
  },
};

/** The k largest counts, or nothing: with Gaussian or Laplace noise on their lead [ZW22, Alg 4, 5]. */
const proposal: Simulated = {
  takes: [...OF_SCORES, ...(["k", "epsilon", "rho", "scale", "variance", "delta", "thresholdRule"] as const)],
  prepare(scores, { k = 1, ...parameters }) {
    const counts = numbersOf(scores);
    const chosen = { ...parameters, k, sensitivity: readWholeSensitivity(parameters) };
    return (entropy) => {
      const options = asOptions<ProposeTestReleaseOptions>({ ...chosen, entropy });
      const release = proposeTestRelease(counts, options);
      const { released, privacy } = release;
      return { outcome: { indices: release.released ? release.candidates : [], released }, privacy };
    };
  },
};

/** By name: the list, then those that answer no question. */
export const SIMULATED: Readonly<Record<string, Simulated>> = {
  ...Object.fromEntries(
    MECHANISMS.flatMap(({ name, simulated }) => (simulated === undefined ? [] : [[name, simulated]])),
  ),
  "report-noisy-max": reportNoisyMaximum,
  "base2-exponential": base2,
  "largest-gap": largestLead,
  laplace,
  geometric: oneSided,
  "clamped-laplace": clamped,
  "propose-test-release": proposal,
};

/** The options that determine the noise: one of them on the command line overrides the defaults of the others. */
const SIZES: ReadonlySet<string> = new Set<OptionName>([
  ...(["epsilon", "rho", "scale", "variance", "eta"] as const),
  ...(["chooseScale", "testVariance", "roundsScale"] as const),
]);

/** The parameters without defaults that don't apply; options that were typed must apply to the mechanism. */
export function knownParameters(
  name: string,
  given: Parameters,
  defaults: readonly string[] = [],
): Parameters {
  const isTyped = (option: string) => !defaults.includes(option);
  const takes: readonly string[] = SIMULATED[name].takes;
  const names = Object.keys(given) as OptionName[];
  const idle = names.find((option) => isTyped(option) && !takes.includes(option));
  if (idle !== undefined) {
    const known = flags(...SIMULATED[name].takes)
      .sort()
      .join(", ");
    throw unusable(`${flagOf(OPTIONS[idle])} doesn't apply to ${name}, which takes ${known}.`);
  }
  const hasTypedSize = names.some((option) => isTyped(option) && SIZES.has(option));
  const kept = Object.entries(given).filter(
    ([option]) => takes.includes(option) && (isTyped(option) || !(hasTypedSize && SIZES.has(option))),
  );
  return Object.fromEntries(kept);
}
