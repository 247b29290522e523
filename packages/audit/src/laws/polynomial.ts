/**
 * The two tools of the closed forms. Polynomials in one variable have enclosed coefficients: for every polynomial that
 * the coefficients enclose, results enclose its values, products and integrals. Enclosures of e^(x/scale) are computed
 * once each, because the closed forms ask for the same few again and again.
 * @module
 */
import { Interval, type Rational } from "winnow-dp";

export class Polynomial {
  /** Of y^0, y^1, …; at least one. */
  readonly #coefficients: readonly Interval[];

  constructor(...coefficients: readonly Interval[]) {
    this.#coefficients = coefficients;
  }

  /** The value at y, by Horner's rule. */
  at(y: Interval): Interval {
    return this.#coefficients.reduceRight((sum, coefficient) => sum.times(y).plus(coefficient));
  }

  plus(constant: Interval): Polynomial {
    const [first, ...others] = this.#coefficients;
    return new Polynomial(first.plus(constant), ...others);
  }

  times(other: Polynomial): Polynomial {
    const { precision } = this.#coefficients[0];
    const length = this.#coefficients.length + other.#coefficients.length - 1;
    const product = Array.from({ length }, () => Interval.from(0, precision));
    for (const [i, own] of this.#coefficients.entries())
      for (const [j, others] of other.#coefficients.entries())
        product[i + j] = product[i + j].plus(own.times(others));
    return new Polynomial(...product);
  }

  /** The integral from 0 to y. */
  integrated(): Polynomial {
    const { precision } = this.#coefficients[0];
    const raised = this.#coefficients.map((coefficient, power) => coefficient.dividedBy(power + 1));
    return new Polynomial(Interval.from(0, precision), ...raised);
  }
}

export class Exponentials {
  readonly scale: Rational;
  readonly precision: number;
  readonly #known = new Map<string, Interval>();

  constructor(scale: Rational, precision: number) {
    this.scale = scale;
    this.precision = precision;
  }

  /** e^(x/scale). */
  of(x: Rational): Interval {
    const name = `${x.numerator}/${x.denominator}`;
    const value = this.#known.get(name) ?? Interval.from(x.dividedBy(this.scale), this.precision).exp();
    this.#known.set(name, value);
    return value;
  }

  /** The constant polynomial e^(x/scale). */
  constant(x: Rational): Polynomial {
    return new Polynomial(this.of(x));
  }

  /** The polynomial 1 − e^(x/scale)·y: the chance of noise below −x − scale·ln y. */
  below(x: Rational): Polynomial {
    return new Polynomial(Interval.from(1, this.precision), this.of(x).negated());
  }
}
