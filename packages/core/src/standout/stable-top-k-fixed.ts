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
 * exponential mechanism, which share it. An unknown domain with j ≤ k never has rounds, so there it is half and half. With
 * `epsilon`, (ε, δ)-DP as in `stableTopK`. Cost: as `stableTopK`, and `topK` on those that are left. Proof:
 * stable-top-k.proof.md.
 * @module
 */

import { compose } from "../accounting/compose.js";
import type { LossOf } from "../accounting/loss.js";
import type { LossLike } from "../accounting/loss-json.js";
import type { LooseOptions, Spend } from "../accounting/spend.js";
import { isAccepted } from "../accounting/within.js";
import { anEntropy, type Entropy } from "../entropy.js";
import { invalidParameter } from "../errors.js";
import { type Rational, type RationalLike, rational } from "../exact/rational.js";
import {
  bigInteger,
  integer,
  nonNegativeRational,
  oneOf,
  properProbability,
  readOptions,
} from "../options.js";
import {
  type CandidateOf,
  type ChosenSet,
  type NamedCounts,
  nameSet,
  readNamedCounts,
} from "../race/candidates.js";
import type { Measurement } from "../select/measurement.js";
import { type LooseNoise, readNoise } from "../select/noisy-max-noise.js";
import { withEntropy } from "../system-entropy.js";
import { GapChoice, type GapOptions } from "./gap-choice.js";
import { gapSensitivity } from "./gap-sensitivity.js";
import { type Histogram, holdCounts } from "./largest-counts.js";
import { COUNTS } from "./largest-gap.js";
import type { TestedSet } from "./propose-test-release.js";
import type { Recorder, Taker } from "./recorder.js";
import { type LooseRounds, roundsBudget, SharedRounds } from "./shared-rounds.js";
import { type LooseTest, StabilityTest, THRESHOLD } from "./stability-test.js";
import { readBudget } from "./stable-budget.js";
import {
  lossAt,
  STABLE_SIZES,
  STEPS,
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
  /** What a step of j away from k counts against the width of the gap. Default: as much as `gapCap` for k steps. */
  readonly penalty?: RationalLike | undefined;
  /** Wider gaps count as if they were this wide; Infinity: as they are. Default: a gap that is nearly certain to pass. */
  readonly gapCap?: number | bigint | undefined;
}

/**
 * What `stableTopKFixed` is asked: the settings, and exactly one of `rho` and `epsilon`.
 *
 * @typeParam Names Those that it may be.
 *
 * @interface
 */
export type StableTopKFixedOptions<Names extends "rho" | "epsilon" = "rho" | "epsilon"> = Spend<Names> &
  FixedOptions &
  Pick<StableTopKOptions, "noise" | "delta" | "thresholdRule" | "sensitivity" | "monotone" | "entropy">;

/**
 * The candidates, and the stable set that they come from: k of them for a public domain, at most k for an unknown one.
 *
 * @typeParam Candidate A position or a name.
 *
 * @inline
 */
export type StableTopKFixedAnswer<Candidate = number> = ChosenSet<Candidate> & {
  /** The j that was chosen, and whether its j candidates were stable. */
  readonly stable: Pick<StableRelease, "k" | "released">;
};

/**
 * The candidates, the stable set that they come from, and what that cost.
 *
 * @typeParam Candidate A position or a name.
 * @typeParam Privacy The measure of the budget.
 *
 * @interface
 */
export type StableTopKFixed<
  Candidate = number,
  Privacy = LossOf<Rational>["zcdp" | "approx"],
> = StableTopKFixedAnswer<Candidate> & {
  /** The loss that was incurred, whatever the answer. */
  readonly privacy: Privacy;
};

/**
 * k candidates with large counts, for a k that is given, at less loss where there is a gap near it.
 *
 * A stable set of about that size is released if there is one, and the exponential mechanism makes k of it [ZW22, Alg
 * 3, corrected]. Of an unknown domain there may be fewer than k.
 *
 * Guarantee: with `rho`, δ-approximate ρ-zCDP; with `epsilon`, (ε, δ)-DP; whatever the answer is. See
 * docs/mechanisms/stable-top-k.md.
 *
 * @param histogram The count of each candidate: an array gives positions; a `Map`, a record or pairs give names,
 * whatever the order in which they came.
 * @param options How many candidates, whether their domain is public, the budget with its δ, and how one individual can
 * change counts.
 *
 * @example
 * ```ts
 * import { stableTopKFixed } from "winnow-dp";
 *
 * const users = { flu: 9000, cold: 8700, cough: 3, fever: 1 };
 * const options = { k: 2, domain: "public", epsilon: 1, delta: "1e-6", monotone: true } as const;
 * stableTopKFixed(users, options).candidates; // → ["cold", "flu"]
 * ```
 */
