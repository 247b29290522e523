/**
 * `stableTopKFixed`: the k candidates with the largest counts, for a k that is given, at less loss where there is a gap
 * near it. A j near k with a wide gap is chosen and its j candidates released if they are stable, as in `stableTopK`;
 * the exponential mechanism then makes k of them [ZW22, Alg 3, corrected]:
 *
 *   j = k         the j candidates
 *   j > k         k of the j candidates, which are public by now
 *   j < k         the j candidates and k − j of all others     (public domain)
 *   not released  k of all candidates                          (public domain)
 *
 * Where the candidates are not known beforehand (`domain: "unknown"`) none may be chosen that was not released: for
 * j < k the answer is the j candidates, fewer than k, and if they are not released it is empty.
 *
 * Guarantee: δ-approximate ρ-zCDP: a quarter of ρ to choose j, a quarter for the test, and half for the rounds of the
 * exponential mechanism, which share it whatever their number; where it can never come to a round, that is for an
 * unknown domain with j ≤ k, half and half. With `epsilon`, (ε, δ)-DP as in `stableTopK`.
 * Cost: as `stableTopK`, and `topK` on those that are left. Proof: docs/proofs/stable-top-k.md.
 * @module
 */
import { anEntropy, type Entropy, withEntropy } from "../entropy.js";
import { invalidParameter } from "../errors.js";
import { type Rational, type RationalLike, rational } from "../exact/rational.js";
import { scaleAtLeast } from "../privacy/calibrate.js";
import { compose, repeat } from "../privacy/compose.js";
import { zcdpOfBoundedRange } from "../privacy/convert.js";
import { type ApproxLoss, type ZcdpLoss, zcdp } from "../privacy/loss.js";
import { makeNoisyTopK } from "../select/noisy-top-k.js";
import { rangeOf } from "../select/options.js";
import { readNoise } from "../select/report-noisy-max.js";
import {
  bigInteger,
  exactlyOneOf,
  integer,
  nonNegativeRational,
  oneOf,
  positiveRational,
  properProbability,
  readOptions,
} from "../validate.js";
import { type Histogram, holdCounts } from "./largest-counts.js";
import { COUNTS, type CountOptions, GapChoice, type GapOptions, gapSensitivity } from "./largest-gap.js";
import { StabilityTest, THRESHOLD } from "./stability-test.js";
import {
  readBudget,
  STABLE_SIZES,
  STEPS,
  type StableBudgetOptions,
  type StableRelease,
  StableTopKMeasurement,
  type StableTopKOptions,
  type StableTopKParameters,
} from "./stable-top-k.js";

interface FixedOptions {
  /** How many candidates are wanted. */
  readonly k: number;
  /** Whether the histogram lists every candidate of a public domain, or only those that the data happen to mention. */
  readonly domain: "public" | "unknown";
  /** The largest j. Default 2k for a public domain, k for an unknown one. */
  readonly maxK?: number | undefined;
  /** What a step of j away from k counts against the width of the gap. Default: as much as `cap` for k steps. */
  readonly penalty?: RationalLike | undefined;
  /** Wider gaps count as if they were this wide; Infinity: as they are. Default: a gap that is nearly certain to pass. */
  readonly cap?: number | bigint | undefined;
}

/**
 * How many candidates, whether their domain is public, a budget (exactly one of `rho` and `epsilon`, with a `delta`),
 * and how one individual can change counts.
 */
export interface StableTopKFixedOptions
  extends FixedOptions,
    StableBudgetOptions,
    Pick<StableTopKOptions, "noise" | "threshold" | "sensitivity" | "monotone" | "entropy"> {}

/** The candidates, the stable set that they come from, and what that cost. */
export interface StableTopKFixed {
  /** Positions in the histogram, ascending: k of them for a public domain, at most k for an unknown one. */
  readonly indices: readonly number[];
  /** The j that was chosen, and whether its j candidates were stable. */
  readonly stable: Pick<StableRelease, "k" | "released">;
  /** The loss that was incurred, whatever the answer. */
  readonly privacy: ZcdpLoss | ApproxLoss;
}

/**
 * k candidates with large counts, for a k that is given, at less loss where there is a gap near it.
 *
 * A stable set of about that size is released if there is one, and the exponential mechanism makes k of it [ZW22, Alg
 * 3, corrected]. Of an unknown domain there may be fewer than k.
 *
 * Guarantee: with `rho`, δ-approximate ρ-zCDP; with `epsilon`, (ε, δ)-DP; whatever the answer is. See
 * docs/mechanisms/stable-top-k.md.
 *
 * @param histogram The count of each candidate.
 * @param options How many candidates, whether their domain is public, the budget with its δ, and how one individual can
 * change counts.
 */
