/**
 * A Rényi curve bounds, for every order α > 1, the Rényi divergence of order α between a mechanism's answers on
 * any two neighbouring data sets [Mir17]. It is a function, not a table: `at` takes any rational order and answers
 * with a rational that is at least the value of the formula, by certified arithmetic.
 *
 * A curve is a line plus formulas with multiplicities, so composing one curve ten thousand times with itself
 * costs no more to evaluate than once.
 * @module
 */
import { invalidParameter } from "../errors.js";
import { Interval } from "../exact/interval.js";
import { Rational, type RationalLike, rational } from "../exact/rational.js";
import { bigInteger, nonNegativeRational } from "../validate.js";
import { type Extended, extended, multiple, smaller, sum } from "./loss.js";
import { type Direction, roundedDown, roundedUp } from "./rounding.js";

/** Encloses a bound ≥ 0 at an order α > 1. */
export type CurveFormula = (alpha: Rational, precision: number) => Interval;

/** What is known of a curve at all orders at once; Infinity, the default, where nothing is. */
export interface CurveBounds {
  /** The mechanism is ρ-zCDP: the curve is at most ρα. */
  readonly rho?: RationalLike;
  /** The mechanism is ε-DP: the curve is at most ε. */
  readonly epsilon?: RationalLike;
}

type Formulas = ReadonlyMap<CurveFormula, bigint>;

/**
 * A bound on the Rényi divergence of every order α > 1 between a mechanism's answers on any two neighbouring data sets.
 *
 * It is a function and not a table: any rational order has a value, which is at least that of the formula [Mir17].
 *
 * @example
 * ```ts
 * import { pureCurve, RenyiCurve, zcdpCurve } from "winnow-dp";
 *
 * const curve = pureCurve(1).min(zcdpCurve("1/8"));
 * curve instanceof RenyiCurve; // → true
 * curve.at(4); // → 0.5
 * ```
 */
export class RenyiCurve {
  /** The mechanism is ρ-zCDP with this ρ; Infinity where none is known. */
  readonly rho: Extended;
  /** The mechanism is ε-DP with this ε; Infinity where none is known. */
  readonly epsilon: Extended;
  readonly #slope: Rational;
  readonly #formulas: Formulas;

  private constructor(
    slope: Rational,
    formulas: Formulas,
    { rho = Infinity, epsilon = Infinity }: CurveBounds,
  ) {
    this.#slope = slope;
    this.#formulas = formulas;
    this.rho = extended(rho, "rho");
    this.epsilon = extended(epsilon, "epsilon");
    Object.freeze(this);
  }

  /** The curve of a formula. */
  static of(formula: CurveFormula, bounds: CurveBounds = {}): RenyiCurve {
    if (typeof formula !== "function") throw invalidParameter("formula", "a function", formula);
    return new RenyiCurve(Rational.ZERO, new Map([[formula, 1n]]), bounds);
  }

  /** The line ρα, exactly. */
  static line(rho: RationalLike): RenyiCurve {
    const slope = nonNegativeRational("rho", rho);
    return new RenyiCurve(slope, new Map(), { rho: slope });
  }

  /** Whether this class made the value; false for a clone, a lookalike and a curve from another copy of Winnow. */
  static isCurve(value: unknown): value is RenyiCurve {
    if (typeof value !== "object" || value === null) return false;
    return #slope in value && Object.getPrototypeOf(value) === RenyiCurve.prototype;
  }

  /** The bound at an order α > 1: exact on a line, else rounded up (or down, where it is a limit to keep). */
  at(alpha: RationalLike, rounding: Direction = "up"): Rational {
    const order = rational(alpha, "alpha");
    if (order.compare(1n) <= 0) throw invalidParameter("alpha", "a rational > 1", alpha);
    const exact = this.#slope.times(order);
    if (this.#formulas.size === 0) return exact;
    const rounded = rounding === "up" ? roundedUp : roundedDown;
    return exact.plus(rounded((precision) => this.#encloseFormulas(order, precision)));
  }

  /** The bound at an order α > 1, enclosed with so many binary places. */
  enclose(alpha: Rational, precision: number): Interval {
    return this.#encloseFormulas(alpha, precision).plus(this.#slope.times(alpha));
  }

  /** The curve of both mechanisms together. */
  plus(other: RenyiCurve): RenyiCurve {
    readCurve(other, "other");
    return new RenyiCurve(this.#slope.plus(other.#slope), this.#formulasPlus(other, 1n), {
      rho: sum(this.rho, other.rho),
      epsilon: sum(this.epsilon, other.epsilon),
    });
  }

  /** What is left of this limit after another curve; negative where the other is above it. */
  minus(other: RenyiCurve): RenyiCurve {
    readCurve(other, "other");
    return new RenyiCurve(this.#slope.minus(other.#slope), this.#formulasPlus(other, -1n), {});
  }

  /** The curve of `count` ≥ 0 runs of the mechanism. */
  times(count: number | bigint): RenyiCurve {
    const runs = bigInteger("count", count, 0n);
    if (runs === 0n) return RenyiCurve.line(Rational.ZERO);
    const formulas = new Map([...this.#formulas].map(([formula, times]) => [formula, times * runs]));
    return new RenyiCurve(this.#slope.times(runs), formulas, {
      rho: multiple(this.rho, runs),
      epsilon: multiple(this.epsilon, runs),
    });
  }

  /** Two bounds on the same mechanism: at each order the smaller one. */
  min(other: RenyiCurve): RenyiCurve {
    readCurve(other, "other");
    const formula: CurveFormula = (alpha, precision) => {
      const [a, b] = [this.enclose(alpha, precision), other.enclose(alpha, precision)];
      return new Interval(a.lo < b.lo ? a.lo : b.lo, a.hi < b.hi ? a.hi : b.hi, precision);
    };
    return RenyiCurve.of(formula, {
      rho: smaller(this.rho, other.rho),
      epsilon: smaller(this.epsilon, other.epsilon),
    });
  }

  #formulasPlus(other: RenyiCurve, sign: bigint): Formulas {
    const formulas = new Map(this.#formulas);
    for (const [formula, times] of other.#formulas)
      formulas.set(formula, (formulas.get(formula) ?? 0n) + sign * times);
    return formulas;
  }

  #encloseFormulas(alpha: Rational, precision: number): Interval {
    let total = Interval.from(0n, precision);
    for (const [formula, times] of this.#formulas) total = total.plus(formula(alpha, precision).times(times));
    return total;
  }
}

/** The value itself if this copy of Winnow made it as a curve; else it is refused. */
export function readCurve(value: unknown, field: string): RenyiCurve {
  if (RenyiCurve.isCurve(value)) return value;
  throw invalidParameter(
    field,
    "a RenyiCurve made by this copy of winnow-dp (a curve is a function, which JSON and clones cannot carry)",
    value,
  );
}
