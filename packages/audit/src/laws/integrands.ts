/**
 * What the closed forms of laws integrate.
 *
 * Polynomials in one variable have enclosed coefficients: for every polynomial that the coefficients enclose, results
 * enclose its values, products and integrals. Enclosures of e^(x/scale) are computed once each, because the closed forms
 * ask for the same few again and again.
 *
 * Functions in pieces: functions of one real variable z that are sums of exponentials between finitely many places, with
 * exact places, exponents and factors: survival functions and densities of exponential and Laplace noise, their sums and
 * products, and the integral over all z, in which only the exponentials are enclosed.
 * @module
 */
import { Interval, Rational } from "winnow-dp";

export class Polynomial {
  /** The coefficients of y^0, y^1, …; at least one. */
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

/** factor·e^(constant + rate·z). */
interface Term {
  readonly factor: Rational;
  readonly constant: Rational;
  readonly rate: Rational;
}

/** A function of z: from each place on (the first from −∞) a sum of terms. */
export type Pieces = readonly { readonly from: Rational | undefined; readonly terms: readonly Term[] }[];

export type Survival = (shift: Rational, scale: Rational) => Pieces;

const HALF = Rational.of(1n, 2n);

function term(factor: Rational, place = Rational.ZERO, rate = Rational.ZERO): Term {
  return { factor, constant: place.times(rate), rate };
}

export function constant(factor: Rational): Pieces {
  return [{ from: undefined, terms: [term(factor)] }];
}

/** P(E ≥ z + shift): 1 up to z = −shift, then e^(−(z + shift)/scale). */
export function exponentialSurvival(shift: Rational, scale: Rational): Pieces {
  const rate = Rational.of(-1n).dividedBy(scale);
  return [
    { from: undefined, terms: [term(Rational.ONE)] },
    { from: shift.negated(), terms: [term(Rational.ONE, shift, rate)] },
  ];
}

export function laplaceSurvival(shift: Rational, scale: Rational): Pieces {
  const rate = Rational.ONE.dividedBy(scale);
  return [
    { from: undefined, terms: [term(Rational.ONE), term(HALF.negated(), shift, rate)] },
    { from: shift.negated(), terms: [term(HALF, shift, rate.negated())] },
  ];
}

export function exponentialDensity(scale: Rational): Pieces {
  const rate = Rational.ONE.dividedBy(scale);
  return [
    { from: undefined, terms: [] },
    { from: Rational.ZERO, terms: [term(rate, Rational.ZERO, rate.negated())] },
  ];
}

export function laplaceDensity(scale: Rational): Pieces {
  const rate = Rational.ONE.dividedBy(scale);
  return [
    { from: undefined, terms: [term(rate.times(HALF), Rational.ZERO, rate)] },
    { from: Rational.ZERO, terms: [term(rate.times(HALF), Rational.ZERO, rate.negated())] },
  ];
}

export function scaled(pieces: Pieces, by: Rational): Pieces {
  return pieces.map(({ from, terms }) => ({
    from,
    terms: terms.map((each) => ({ ...each, factor: each.factor.times(by) })),
  }));
}

export function plus(a: Pieces, b: Pieces): Pieces {
  return combined(a, b, (here, there) => [...here, ...there]);
}

export function times(a: Pieces, b: Pieces): Pieces {
  return combined(a, b, (here, there) =>
    here.flatMap((x) =>
      there.map((y) => ({
        factor: x.factor.times(y.factor),
        constant: x.constant.plus(y.constant),
        rate: x.rate.plus(y.rate),
      })),
    ),
  );
}

/** Piece by piece, with equal terms added up. */
function combined(
  a: Pieces,
  b: Pieces,
  combine: (a: readonly Term[], b: readonly Term[]) => readonly Term[],
): Pieces {
  const places = [...a, ...b].flatMap(({ from }) => from ?? []).sort((x, y) => x.compare(y));
  const distinct = places.filter((place, i) => i === 0 || !place.equals(places[i - 1]));
  return [undefined, ...distinct].map((from) => ({
    from,
    terms: collected(combine(termsAt(a, from), termsAt(b, from))),
  }));
}

function termsAt(pieces: Pieces, place: Rational | undefined): readonly Term[] {
  const piece = pieces.findLast(
    ({ from }) => from === undefined || (place !== undefined && from.compare(place) <= 0),
  );
  return piece?.terms ?? [];
}

function collected(terms: readonly Term[]): Term[] {
  const sums = new Map<string, Term>();
  for (const each of terms) {
    const key = `${each.constant} ${each.rate}`;
    const factor = sums.get(key)?.factor.plus(each.factor) ?? each.factor;
    sums.set(key, { ...each, factor });
  }
  return [...sums.values()].filter(({ factor }) => factor.numerator !== 0n);
}

/** Integrates over all z; what doesn't fall at an infinite end would be a mistake, and throws. */
export function integrator(precision: number): (pieces: Pieces) => Interval {
  const known = new Map<string, Interval>();
  const exp = (exponent: Rational): Interval => {
    const key = String(exponent);
    const value = known.get(key) ?? Interval.from(exponent, precision).exp();
    known.set(key, value);
    return value;
  };
  const end = ({ constant, rate }: Term, z: Rational | undefined) =>
    z === undefined ? Interval.from(0n, precision) : exp(constant.plus(rate.times(z)));
  return (pieces) => {
    let sum = Interval.from(0n, precision);
    for (const [i, { from, terms }] of pieces.entries()) {
      const to = pieces.at(i + 1)?.from;
      for (const each of terms) {
        const isFlat = each.rate.numerator === 0n;
        if (isFlat && (from === undefined || to === undefined)) throw new Error("the integral is infinite");
        sum = sum.plus(
          isFlat
            ? exp(each.constant).times(each.factor.times((to as Rational).minus(from as Rational)))
            : end(each, to).minus(end(each, from)).times(each.factor.dividedBy(each.rate)),
        );
      }
    }
    return sum;
  };
}