export function stableTopKFixed(histogram: Histogram, options: StableTopKFixedOptions): StableTopKFixed {
  const read = readOptions(
    options,
    { ...REQUIRED, delta: properProbability },
    { ...OPTIONAL, ...STABLE_SIZES, noise: readNoise, entropy: anEntropy },
  );
  const { noise = "gumbel", k, domain, maxK, penalty, cap, sensitivity, monotone, threshold } = read;
  const budget = readBudget(read);
  const [half, quarter] = [2n, 4n].map((share) => budget.rho.dividedBy(share));
  const share = mayTakeRounds(read) ? quarter : half;
  const measurement = makeStableTopKFixed({
    ...{ k, domain, maxK, penalty, cap, sensitivity, monotone, threshold },
    choose: { noise, rho: share },
    test: { rho: share },
    rounds: { rho: half },
    delta: budget.failure,
  });
  const answer = measurement.invoke(histogram, read.entropy);
  return { ...answer, privacy: budget.report(measurement.zcdp) };
}

/** How many candidates, whether their domain is public, and the noise of each step or a budget for it. */
export interface StableTopKFixedParameters
  extends FixedOptions,
    Omit<StableTopKParameters, "maxK" | "regulariser"> {
  /** The noise of all rounds of the exponential mechanism, or a budget for them together; charged if there may be any. */
  readonly rounds: RoundsBudget;
}

const REQUIRED = { k: integer, domain: oneOf("public", "unknown") };
const OPTIONAL = {
  ...COUNTS,
  ...THRESHOLD,
  maxK: integer,
  penalty: nonNegativeRational,
  cap: (field: string, value: number | bigint) => (value === Infinity ? value : bigInteger(field, value)),
};

/** The largest j. */
function largestSize({ k, domain, maxK = domain === "public" ? 2 * k : k }: FixedOptions): number {
  return maxK;
}

/** Whether there can be anything to add or to drop. */
function mayTakeRounds(options: FixedOptions): boolean {
  return options.domain === "public" || largestSize(options) > options.k;
}

/** `stableTopKFixed` with each noise of its own, to be run many times. */
export class StableTopKFixedMeasurement {
  /** The loss of one run. */
  readonly zcdp: ZcdpLoss;
  readonly #k: number;
  readonly #isPublic: boolean;
  readonly #stable: StableTopKMeasurement;
  readonly #rounds: SharedRounds | undefined;

  /** The same as `makeStableTopKFixed`. */
  constructor(parameters: StableTopKFixedParameters) {
    const read = readOptions(
      parameters,
      { ...REQUIRED, ...STEPS, rounds: roundsBudget },
      OPTIONAL,
      "parameters",
    );
    this.#k = read.k;
    this.#isPublic = read.domain === "public";
    const test = new StabilityTest(gapSensitivity(read), read.test, read);
    const choice = new GapChoice(gapOptions(read, test), read.choose);
    this.#stable = new StableTopKMeasurement(choice, test);
    this.#rounds = mayTakeRounds(read) ? new SharedRounds(read.rounds, read) : undefined;
    const { zcdp } = this.#stable;
    this.zcdp = this.#rounds === undefined ? zcdp : compose(zcdp, this.#rounds.loss(this.#k));
  }

