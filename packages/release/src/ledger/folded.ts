/**
 * Charges that are no longer told apart: an account keeps a constant number of different losses and adds further ones up
 * by kind. A kind is whether the charge is late (summary.ts), its measure and, for losses in ε or η, its decade. So an
 * account has a constant size after any number of different charges.
 *
 * A sum carries what every later limit needs: how many, Σε (Ση, Σρ), Σε² (Ση²) and Σδ. Each contribution is rounded up to
 * a multiple of 10⁻¹⁰⁰ before it is added, so sums are exact, don't depend on the order, and can be derived again with
 * integers in any language:
 *
 *   up(n/d) = ⌈n·10¹⁰⁰/d⌉ as an integer; of a square, ⌈n²·10¹⁰⁰/d²⌉; of a size without a limit, "Infinity" for ever
 *   text      the integer divided by 10¹⁰⁰ as a decimal, without zeros at its end and without a point if it is whole
 *   decade    the smallest j from −10 to 0 with size ≤ 10^j, else 1
 *
 * The sums are listed in the order of the first charge of each kind.
 *
 * A limit counts n charges of a kind as Σε, as ρ = Σε²/2, or at a Rényi order α as α·Σε²/2 if α·10^j ≤ 2 and as Σε
 * otherwise: for each charge in the decade that is at least the smaller of both up to a factor of ten, and a price that
 * adds up, so that what was admitted one by one fits together. Proof: packages/core/src/accounting/composition.proof.md.
 * @module
 */

import {
  approx,
  base2,
  convert,
  type Extended,
  isBounded,
  type Loss,
  type LossJson,
  type Measure,
  pure,
  Rational,
  RenyiCurve,
  rational,
  renyi,
  zcdp,
  zcdpCurve,
} from "winnow-dp";
import { Refusal } from "../refusal/refusal.js";

/** Sums are multiples of 10 to minus this. */
const PLACES = 100;
const UNITS = 10n ** BigInt(PLACES);
/** The smallest and the largest decade of losses in ε or η. */
const [FIRST_DECADE, LAST_DECADE] = [-10, 1];

/** The sum of `times` charges of one kind. */
export interface FoldedSum {
  readonly isLate: boolean;
  readonly measure: LossJson["measure"];
  /** For losses in ε or η: each is at most 10 to this power. Decade 1 has all larger ones too. */
  readonly decade?: number;
  readonly times: number;
  /** Σε, Ση or Σρ. */
  readonly size: string;
  /** Σε² or Ση². */
  readonly squares?: string;
  /** Σδ of (ε, δ) and zCDP. */
  readonly delta?: string;
}

/** All charges that are no longer told apart. */
export interface Folded {
  /** What they promise. */
  readonly promised: readonly FoldedSum[];
  /** What they are counted as towards the limit, if that is less. */
  readonly counted?: readonly FoldedSum[];
}

/** The sums with one more charge. */
export function fold(sums: readonly FoldedSum[], loss: LossJson, isLate: boolean): readonly FoldedSum[] {
  const one = kindOfOne(loss, isLate);
  const place = sums.findIndex(
    (sum) => sum.isLate === isLate && sum.measure === one.measure && sum.decade === one.decade,
  );
  if (place < 0) return [...sums, one];
  const known = sums[place]!;
  return sums.with(place, {
    ...known,
    times: known.times + 1,
    size: added(known.size, one.size),
    ...(one.squares !== undefined && { squares: added(known.squares!, one.squares) }),
    ...(one.delta !== undefined && { delta: added(known.delta!, one.delta) }),
  });
}

/** A single charge as a sum counts it: an ε as ε²/2 in ρ. */
export function sumOfOne(loss: LossJson): LossSum {
  return new LossSum(kindOfOne(loss, false));
}

function kindOfOne(loss: LossJson, isLate: boolean): FoldedSum {
  const size = sizeOf(loss);
  const inDecade = loss.measure === "zcdp" ? undefined : { decade: decadeOf(size), squares: squareUp(size) };
  const hasDelta = loss.measure === "zcdp" || loss.measure === "approx";
  return {
    isLate,
    measure: loss.measure,
    ...inDecade,
    times: 1,
    size: isBounded(size) ? textOf(up(size)) : UNLIMITED,
    ...(hasDelta && { delta: textOf(up(rational(loss.delta ?? "0", "delta"))) }),
  };
}

function sizeOf(loss: LossJson): Extended {
  const text = loss.measure === "zcdp" ? loss.rho : loss.measure === "base2" ? loss.eta : loss.epsilon;
  return text === UNLIMITED ? Infinity : rational(text, loss.measure);
}

