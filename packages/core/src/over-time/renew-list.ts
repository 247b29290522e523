/**
 * `renewList`: a published list of the k largest that is renewed only when it is wrong. In each period a private test compares
 *   how wrong the list is   q = (largest count outside the list) − (smallest count inside)
 * with a tolerance: q + ν ≥ tolerance + Z draws a new list, and anything less leaves the list as it is. Z is drawn once, ν in each
 * period, both integers. After `renewals` new lists the list is frozen.
 *
 * Guarantee, for the whole horizon, however many periods there are and in however many of them a person appears, with r = Δ if
 * `monotone` and 2Δ if not, b₁ and b₂ the scales of the noise, c renewals and lists at ε_S (the first one included):
 *   epsilon   P(Z) ∝ e^(−Z/b₁), P(ν) ∝ e^(−ν/b₂), from 0 on: pure r/b₁ + 2c·r/b₂ + (c + 1)·ε_S
 *   rho       Z discrete Gaussian of σ², ν Gumbel of b: zCDP r²/(2σ²) + c·(2r/b)²/2 + (c + 1)·ρ_S
 *
 * One person must move each period's counts by at most Δ: people who come twice count once in a period's counts. *Sums* of the
 * periods' counts move with every period of a person and aren't covered. The state holds Z, so it is secret; each state is
 * continued once.
 *
 * Cost: a scan of the counts and one coin per period; `topKSet` for each new list. Proof: renew-list.proof.md.
 * @module
 */
import { compose, repeat } from "../accounting/compose.js";
import { type LossOf, pure, zcdp } from "../accounting/loss.js";
import { rangeDistance } from "../accounting/price.js";
import type { LooseOptions, Spend } from "../accounting/spend.js";
import { anEntropy, type Entropy } from "../entropy.js";
import { invalidData, invalidKind, invalidParameter } from "../errors.js";
import { lnOf, roundedUp } from "../exact/certified.js";
import { Interval } from "../exact/interval.js";
import { Rational, type RationalLike, rational } from "../exact/rational.js";
import { pureNoise, zcdpNoise } from "../numbers/above-threshold.js";
import { makeAboveThreshold } from "../numbers/threshold-measurement.js";
import {
  anyRational,
  boolean,
  exactlyOneOf,
  failureChance,
  integer,
  positiveRational,
  properProbability,
  readOptions,
} from "../options.js";
import type { ChosenSet } from "../race/candidates.js";
import { ScoreReader, type Scores } from "../race/scores.js";
import { drawBernoulliExp } from "../sample/bernoulli-exp.js";
import { drawDiscreteGaussian } from "../sample/discrete-gaussian.js";
import { drawGeometric } from "../sample/geometric.js";
import { PartialUniform } from "../sample/partial-uniform.js";
import { topKSet } from "../select/top-k-set.js";
import { withEntropy } from "../system-entropy.js";

/**
 * The list, how often it may change, and the budget of the whole horizon: exactly one of `epsilon` and `rho`.
 *
 * @interface
 */
export type RenewListOptions = Spend<"epsilon" | "rho"> & RenewListQuestion;

/**
 * Which list, and how often it may change.
 *
 * @inline
 */
export interface RenewListQuestion {
  /** How many are on the list. */
  readonly k: number;
  /** How often the list may be renewed; after that it is frozen. */
  readonly renewals: number;
  /** How wrong the list may be: by how much a count outside may be above one inside. Default 0. */
  readonly tolerance?: RationalLike | undefined;
  /** How much one individual can change any one count of a period. Default 1. */
  readonly sensitivity?: RationalLike | undefined;
  /** Whether an individual moves all counts the same way, as in counts of people who come or go. Default false. */
  readonly monotone?: boolean | undefined;
  /** The part of the budget that the lists get, the first one included; the tests get the rest. Default 1/2. */
  readonly listShare?: RationalLike | undefined;
  /** With `epsilon`: the scales of the noise of tolerance and periods, if not those with the least variance. */
  readonly scales?: TestScales | undefined;
}

/**
 * Noise scales of the tests. Their price must fit into the budget without the lists' part.
 *
 * @inline
 */
export interface TestScales {
  /** b₁, of the tolerance. */
  readonly threshold: RationalLike;
  /** b₂, of a period. */
  readonly query: RationalLike;
}

/** The state between two periods. It has the noise of the tolerance, so it is secret. */
interface State {
  readonly noise: bigint;
  readonly indices: readonly number[];
  /** How many candidates there are. */
  readonly candidates: number;
  readonly renewed: number;
}

/**
 * What a period publishes, and the state to keep.
 *
 * @inline
 */