export function stableTopKFixed<Given extends Histogram | NamedCounts>(
  histogram: Given,
  options: StableTopKFixedOptions<"rho">,
): StableTopKFixed<CandidateOf<Given>, LossOf<Rational>["zcdp"]>;
export function stableTopKFixed<Given extends Histogram | NamedCounts>(
  histogram: Given,
  options: StableTopKFixedOptions<"epsilon">,
): StableTopKFixed<CandidateOf<Given>, LossOf<Rational>["approx"]>;
export function stableTopKFixed<Given extends Histogram | NamedCounts>(
  histogram: Given,
  options: StableTopKFixedOptions,
): StableTopKFixed<CandidateOf<Given>>;
export function stableTopKFixed(
  histogram: Histogram | NamedCounts,
  options: LooseOptions<StableTopKFixedOptions>,
): StableTopKFixed<number | string> {
  const read = readOptions(
    options,
    { ...REQUIRED, delta: properProbability },
    { ...OPTIONAL, ...STABLE_SIZES, noise: readNoise, entropy: anEntropy },
  );
  const { noise = "gumbel", k, domain, maxK, penalty, gapCap, sensitivity, monotone, thresholdRule } = read;
  const budget = readBudget(read);
  const [half, quarter] = [2n, 4n].map((share) => budget.rho.dividedBy(share));
  const share = mayTakeRounds(read) ? quarter : half;
  const measurement = makeStableTopKFixed({
    ...{ k, domain, maxK, penalty, gapCap, sensitivity, monotone, thresholdRule },
    choose: { noise, rho: share },
    test: { rho: share },
    rounds: { rho: half },
    delta: budget.failure,
  });
  const answer = measurement.invoke(histogram, read.entropy);
  return { ...answer, privacy: budget.report(measurement.zcdp) };
}

/**
 * How many candidates, whether their domain is public, and the noise of each step or a budget for it.
 *
 * @inline
 */
export interface StableTopKFixedParameters
  extends FixedOptions,
    Omit<StableTopKParameters, "maxK" | "regulariser"> {
  /** The noise of all rounds of the exponential mechanism, or a budget for them together; charged if there may be any. */
  readonly rounds: Spend<"rho" | "scale">;
}