function decadeOf(size: Extended): number {
  let decade = FIRST_DECADE;
  while (decade < LAST_DECADE && !(isBounded(size) && size.compare(powerOfTen(decade)) <= 0)) decade++;
  return decade;
}

function powerOfTen(exponent: number): Rational {
  return exponent < 0 ? Rational.of(1n, 10n ** BigInt(-exponent)) : Rational.of(10n ** BigInt(exponent));
}

function up({ numerator, denominator }: Rational): bigint {
  return (numerator * UNITS + denominator - 1n) / denominator;
}

function squareUp(size: Extended): string {
  return isBounded(size) ? textOf(up(size.times(size))) : UNLIMITED;
}

const UNLIMITED = "Infinity";

function added(one: string, other: string): string {
  return one === UNLIMITED || other === UNLIMITED ? UNLIMITED : textOf(unitsOf(one) + unitsOf(other));
}

function textOf(units: bigint): string {
  const digits = String(units).padStart(PLACES + 1, "0");
  const places = digits.slice(-PLACES).replace(/0+$/, "");
  return digits.slice(0, -PLACES) + (places === "" ? "" : `.${places}`);
}

function unitsOf(text: string): bigint {
  const [, whole, places = ""] = /^(\d+)(?:\.(\d*[1-9]))?$/.exec(text) ?? [];
  if (whole === undefined || places.length > PLACES)
    throw new Refusal("ledger-broken", "A stored total is not a decimal of the ledger.");
  return BigInt(whole + places.padEnd(PLACES, "0"));
}

/** A folded sum as it is counted. */
export class LossSum {
  /** In its own measure, added up. */
  readonly total: Loss;
  /** At most the ε of all of them, and their ρ. */
  readonly #epsilon: Extended;
  readonly #rho: Extended;
  /** Up to this order their ρ is counted, and their ε beyond it. */
  readonly #lastOrder: Rational;

  constructor({ measure, size, squares = "0", delta = "0", decade = LAST_DECADE }: FoldedSum) {
    const [sum, squared] = [size, squares].map(readSum) as [Extended, Extended];
    const failure = readSum(delta);
    this.total = totalOf(
      measure,
      sum,
      isBounded(failure) && failure.compare(1n) < 0 ? failure : Rational.ONE,
    );
    const natural = measure === "base2" ? LN_2 : Rational.ONE;
    this.#epsilon = isBounded(sum) ? sum.times(natural) : sum;
    this.#rho = isBounded(squared) ? squared.times(natural.times(natural)).dividedBy(2n) : squared;
    this.#lastOrder = decade === LAST_DECADE ? Rational.ZERO : powerOfTen(-decade).times(2n);
  }

  /** In a measure in which charges add up. */
  in(to: Exclude<Measure, "approx">): Loss {
    const { total } = this;
    const [epsilon, failure] = [this.#epsilon, "delta" in total ? total.delta : 0n];
    const isOwn = total.measure === "zcdp" || total.measure === to;
    const isLost = (to === "pure" || to === "base2") && rational(failure).numerator !== 0n; // δ, which core refuses
    if (isOwn || isLost || !isBounded(epsilon)) return convert(total, { to });
    switch (to) {
      case "pure":
        return pure(epsilon);
      case "base2":
        return base2(epsilon.times(PER_LN_2));
      case "zcdp":
        return zcdp(this.#rho, failure);
      case "renyi":
        return renyi(this.#curve(), failure);
    }
  }

  #curve(): RenyiCurve {
    const [epsilon, rho] = [this.#epsilon as Rational, this.#rho as Rational];
    const at = (alpha: Rational) =>
      alpha.compare(this.#lastOrder) <= 0 ? zcdpCurve(rho).at(alpha) : epsilon;
    return RenyiCurve.of(at, { epsilon, rho });
  }
}

/** At least ln 2, and at least 1/ln 2: sums are multiplied and not converted, so that parts add up to the whole. */
const LN_2 = convert(base2(1n), { to: "pure" }).epsilon as Rational;
const PER_LN_2 = convert(pure(1n), { to: "base2" }).eta as Rational;

function readSum(text: string): Extended {
  return text === UNLIMITED ? Infinity : Rational.of(unitsOf(text), UNITS);
}

function totalOf(measure: FoldedSum["measure"], size: Extended, delta: Rational): Loss {
  switch (measure) {
    case "pure":
      return pure(size);
    case "base2":
      return base2(size);
    case "zcdp":
      return zcdp(size, delta);
    case "approx":
      return approx(size, delta);
  }
}
