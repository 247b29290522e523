/**
 * Which probability may follow another within ρ-zCDP: q may follow p if D_α(q‖p) ≤ ρα and D_α(p‖q) ≤ ρα for all orders α > 1.
 *
 * Of one direction, with P the probability of the answer whose loss a is positive and −b the loss of the other, let β = α − 1,
 *
 *     K(β) = ln(P·e^(βa) + (1 − P)·e^(−βb)),   D(β) = ρ(β + β²) − K(β).
 *
 * D ≥ 0 everywhere if D′(0) ≥ 0 and one of three holds (the lemma of the proof): D is convex; D′ ≥ 0 where it is least; or at some β
 * the tangent is nowhere below 0 where it counts. That β is found by Newton's method and decides nothing by itself; D < 0
 * there refutes. What 1,024 binary places leave undecided is refused.
 *
 * Cost: some twenty exponentials a test. Proof: keep-table.proof.md.
 * @module
 */

import { lnOf } from "../../exact/certified.js";
import { bitLength } from "../../exact/integers.js";
import { Interval } from "../../exact/interval.js";
import { Rational } from "../../exact/rational.js";
import type { PairRule } from "./keep-table.js";

const LARGEST_PRECISION = 1024;

/** How many binary places an enclosure has more than the probabilities. */
const SPARE = 96;

const MOST_TURNS = 60;
const QUARTER = /* @__PURE__ */ Rational.of(1n, 4n);

/** For probabilities in units of 1/whole. */
export class AllOrdersRule implements PairRule {
  readonly #whole: bigint;
  readonly #rho: Rational;
  /** Where D was lowest last, upwards and downwards: the next search begins there. */
  readonly #hints: [Hint, Hint] = [{}, {}];

  constructor(whole: bigint, rho: Rational) {
    this.#whole = whole;
    this.#rho = rho;
  }

  mayFollow(from: bigint, to: bigint): boolean {
    if (to <= from) return to === from;
    return [true, false].every((isUp) => this.#isWithin(from, to, isUp));
  }

  #isWithin(from: bigint, to: bigint, isUp: boolean): boolean {
    for (let precision = this.#firstPrecision; precision <= LARGEST_PRECISION; precision *= 2) {
      const within = this.#direction(from, to, isUp, precision).isWithin();
      if (within !== undefined) return within;
    }
    return false;
  }

  #direction(from: bigint, to: bigint, isUp: boolean, precision = this.#firstPrecision): Direction {
    const [whole, rho, hint] = [this.#whole, this.#rho, this.#hints[isUp ? 0 : 1]];
    return new Direction({ whole, from, to, rho, isUp, hint }, precision);
  }