const REQUIRED = { k: integer, domain: oneOf("public", "unknown") };
const OPTIONAL = {
  ...COUNTS,
  ...THRESHOLD,
  maxK: integer,
  penalty: nonNegativeRational,
  gapCap: (field: string, value: number | bigint) => (value === Infinity ? value : bigInteger(field, value)),
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
export class StableTopKFixedMeasurement
  implements Measurement<Histogram | NamedCounts, StableTopKFixedAnswer<number | string>, LossOf["zcdp"]>
{
  /** The loss of one run. */
  readonly zcdp: LossOf<Rational>["zcdp"];
  /** The measure of `map`: δ-approximate zero-concentrated differential privacy. */
  readonly measure = "zcdp";
  readonly #k: number;
  readonly #isPublic: boolean;
  readonly #sensitivity: RationalLike;
  readonly #stable: StableTopKMeasurement;
  readonly #rounds: SharedRounds | undefined;

  /** Called by `makeStableTopKFixed`. */
  constructor(parameters: StableTopKFixedParameters) {
    const read = readOptions<LooseParameters>(
      parameters,
      { ...REQUIRED, ...STEPS, rounds: roundsBudget },
      OPTIONAL,
      "parameters",
    );
    this.#k = read.k;
    this.#isPublic = read.domain === "public";
    this.#sensitivity = read.sensitivity ?? 1n;
    const test = new StabilityTest(gapSensitivity(read), read.test, read);
    const choice = new GapChoice(gapOptions(read, test), read.choose);
    this.#stable = new StableTopKMeasurement(choice, test, read);
    this.#rounds = mayTakeRounds(read) ? new SharedRounds(read.rounds, read) : undefined;
    const { zcdp } = this.#stable;
    this.zcdp = this.#rounds === undefined ? zcdp : compose(zcdp, this.#rounds.loss(this.#k));
    Object.freeze(this);
  }

  /**
   * The candidates, and the stable set that they come from.
   *
   * @param histogram The count of each candidate: an array gives positions; a `Map`, a record or pairs give names.
   * @param entropy Where the fair bits come from. Default: the system's cryptographic generator.
   */
  invoke<Given extends Histogram | NamedCounts>(
    histogram: Given,
    entropy?: Entropy,
  ): StableTopKFixedAnswer<CandidateOf<Given>> {
    const counts = this.#read(histogram);
    const answer = withEntropy(entropy, (bits) =>
      this.#answer(counts, this.#stable.invoke(counts.held, bits), bits),
    );
    return answer as unknown as StableTopKFixedAnswer<CandidateOf<Given>>;
  }

  /**
   * As `invoke`, with each private step taken through a recorder: the code that runs is the code that an audit sees.
   *
   * @param histogram The count of each candidate: an array gives positions; a `Map`, a record or pairs give names.
   * @param recorder Takes the steps.
   */
  recorded<Given extends Histogram | NamedCounts>(
    histogram: Given,
    recorder: Recorder,
  ): StableTopKFixedAnswer<CandidateOf<Given>> {
    const counts = this.#read(histogram);
    const answer = this.#answer(counts, this.#stable.recorded(counts.held, recorder), recorder);
    return answer as unknown as StableTopKFixedAnswer<CandidateOf<Given>>;
  }

  #read(histogram: Histogram | NamedCounts): HeldCounts {
    const { scores, names } = readNamedCounts(histogram);
    const held = holdCounts(scores);
    if (this.#isPublic && held.length < this.#k)
      throw invalidParameter("k", `an integer from 1 to ${held.length}`, this.#k);
    return { held, names };
  }

  #answer({ held, names }: HeldCounts, { k, ...release }: StableRelease, by: Taker) {
    const indices = this.#completed(held, release, by).sort((a, b) => a - b);
    return { ...nameSet(indices, names), stable: { k, released: release.released } };
  }

  /**
   * The loss of one run: `zcdp` if one individual changes no count by more than the `sensitivity` that the noise was made
   * for, nothing at distance 0, and unbounded beyond it.
   */
  map(dIn: RationalLike): LossOf["zcdp"] {
    return lossAt(dIn, this.#sensitivity, this.zcdp);
  }

  /** Whether neither the ρ nor the δ of `map(dIn)` exceeds that of `dOut`. */
  check(dIn: RationalLike, dOut: LossLike<"zcdp">): boolean {
    return isAccepted(this.map(dIn), dOut);
  }

  /** k candidates made of what was released. */
  #completed(histogram: Histogram, stable: TestedSet, by: Taker): number[] {
    const released = stable.released ? [...stable.candidates] : [];
    const missing = this.#k - released.length;
    if (missing === 0 || this.#rounds === undefined) return released;
    if (missing < 0) return this.#rounds.pickFrom(released, histogram, this.#k, by);
    if (!this.#isPublic) return released;
    return [...released, ...this.#rounds.pickBeside(released, histogram, missing, by)];
  }
}

/**
 * `stableTopKFixed` as a measurement: each noise of its own, and the loss of a run known beforehand.
 *
 * See docs/mechanisms/stable-top-k.md.
 *
 * @example
 * ```ts
 * import { makeStableTopKFixed } from "winnow-dp";
 *
 * const measurement = makeStableTopKFixed({
 *   k: 2,
 *   domain: "unknown",
 *   monotone: true,
 *   choose: { noise: "gumbel", scale: 4 },
 *   test: { variance: 16 },
 *   rounds: { rho: "1/8" },
 *   delta: "1e-6",
 * });
 * measurement.map(1); // → { measure: "zcdp", rho: 0.0625, delta: 0.000001 }
 * measurement.invoke({ flu: 9000, cold: 8700, cough: 3 }).candidates; // → ["cold", "flu"]
 * ```
 */
export function makeStableTopKFixed(parameters: StableTopKFixedParameters): StableTopKFixedMeasurement {
  return new StableTopKFixedMeasurement(parameters);
}

/** Counts that are read once, and the names of their candidates. */
interface HeldCounts {
  readonly held: Histogram;
  readonly names: readonly string[] | undefined;
}

/** The parameters before it is known that each step has just one budget. */
interface LooseParameters extends Omit<StableTopKFixedParameters, "choose" | "test" | "rounds"> {
  readonly choose: LooseNoise;
  readonly test: LooseTest;
  readonly rounds: LooseRounds;
}

/** r(j) = −penalty·|j − k|. */
function gapOptions(parameters: LooseParameters, test: StabilityTest): GapOptions {
  const { k, sensitivity, monotone } = parameters;
  const gapCap = parameters.gapCap === Infinity ? undefined : (parameters.gapCap ?? test.certainGap);
  const penalty =
    parameters.penalty === undefined
      ? rational(gapCap ?? test.certainGap, "gapCap").dividedBy(BigInt(k))
      : nonNegativeRational("penalty", parameters.penalty);
  const regulariser = (j: number) => penalty.times(BigInt(-Math.abs(j - k)));
  return { maxK: largestSize(parameters), regulariser, gapCap, sensitivity, monotone };
}