export type ListStep = {
  /** The published list as places among the counts, in their order. */
  readonly candidates: readonly number[];
  /** Whether this period renewed it. */
  readonly isRenewed: boolean;
  /** How often it was renewed so far. */
  readonly renewed: number;
  /** Whether it was renewed as often as it may be: from here on it stays as it is, right or wrong. */
  readonly isFrozen: boolean;
  /** What the next period needs. It has the noise of the tolerance, so keep it secret, and continue it once only. */
  readonly state: string;
};

/**
 * How wrong a list may be unnoticed, and how right one that is renewed for nothing.
 *
 * @inline
 */
export type RenewalBounds = {
  /** With the stated confidence every list that is wrong by this much is renewed in its period, until the list is frozen. */
  readonly miss: Rational;
  /** With the stated confidence no list that is wrong by at most this much (it may be negative) is renewed. */
  readonly falseAlarm: Rational;
};

/** The noise of the tests, and what a list costs. */
export interface ListParameters {
  readonly threshold: Rational;
  readonly query: Rational;
  readonly list: Rational;
}

const OPTIONS = {
  epsilon: positiveRational,
  rho: positiveRational,
  tolerance: anyRational,
  sensitivity: positiveRational,
  monotone: boolean,
  listShare: properProbability,
  scales: (field: string, given: TestScales) =>
    readOptions(given, { threshold: positiveRational, query: positiveRational }, {}, field),
};

/** The noise of the tests. */
type TestNoise =
  | { readonly thresholdScale: Rational; readonly queryScale: Rational }
  | { readonly thresholdVariance: Rational; readonly queryScale: Rational };

const HALF = /* @__PURE__ */ Rational.of(1n, 2n);

/** A list that is renewed only when it is wrong, made by `renewList`: `start` it once, then `next` in each period. */
export class ListRenewal {
  /** What the whole horizon costs, the first list included, whatever happens in it. Charge it before `start`. */
  readonly privacy: LossOf<Rational>["pure" | "zcdp"];
  /** How often the list may be renewed. */
  readonly renewals: number;
  /** With `epsilon`: b₁, b₂ and the price of one list, from which the privacy follows. */
  readonly parameters: ListParameters | undefined;
  /** What one list costs. */
  readonly #list: { readonly epsilon: Rational } | { readonly rho: Rational };
  readonly #k: number;
  readonly #tolerance: bigint;
  readonly #noise: TestNoise;
  readonly #range: Rational;