  get #firstPrecision(): number {
    return Math.min(bitLength(this.#whole) + SPARE, LARGEST_PRECISION);
  }

  /** Newton's method on what is left of ρ: at the best order so far, and at orders near 1; kept above `from`. */
  guess(from: bigint, near: bigint): bigint {
    let at = near;
    for (let turn = 0; turn < MOST_TURNS; turn++) {
      const steps = [true, false].flatMap((isUp) => this.#direction(from, at, isUp).steps());
      if (steps.length === 0) break;
      const step = steps.reduce((least, each) => (each.lo < least.lo ? each : least));
      const next = at + ((step.lo * this.#whole) >> BigInt(step.precision));
      const previous = at;
      at = next <= from ? (at + from) / 2n : next >= this.#whole ? (at + this.#whole) / 2n : next;
      if (at <= from) return from + 1n;
      if (at - previous <= 1n && previous - at <= 1n) break;
    }
    return at;
  }
}

/** A β from which to search. */
interface Hint {
  beta?: Interval;
}

/** A pair of laws, and which of its two divergences is meant: upwards that of the law of q against that of p. */
interface Divergence {
  readonly whole: bigint;
  readonly from: bigint;
  readonly to: bigint;
  readonly rho: Rational;
  readonly isUp: boolean;
  readonly hint: Hint;
}

/** D and its derivatives at a β, and the tilted weight of the answer with the positive loss. */
interface Point {
  readonly beta: Interval;
  readonly value: Interval;
  readonly slope: Interval;
  readonly curvature: Interval;
  readonly weight: Interval;
}

/** One of the two divergences of a pair, enclosed with some binary places. */
class Direction {
  readonly #rho: Interval;
  readonly #isUp: boolean;
  readonly #hint: Hint;
  /** P, and that of the other answer. */
  readonly #chance: Interval;
  readonly #rest: Interval;
  /** q and 1 − q. */
  readonly #after: Interval;
  readonly #lost: Interval;
  /** The positive loss, the size of the negative one, and both together. */
  readonly #gain: Interval;
  readonly #drop: Interval;
  readonly #spread: Interval;

  constructor({ whole, from, to, rho, isUp, hint }: Divergence, precision: number) {
    const ratio = (a: bigint, b: bigint) => Interval.from(Rational.of(a, b), precision);
    const [kept, dropped] = [
      lnOf(Rational.of(to, from), precision),
      lnOf(Rational.of(whole - from, whole - to), precision),
    ];
    this.#rho = Interval.from(rho, precision);
    this.#isUp = isUp;
    this.#hint = hint;
    this.#chance = ratio(isUp ? to : whole - from, whole);
    this.#rest = ratio(isUp ? whole - to : from, whole);
    this.#after = ratio(to, whole);
    this.#lost = ratio(whole - to, whole);
    this.#gain = isUp ? kept : dropped;
    this.#drop = isUp ? dropped : kept;
    this.#spread = kept.plus(dropped);
  }

  /** Whether D ≥ 0 everywhere; undefined where these digits don't tell. */
  isWithin(): boolean | undefined {
    const room = this.#room;
    if (room.hi < 0n) return false;
    if (room.lo < 0n) return undefined;
    const turn = this.#turn();
    if (turn === undefined || turn === "rising") return true;
    if (turn === "undecided") return undefined;
    const { beta, value, slope, curvature, weight } = this.#lowest();
    if (value.hi < 0n) return false;
    const steepest = new Interval(0n, slope.hi > -slope.lo ? slope.hi : -slope.lo, slope.precision);
    const isReached = [beta, this.#gain.dividedBy(this.#rho)].every(
      (reach) => steepest.times(reach).hi <= value.lo,
    );
    return isAtLeastHalf(weight) && curvature.lo >= 0n && isReached ? true : undefined;
  }

  /** D′(0): ρ less the Kullback–Leibler divergence. */
  get #room(): Interval {
    return this.#rho.minus(this.#gain.times(this.#chance)).plus(this.#drop.times(this.#rest));
  }

  /**
   * Whether D′ has fallen below 0 where it is least: at the e from which on D is convex for good, w(1 − w) = 2ρ/(a + b)² and w > 1/2.
   * Undefined where D is convex from 0 on.
   */
  #turn(): "rising" | "falling" | "undecided" | undefined {
    const square = this.#spread.times(this.#spread);
    const isPast = isAtLeastHalf(this.#chance);
    const most = isPast ? square.times(this.#chance).times(this.#rest) : square.times(QUARTER);
    if (most.hi <= 2n * this.#rho.lo) return undefined;
    const rest = this.#rho.times(8n).dividedBy(square).negated().plus(1n);
    if (rest.lo <= 0n) return "undecided";
    const [one, root] = [Interval.from(1n, rest.precision), rest.sqrt()];
    if (root.hi >= one.lo) return "falling"; // w is 1 as far as these digits go
    const odds = one.plus(root).times(this.#rest).dividedBy(one.minus(root).times(this.#chance));
    if (odds.lo <= one.hi) return "undecided";
    const last = odds.ln().dividedBy(this.#spread);
    const { slope } = this.#at(new Interval(last.hi, last.hi, last.precision));
    if (slope.hi < 0n) return "falling";
    // D″ ≤ 2ρ, so D′(e) is at most 2ρ·(β − e) less.
    const lag = new Interval(0n, last.hi - last.lo, last.precision).times(this.#rho).times(2n);
    return slope.lo >= lag.hi ? "rising" : "undecided";
  }

  /** The point behind e with D′ = 0, by Newton's method: from where it was last, or from the right, where D′ is above 0. */
  #lowest(): Point {
    const { beta } = this.#hint;
    const near = beta && this.#lowestFrom(beta.withPrecision(this.#rho.precision));
    const found = near ?? this.#lowestFrom(this.#gain.dividedBy(this.#rho)) ?? this.#at(end(this.#gain));
    this.#hint.beta = found.beta;
    return found;
  }

  /** Undefined where it leads to where D isn't convex. */
  #lowestFrom(start: Interval): Point | undefined {
    let beta = end(start);
    for (let turn = 0; turn < MOST_TURNS; turn++) {
      const here = this.#at(beta);
      if (here.curvature.lo <= 0n || beta.lo <= 0n) return undefined;
      if (here.slope.lo <= 0n && here.slope.hi >= 0n) return here;
      beta = beta.minus(end(here.slope.dividedBy(here.curvature)));
    }
    return undefined;
  }

  #at(beta: Interval): Point {
    const fall = this.#spread.times(beta).negated().exp().times(this.#rest);
    const whole = fall.plus(this.#chance);
    const [weight, other] = [this.#chance.dividedBy(whole), fall.dividedBy(whole)];
    const sum = beta.times(this.#gain).plus(whole.ln());
    const mean = this.#spread.times(weight).minus(this.#drop);
    const variance = this.#spread.times(this.#spread).times(weight).times(other);
    return {
      ...{ beta, weight },
      value: beta.times(beta).plus(beta).times(this.#rho).minus(sum),
      slope: beta.times(2n).plus(1n).times(this.#rho).minus(mean),
      curvature: this.#rho.times(2n).minus(variance),
    };
  }

  /** By how much q may move, by Newton's method at orders near 1 and at the lowest point of D. */
  steps(): Interval[] {
    const nearOne = this.#isUp ? this.#spread : this.#tilted(this.#chance, this.#rest);
    const found = [stepOf(this.#room, nearOne)];
    if (this.#turn() === "falling") {
      const { beta, weight, value } = this.#lowest();
      const tilted = this.#tilted(weight, weight.negated().plus(1n));
      found.push(stepOf(value, tilted.times(this.#isUp ? beta.plus(1n) : beta)));
    }
    return found.flatMap((step) => step ?? []);
  }

  /** The weight of the answer with the positive loss over its probability q or 1 − q, less the same of the other. */
  #tilted(weight: Interval, other: Interval): Interval {
    const [here, there] = this.#isUp ? [this.#after, this.#lost] : [this.#lost, this.#after];
    return weight.dividedBy(here).minus(other.dividedBy(there));
  }
}

function stepOf(room: Interval, growth: Interval): Interval | undefined {
  return growth.lo > 0n ? room.dividedBy(growth) : undefined;
}

function isAtLeastHalf({ lo, precision }: Interval): boolean {
  return lo >> BigInt(precision - 1) >= 1n;
}

/** One end of a narrow interval as a number: for points at which to evaluate. */
function end({ lo, precision }: Interval): Interval {
  return new Interval(lo, lo, precision);
}
