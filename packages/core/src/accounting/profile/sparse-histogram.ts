/**
 * (ε, δ) of counts with discrete Gaussian noise of which only those above a threshold are published, exactly: what new names show
 * and what common counts show are alternatives, so δ isn't the sum of both parts. With p = P(N ≥ threshold − 1) and
 * l = −ln(1 − p), b₁ names new on one side and b₂ on the other,
 *
 *     δ = max of 1 − (1−p)^b₁·(1 − H_j(ε + (b₁ − b₂)l)),
 *
 * H_j being the exact δ of j counts that move by 1 (`discrete-gaussian.ts`): j = m − b₁ − b₂ with b₁ or b₂ = 0 if people are added or
 * removed, and 2m − b₁ − b₂ if they are replaced. So the noise alone may use all of δ, and the threshold then costs hardly more.
 *
 * Cost: some twenty sums of 10·σ√m terms for a pair of σ² and threshold: 30 ms for m = 10 at (1, 10⁻⁶), once. Proof: sparse-histogram.proof.md.
 * @module
 */

import { roundedUp, zerosAfterPoint } from "../../exact/certified.js";
import { Interval } from "../../exact/interval.js";
import { Rational, toDigits } from "../../exact/rational.js";
import { mostZcdp } from "../calibrate.js";
import { countVariance } from "../count-variance.js";
import { deltaOfCounts, hasExactDelta, tailAtMost } from "./discrete-gaussian.js";
import { gaussianThreshold } from "./tails.js";

/** A threshold for the noise of all counts, and who may be in how many of them. */
export interface SparseHistogram {
  readonly variance: Rational;
  /** The least noisy count that is published. */
  readonly threshold: bigint;
  /** How many names one person has at most. */
  readonly items: number;
  /** Whether one person is replaced by another: then 2·items counts move. */
  readonly isReplaced: boolean;
}

/** What noise and threshold are for. */
export interface SparseTarget extends Pick<SparseHistogram, "items" | "isReplaced"> {
  readonly epsilon: Rational;
  readonly delta: Rational;
}

/** σ² is a multiple of 1/8. */
const GRID = 8n;

/** Beyond a total variance of this the sums are too long for a search. */
const LARGEST_TOTAL = 1_000_000n;

const FIRST_THRESHOLD = 2n;

/** A threshold beyond twice the least and this isn't looked for; one or two more than the least are enough. */
const MOST_MORE = 100n;

/** Noise, a threshold, and the δ that they have together. */
type SparseNoise = Pick<SparseHistogram, "variance" | "threshold"> & { readonly delta: Rational };

const remembered = new Map<string, SparseNoise | undefined>();
const MOST_REMEMBERED = 64;

/** The least noise whose common counts keep (ε, δ), and the least threshold for it; undefined where the sums would be too long. */
export function sparseHistogram(target: SparseTarget): SparseNoise | undefined {
  const asked = [target.epsilon, target.delta, target.items, target.isReplaced].join(" ");
  if (!remembered.has(asked)) {
    if (remembered.size >= MOST_REMEMBERED) remembered.clear();
    remembered.set(asked, leastNoise(target));
  }
  return remembered.get(asked);
}

function leastNoise(target: SparseTarget): SparseNoise | undefined {
  const { items, isReplaced, delta } = target;
  const variance = leastVariance(target);
  if (variance === undefined) return undefined;
  // New names alone: 1 − (1−p)^m ≤ δ needs p ≤ −ln(1−δ)/m, and that is at most δ/((1−δ)m).
  const each = delta.dividedBy(Rational.ONE.minus(delta).times(items));
  const least = each.compare(1n) < 0 ? gaussianThreshold(variance, each, "smallest") : 0n;
  for (let threshold = FIRST_THRESHOLD + least; threshold < 2n * least + MOST_MORE; threshold++) {
    const spent = sparseDelta(target.epsilon, { variance, threshold, items, isReplaced }, delta);
    if (spent.compare(delta) <= 0) return { variance, threshold, delta: spent };
  }
  return undefined;
}

function leastVariance({ epsilon, delta, items, isReplaced }: SparseTarget): Rational | undefined {
  const moved = isReplaced ? 2 * items : items;
  const isWithin = (variance: Rational) =>
    variance.times(moved).compare(LARGEST_TOTAL) <= 0 && hasExactDelta(epsilon, variance, moved);
  // σ² by zCDP is larger, by less than a half.
  const byZcdp = Rational.of(BigInt(moved)).dividedBy(mostZcdp(epsilon, delta).rho.times(2n));
  if (byZcdp.times(moved).compare(LARGEST_TOTAL) > 0) return undefined;
  const near = countVariance(epsilon, delta, moved);
  if (!isWithin(near)) return undefined;
  const eighths = (count: bigint) => Rational.of(count, GRID);
  const meets = (count: bigint) =>
    count > 0n &&
    hasExactDelta(epsilon, eighths(count), moved) &&
    deltaOfCounts(epsilon, eighths(count), moved).compare(delta) <= 0;
  let count = near.times(GRID).ceil();
  while (!meets(count)) {
    if (!isWithin(eighths(count))) return undefined;
    count++;
  }
  while (meets(count - 1n)) count--;
  return eighths(count);
}

