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
import { roundedDown, roundedUp } from "../exact/certified.js";
import { Interval } from "../exact/interval.js";
import { type Direction, Rational, type RationalLike, rational } from "../exact/rational.js";
import { bigInteger, nonNegativeRational } from "../options.js";
import { type Extended, extended, multiple, smaller } from "./extended.js";
import { upperSum } from "./upper-sum.js";

/**
 * Encloses a bound ≥ 0 at an order α > 1, or is the bound itself where that is rational.
 *
 * @inline
 */
export type CurveFormula = (alpha: Rational, precision: number) => Interval | Rational;

/**
 * Bounds on a curve at all orders at once; Infinity, the default, if none is known.
 *
 * @inline
 */
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

  /**
   * The bound at an order α > 1: exact on a line, else rounded up (or down, where it is a limit to keep). Each formula is
   * rounded on its own, so the bounds of several curves add up to that of their sum.
   */
  at(alpha: RationalLike, rounding: Direction = "up"): Rational {
    const order = rational(alpha, "alpha");
    if (order.compare(1n) <= 0) throw invalidParameter("alpha", "a rational > 1", alpha);
    let total = this.#slope.times(order);
    for (const [formula, times] of this.#formulas) {
      const isUp = (rounding === "up") === times > 0n;
      total = total.plus(boundOf(formula, order, isUp ? "up" : "down").times(times));
    }
    return total;
  }

  /** The bound at an order α > 1, enclosed with `precision` binary places. */
  enclose(alpha: Rational, precision: number): Interval {
    let total = Interval.from(this.#slope.times(alpha), precision);
    for (const [formula, times] of this.#formulas)
      total = total.plus(enclosureOf(formula(alpha, precision), precision).times(times));
    return total;
  }

  /** Whether it is a sum of formulas ≥ 0; what `minus` leaves of a limit need not be. */
  get isSum(): boolean {
    return this.#slope.numerator >= 0n && [...this.#formulas.values()].every((times) => times >= 0n);
  }

  /** The curve of all mechanisms together; of a line in it, a slope that is at least the sum (`UpperSum`). */
  static sum(curves: readonly RenyiCurve[]): RenyiCurve {
    if (curves.length === 1) return readCurve(curves[0], "curves");
    const formulas = new Map<CurveFormula, bigint>();
    for (const curve of curves)
      for (const [formula, times] of readCurve(curve, "curves").#formulas)
        formulas.set(formula, (formulas.get(formula) ?? 0n) + times);
    const slopes = curves.map((curve) => curve.#slope);
    const isNegative = slopes.some(({ numerator }) => numerator < 0n);
    const slope = isNegative ? slopes.reduce((a, b) => a.plus(b)) : (upperSum(slopes) as Rational);
    return new RenyiCurve(slope, formulas, {
      rho: upperSum(curves.map(({ rho }) => rho)),
      epsilon: upperSum(curves.map(({ epsilon }) => epsilon)),
    });
  }

  /** The curve of both mechanisms together. */
  plus(other: RenyiCurve): RenyiCurve {
    return RenyiCurve.sum([this, readCurve(other, "other")]);
  }

  /** This limit less another curve; negative where the other is above it. */
  minus(other: RenyiCurve): RenyiCurve {
    readCurve(other, "other");
    const formulas = new Map(this.#formulas);
    for (const [formula, times] of other.#formulas)
      formulas.set(formula, (formulas.get(formula) ?? 0n) - times);
    return new RenyiCurve(this.#slope.minus(other.#slope), formulas, {});
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
}

/** The value of a formula, rounded unless it is rational. */
function boundOf(formula: CurveFormula, alpha: Rational, rounding: Direction): Rational {
  let exact: Rational | undefined;
  const value = (rounding === "up" ? roundedUp : roundedDown)((precision) => {
    const value = formula(alpha, precision);
    if (value instanceof Rational) exact = value;
    return enclosureOf(value, precision);
  });
  return exact ?? value;
}

function enclosureOf(value: Interval | Rational, precision: number): Interval {
  return value instanceof Rational
    ? Interval.from(notNegative(value, value.numerator), precision)
    : notNegative(value, value.hi);
}

/** A divergence is never negative. A negative bound is wrong, and would give back what other mechanisms spent. */
function notNegative<T>(value: T, end: bigint): T {
  if (end >= 0n) return value;
  throw invalidParameter("curve", "a formula that is >= 0 at every order", "a negative value");
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

/** The curve itself if it can be that of a loss: what `minus` leaves of a limit may be negative, and is refused. */
export function lossCurve(curve: RenyiCurve): RenyiCurve {
  if (curve.isSum) return curve;
  throw invalidParameter(
    "loss.curve",
    "a curve >= 0; a difference of curves is what is left of a limit",
    "a difference",
  );
}
