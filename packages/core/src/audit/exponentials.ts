/**
 * Enclosures of e^(x/scale), each computed once: the closed forms ask for the same few again and again.
 * @module
 */
import { Interval } from "../exact/interval.js";
import type { Rational } from "../exact/rational.js";
import { Polynomial } from "./polynomial.js";

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