/**
 * At least the δ at ε: the maximum over all numbers of new names, or something above `most` as soon as it is more than that.
 */
export function sparseDelta(epsilon: Rational, histogram: SparseHistogram, most = Rational.ONE): Rational {
  return new Alternatives(epsilon, histogram).largest(most);
}

/** Numbers of new names on both sides, from and to. */
interface Block {
  readonly here: readonly [from: number, to: number];
  readonly there: readonly [from: number, to: number];
}

/** The parts of which δ is the maximum. */
class Alternatives {
  readonly #epsilon: Rational;
  readonly #variance: Rational;
  /** How many counts move. */
  readonly #moved: number;
  readonly #blocks: readonly Block[];
  /** At least p, and 1 − p. */
  readonly #passes: Rational;
  readonly #stays: Rational;
  /** −ln(1 − p) from below and above. */
  readonly #least: Rational;
  readonly #most: Rational;
  readonly #known = new Map<string, Rational>();

  constructor(epsilon: Rational, { variance, threshold, items, isReplaced }: SparseHistogram) {
    this.#epsilon = epsilon;
    this.#variance = variance;
    this.#moved = isReplaced ? 2 * items : items;
    const [none, some] = [[0, 0] as const, [1, items] as const];
    this.#blocks = isReplaced
      ? [{ here: [0, items], there: [0, items] }]
      : [
          { here: some, there: none },
          { here: none, there: some },
        ];
    this.#passes = tailAtMost(variance, threshold - 1n);
    this.#stays = Rational.ONE.minus(this.#passes);
    this.#least = this.#passes; // −ln(1 − p) ≥ p
    this.#most = this.#stays.compare(0n) > 0 ? minusLnUp(this.#stays) : Rational.ONE;
  }

  largest(most: Rational): Rational {
    if (this.#stays.compare(0n) <= 0) return Rational.ONE;
    const open = [...this.#blocks];
    let largest = this.#bound({ here: [0, 0], there: [0, 0] });
    for (let block = open.pop(); block !== undefined && largest.compare(most) <= 0; block = open.pop()) {
      const bound = this.#bound(block);
      if (bound.compare(largest) <= 0) continue;
      const halves = split(block);
      if (halves.length === 0) largest = bound;
      open.push(...halves);
    }
    return largest;
  }

  /** At least all parts of a block: fewer common counts, more new names here and fewer there all make a part smaller or larger. */
  #bound({ here, there }: Block): Rational {
    const common = this.#moved - here[0] - there[0];
    const [gained, lost] = [this.#least.times(here[0]), this.#most.times(there[1])];
    const places = PLACES + zerosAfterPoint(this.#passes);
    const stays = Interval.from(this.#stays, places).power(here[1]).lower();
    const shown = this.#hockeyStick(this.#epsilon.plus(gained).minus(lost), common);
    return toDigits(Rational.ONE.minus(stays.times(Rational.ONE.minus(shown))), "up");
  }

  /** At least H_j(e), for any real e. */
  #hockeyStick(e: Rational, common: number): Rational {
    if (common === 0) return e.compare(0n) >= 0 ? Rational.ZERO : oneMinusExp(e);
    if (e.compare(0n) < 0) {
      // A pair and its mirror image have the same hockey sticks: H(e) = 1 − e^e + e^e·H(−e).
      const rest = Rational.ONE.minus(this.#hockeyStick(e.negated(), common));
      const factor = Interval.from(e, PLACES).exp().lower();
      return Rational.ONE.minus(factor.times(rest));
    }
    let counts = common; // more counts have a larger H
    const isExact = () => hasExactDelta(e, this.#variance, counts);
    while (counts < this.#moved && !isExact()) counts = Math.min(2 * counts, this.#moved);
    if (!isExact()) return Rational.ONE;
    const asked = `${e} ${counts}`;
    const known = this.#known.get(asked) ?? deltaOfCounts(e, this.#variance, counts);
    this.#known.set(asked, known);
    return known;
  }
}

const PLACES = 256;

/** A block in two, along its longer side; nothing of a single point. */
function split({ here, there }: Block): Block[] {
  const [wide, tall] = [here[1] - here[0], there[1] - there[0]];
  if (wide === 0 && tall === 0) return [];
  if (wide >= tall) return halves(here).map((part) => ({ here: part, there }));
  return halves(there).map((part) => ({ here, there: part }));
}

function halves([from, to]: readonly [number, number]): (readonly [number, number])[] {
  const middle = Math.floor((from + to) / 2);
  return [
    [from, middle],
    [middle + 1, to],
  ];
}

function oneMinusExp(e: Rational): Rational {
  return Rational.ONE.minus(Interval.from(e, PLACES).exp().lower());
}

function minusLnUp(x: Rational): Rational {
  return roundedUp((precision) =>
    Interval.from(x, 2 * precision)
      .ln()
      .negated(),
  );
}