  /**
   * Made by `renewList`.
   *
   * @internal
   */
  constructor(options: RenewListOptions) {
    const loose = options as LooseOptions<RenewListOptions>;
    const read = readOptions(loose, { k: integer, renewals: integer }, OPTIONS);
    const { epsilon, rho, k, renewals, listShare = HALF, sensitivity = 1n, monotone = false } = read;
    exactlyOneOf({ epsilon, rho });
    if (read.scales !== undefined && epsilon === undefined)
      throw invalidParameter("scales", "absent without epsilon", "scales");
    this.renewals = renewals;
    this.#k = k;
    this.#tolerance = rational(read.tolerance ?? 0n).ceil();
    this.#range = rangeDistance(rational(sensitivity), monotone);
    const whole = rational((epsilon ?? rho) as RationalLike);
    const lists = whole.times(rational(listShare));
    const rest = whole.minus(lists);
    const each = lists.dividedBy(BigInt(renewals + 1));
    this.#list = epsilon === undefined ? { rho: each } : { epsilon: each };
    // How wrong a list is moves by at most the range, in any direction.
    const question = { maxAbove: renewals, monotone: false, ordered: false };
    this.#noise =
      epsilon === undefined
        ? (zcdpNoise(rest, this.#range, question) as TestNoise)
        : read.scales === undefined
          ? pureNoise(rest, this.#range, question)
          : scalesOf(read.scales);
    this.parameters =
      "thresholdScale" in this.#noise
        ? { threshold: this.#noise.thresholdScale, query: this.#noise.queryScale, list: each }
        : undefined;
    this.privacy = this.#total(renewals);
    const size = this.privacy.measure === "pure" ? this.privacy.epsilon : this.privacy.rho;
    if (!(size instanceof Rational) || size.compare(whole) > 0)
      throw invalidParameter("scales", "such that tests and lists fit into the budget", String(size));
    Object.freeze(this);
  }

  /** Tests with that many renewals, and their lists with the first one. */
  #total(renewals: number): LossOf<Rational>["pure" | "zcdp"] {
    const tests = makeAboveThreshold({ ...this.#noise, maxAbove: Math.max(renewals, 1) });
    const list = "epsilon" in this.#list ? pure(this.#list.epsilon) : zcdp(this.#list.rho);
    if (renewals > 0)
      return compose(
        tests.map(this.#range) as LossOf<Rational>["pure" | "zcdp"],
        repeat(list, renewals + 1),
      ) as LossOf<Rational>["pure" | "zcdp"];
    const { thresholdScale } = this.#noise as { thresholdScale: Rational };
    return compose(pure(this.#range.dividedBy(thresholdScale)), list) as LossOf<Rational>["pure"];
  }

  /**
   * What a horizon with that many renewals turned out to cost. It may be settled only after the last period, when the state is
   * destroyed. In zCDP, the whole.
   *
   * @param renewed How often the list was renewed.
   */
  settled(renewed: number): LossOf<Rational>["pure" | "zcdp"] {
    integer("renewed", renewed, 0, this.renewals);
    return this.privacy.measure === "zcdp" ? this.privacy : this.#total(renewed);
  }

  /**
   * The first list, and the secret state. Charge `privacy` before.
   *
   * @param counts The first period's counts: integers, one for each candidate of a public list.
   * @param entropy Where the fair bits come from. Default: the system's cryptographic generator.
   */
  start(counts: Scores, entropy?: Entropy): ListStep {
    if (entropy !== undefined) anEntropy("entropy", entropy);
    const read = this.#read(counts);
    return withEntropy(entropy, (bits) => {
      const noise = drawNoise(this.#noise, bits);
      const indices = this.#draw(read, bits);
      return this.#step({ noise, indices, candidates: read.length, renewed: 0 }, true);
    });
  }

  /**
   * The list of the next period: the same, or a new one if the test says that it is wrong.
   *
   * @param state The state of the period before. Continue each state once: two continuations share its noise.
   * @param counts This period's counts, in the order of the first period's.
   * @param entropy Where the fair bits come from. Default: the system's cryptographic generator.
   */
  next(state: string, counts: Scores, entropy?: Entropy): ListStep {
    if (entropy !== undefined) anEntropy("entropy", entropy);
    const before = this.#readState(state);
    const read = this.#read(counts);
    if (read.length !== before.candidates)
      throw invalidParameter("counts", `a list of ${before.candidates} counts`, read.length);
    if (before.renewed >= this.renewals) return this.#step(before, false);
    return withEntropy(entropy, (bits) => {
      const distance = this.#tolerance + before.noise - howWrong(read, before.indices);
      if (!isAbove(this.#noise, distance, bits)) return this.#step(before, false);
      return this.#step({ ...before, indices: this.#draw(read, bits), renewed: before.renewed + 1 }, true);
    });
  }

  /**
   * Accuracy that holds whatever the data are; with `epsilon` only.
   *
   * @param confidence The probability with which each of the two promises holds.
   * @param periods How many tests there are at most.
   */
  bounds(confidence: RationalLike, periods: number): RenewalBounds {
    const chance = failureChance(confidence);
    const many = BigInt(integer("periods", periods));
    const noise = this.#noise;
    if (!("thresholdScale" in noise)) throw invalidParameter("confidence", "asked with epsilon only", "rho");
    const tail = (scale: Rational, odds: Rational) =>
      roundedUp((precision) => lnOf(odds, precision).times(scale)).ceil();
    const odds = Rational.ONE.dividedBy(chance);
    return {
      miss: Rational.of(this.#tolerance + tail(noise.thresholdScale, odds)),
      falseAlarm: Rational.of(this.#tolerance - tail(noise.queryScale, odds.times(many))),
    };
  }

  #draw(counts: Scores, entropy: Entropy): readonly number[] {
    // The range is what the scores move against each other, so no more is to be said about how they move.
    const settings = { k: this.#k, ...this.#list, sensitivity: this.#range, monotone: true, entropy };
    return (topKSet(counts, settings) as ChosenSet).candidates;
  }

  #step(state: State, isRenewed: boolean): ListStep {
    const { noise, indices, candidates, renewed } = state;
    return Object.freeze({
      ...{ candidates: Object.freeze([...indices]), isRenewed, renewed, isFrozen: renewed >= this.renewals },
      state: JSON.stringify({ noise: String(noise), indices, candidates, renewed }),
    });
  }

  /** Read once. Counts are integers, because the noise is; nothing is said about which isn't. */
  #read(given: Scores): readonly (number | bigint)[] {
    const reader = new ScoreReader(given, { negate: false });
    integer("k", this.#k, 1, reader.length - 1);
    const counts: (number | bigint)[] = [];
    for (let index = 0; index < reader.length; index++) {
      const count = reader.exact(index);
      if (!(typeof count === "number" ? Number.isInteger(count) : count.isInteger()))
        throw invalidData("counts", "integers throughout");
      counts.push(typeof count === "number" ? count : count.floor());
    }
    return counts;
  }

  #readState(given: string): State {
    const { noise, indices, candidates, renewed } = parsed(given);
    const isWhole = [candidates, renewed].every((count) => Number.isSafeInteger(count));
    const isList = Array.isArray(indices) && indices.length === this.#k;
    const areSorted = isList && indices.every((at, i) => Number.isInteger(at) && at > (indices[i - 1] ?? -1));
    const isMine =
      isWhole && areSorted && renewed >= 0 && renewed <= this.renewals && indices.at(-1) < candidates;
    if (!isMine || typeof noise !== "string" || !/^-?\d{1,400}$/.test(noise)) throw notAState();
    return { noise: BigInt(noise), indices, candidates, renewed };
  }
}

// biome-ignore lint/suspicious/noExplicitAny: every field is checked
function parsed(state: string): any {
  try {
    if (typeof state === "string") return Object(JSON.parse(state));
  } catch {
    // isn't JSON
  }
  throw notAState();
}

function notAState() {
  return invalidKind("state", "a state of this list", "another text");
}

function scalesOf({ threshold, query }: TestScales): TestNoise {
  return { thresholdScale: rational(threshold), queryScale: rational(query) };
}

function drawNoise(noise: TestNoise, entropy: Entropy): bigint {
  return "thresholdScale" in noise
    ? drawGeometric(noise.thresholdScale, entropy)
    : drawDiscreteGaussian(noise.thresholdVariance, entropy);
}

/** The largest count outside the list less the smallest inside. */
function howWrong(counts: readonly (number | bigint)[], indices: readonly number[]): bigint {
  const inside = new Set(indices);
  let [largest, smallest]: (number | bigint)[] = [-Infinity, Infinity];
  for (const [index, count] of counts.entries())
    if (!inside.has(index)) largest = count > largest ? count : largest;
    else smallest = count < smallest ? count : smallest;
  return BigInt(largest) - BigInt(smallest);
}

/** Whether ν ≥ distance: e^(−distance/b) for geometric noise, from 0 on; 1 − exp(−e^(−distance/b)) for Gumbel noise. */
function isAbove(noise: TestNoise, distance: bigint, entropy: Entropy): boolean {
  const share = Rational.of(distance).dividedBy(noise.queryScale);
  if ("thresholdScale" in noise) return distance <= 0n || drawBernoulliExp(share, entropy);
  return !isBelowGumbel(share, entropy);
}

/** True with probability exp(−e^(−share)). */
function isBelowGumbel(share: Rational, entropy: Entropy): boolean {
  for (const u = new PartialUniform(entropy); ; u.reveal()) {
    const { lo, hi, precision } = u.enclosure();
    const below = gumbelBelow(share, precision);
    if (hi <= below.lo) return true;
    if (lo >= below.hi) return false;
  }
}

/** Below, exp(−e^(−share)) is less than 2^(−10⁸): between 0 and the last digit of any U that is ever drawn. */
const FAR = -20n;

function gumbelBelow(share: Rational, precision: number): Interval {
  if (share.compare(FAR) < 0) return new Interval(0n, 1n, precision);
  const tail = Interval.from(share.negated(), precision + 48).exp(); // at most e^20
  return tail.negated().exp().withPrecision(precision);
}

/**
 * A published list of the k largest that is renewed only when it is wrong, at one price for the whole horizon.
 *
 * Guarantee: the budget, for all rows of a person in all periods together. See docs/mechanisms/renew-list.md.
 *
 * @param options How many are on the list, how often it may change, and the budget of the whole horizon.
 *
 * @example
 * ```ts
 * import { renewList } from "winnow-dp";
 *
 * const renewal = renewList({ k: 2, renewals: 4, tolerance: 200, epsilon: 1, monotone: true });
 * renewal.privacy.measure; // → "pure"
 * const first = renewal.start([41_200, 30_900, 1_200, 80]);
 * first.candidates; // → [0, 1]
 * const second = renewal.next(first.state, [40_900, 31_100, 1_300, 70]);
 * second.isRenewed; // → false
 * const third = renewal.next(second.state, [39_800, 2_100, 28_400, 90]);
 * third.candidates; // → [0, 2]
 * ```
 */
export function renewList(options: RenewListOptions): ListRenewal {
  return new ListRenewal(options);
}