  /**
   * The candidates, and the stable set that they come from.
   *
   * @param histogram The count of each candidate.
   * @param entropy Where the fair bits come from. Default: the system's cryptographic generator.
   */
  invoke(histogram: Histogram, entropy?: Entropy): Omit<StableTopKFixed, "privacy"> {
    const held = holdCounts(histogram);
    if (this.#isPublic && held.length < this.#k)
      throw invalidParameter("k", `an integer from 1 to ${held.length}`, this.#k);
    return withEntropy(entropy, (bits) => {
      const stable = this.#stable.invoke(held, bits);
      const indices = this.#completed(held, stable, bits);
      return { indices: indices.sort((a, b) => a - b), stable: { k: stable.k, released: stable.released } };
    });
  }

  /** k candidates made of what was released. */
  #completed(histogram: Histogram, stable: StableRelease, entropy: Entropy): number[] {
    const released = stable.released ? [...stable.indices] : [];
    const missing = this.#k - released.length;
    if (missing === 0 || this.#rounds === undefined) return released;
    if (missing < 0) return this.#rounds.pickFrom(released, histogram, this.#k, entropy);
    if (!this.#isPublic) return released;
    return [...released, ...this.#rounds.pickBeside(released, histogram, missing, entropy)];
  }
}

/**
 * `stableTopKFixed` as a measurement: each noise of its own, and the loss of a run known beforehand.
 *
 * See docs/mechanisms/stable-top-k.md.
 */
export function makeStableTopKFixed(parameters: StableTopKFixedParameters): StableTopKFixedMeasurement {
  return new StableTopKFixedMeasurement(parameters);
}

/** r(j) = −penalty·|j − k|. */
function gapOptions(parameters: StableTopKFixedParameters, test: StabilityTest): GapOptions {
  const { k, sensitivity, monotone } = parameters;
  const cap = parameters.cap === Infinity ? undefined : (parameters.cap ?? test.certainGap);
  const penalty =
    parameters.penalty === undefined
      ? rational(cap ?? test.certainGap, "cap").dividedBy(BigInt(k))
      : nonNegativeRational("penalty", parameters.penalty);
  const regulariser = (j: number) => penalty.times(BigInt(-Math.abs(j - k)));
  return { maxK: largestSize(parameters), regulariser, cap, sensitivity, monotone };
}

/*
 * Rounds of the exponential mechanism that share one budget, whatever their number: K rounds of Gumbel noise of scale
 * r·√(K/8ρ), drawn as one race, are ρ-zCDP together. Each picks from candidates that are public.
 */

/** The noise of rounds of the exponential mechanism: exactly one of `rho` and `scale`. */
export interface RoundsBudget {
  /** Zero-concentrated differential privacy of all rounds together. */
  readonly rho?: RationalLike | undefined;
  /** The scale of Gumbel noise in each round, however many there are. */
  readonly scale?: RationalLike | undefined;
}

/** The reader of a budget for rounds. */
export function roundsBudget(field: string, value: RoundsBudget): RoundsBudget {
  return readOptions(value, {}, { rho: positiveRational, scale: positiveRational }, field);
}

export class SharedRounds {
  /** How far one individual can move two counts against each other. */
  readonly #range: Rational;
  readonly #rho: Rational | undefined;
  readonly #scale: Rational | undefined;

  constructor({ rho, scale }: RoundsBudget, counts: CountOptions) {
    exactlyOneOf({ rho, scale });
    this.#range = rangeOf(counts);
    this.#rho = rho === undefined ? undefined : positiveRational("rho", rho);
    this.#scale = scale === undefined ? undefined : positiveRational("scale", scale);
  }

  /** What up to so many rounds cost. */
  loss(rounds: number): ZcdpLoss {
    if (this.#rho !== undefined) return zcdp(this.#rho);
    return repeat(zcdpOfBoundedRange(this.#range.dividedBy(this.#scaleFor(rounds))), rounds);
  }

  /** `rounds` of these candidates, one a round. */
  pickFrom(candidates: readonly number[], histogram: Histogram, rounds: number, entropy: Entropy): number[] {
    const counts = candidates.map((index) => histogram[index]);
    return this.#race(counts, rounds, rounds, entropy).map((place) => candidates[place]);
  }

  /**
   * `rounds` of all candidates but these. Everyone races, and those that are excluded are left out of the order, which is
   * for the others what it would be without them.
   */
  pickBeside(excluded: readonly number[], histogram: Histogram, rounds: number, entropy: Entropy): number[] {
    const isExcluded = new Set(excluded);
    const order = this.#race(histogram, rounds, rounds + excluded.length, entropy);
    return order.filter((index) => !isExcluded.has(index)).slice(0, rounds);
  }

  /** The first `places` candidates in the order of the noisy counts, with the noise of so many rounds. */
  #race(counts: Histogram, rounds: number, places: number, entropy: Entropy): number[] {
    const scale = this.#scaleFor(rounds);
    const { winners } = makeNoisyTopK({ k: places, measure: "zcdp", scale }).invoke(counts, entropy);
    return winners.map(({ index }) => index);
  }

  #scaleFor(rounds: number): Rational {
    if (this.#scale !== undefined) return this.#scale;
    const target = zcdp(this.#rho as Rational);
    return scaleAtLeast(target, { range: this.#range, times: rounds, boundedRange: true });
  }
}
