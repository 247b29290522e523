/**
 * Polynomials in one variable with enclosed coefficients: whatever polynomial the coefficients enclose, results enclose
 * its values, products and integrals.
 * @module
 */
import { Interval } from "../exact/interval.js";

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
