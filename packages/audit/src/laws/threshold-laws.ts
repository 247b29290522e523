/**
 * The law of `AboveThreshold` in closed form, for exponential, Laplace and geometric noise, by outcomes such as
 * `"below, above"`, `"below, above by 0"`, `"above by >=2"` with gaps in multiples of the resolution, and
 * `"above at 1 by 0"` with levels. A stream ends when its answers are given or its queries are.
 *
 * Given the noise z of the threshold, answers are independent, and their probabilities are sums of exponentials of z between
 * finitely many places: those are multiplied and integrated exactly, with enclosures only of the exponentials. For geometric
 * noise z is an integer and the sum is a rational.
 *
 * Noise that isn't private works too: the laws serve to study mistakes too.
 *
 * Cost: the product of the number of answers of each query, each with a few dozen terms. Proof: packages/core/src/numbers/above-threshold.proof.md.
 * @module
 */
import {
  type AboveThresholdOptions,
  type Base2Parameter,
  Interval,
  Rational,
  type RationalLike,
  rational,
  readers,
  readOptions,
} from "winnow-dp";

import {
  constant,
  exponentialDensity,
  exponentialSurvival,
  integrator,
  laplaceDensity,
  laplaceSurvival,
  type Pieces,
  plus,
  type Survival,
  scaled,
  times,
} from "./integrands.js";
import { exactScores, type Law } from "./law.js";

/**
 * An instance of `AboveThreshold` with real noise whose law is asked for.
 *
 * @inline
 */
export interface AboveThresholdLawOptions {
  /** The law of both noises. Default exponential, as in the mechanism. */
  readonly noise?: "exponential" | "laplace" | undefined;
  /** The scale of the noise on the threshold. */
  readonly thresholdScale: RationalLike;
  /** The scale of the noise on queries. */
  readonly queryScale: RationalLike;
  /** The thresholds of the queries. Default 0 for all. */
  readonly thresholds?: readonly RationalLike[] | undefined;
  /** How many answers above there are. Default 1. */
  readonly maxAbove?: number | undefined;
  /** What gaps are rounded down to. Default: they are not told. */
  readonly resolution?: RationalLike | undefined;
  /** Gaps of at least this many resolutions are one outcome. Default 2. */
  readonly largestGap?: number | undefined;
  /** The steps of adaptive sparse vector. */
  readonly levels?: AboveThresholdOptions["levels"];
  /** Binary places of the probabilities. Default 192. */
  readonly precision?: number | undefined;
}

const REQUIRED = { thresholdScale: readers.positiveRational, queryScale: readers.positiveRational };
const OPTIONAL = {
  noise: readers.oneOf("exponential", "laplace"),
  thresholds: readers.arrayLike,
  maxAbove: readers.integer,
  resolution: readers.positiveRational,
  largestGap: readers.integer,
  levels: readers.arrayLike,
  precision: readers.integer,
};
const DEFAULT_PRECISION = 192;
/** Digits beyond those of the probabilities: pieces cancel each other. */
const GUARD = 64;
const DEFAULT_LARGEST_GAP = 2;

/**
 * P(these answers), for `AboveThreshold` with real noise.
 *
 * @param queries The true values of the queries.
 * @param options The noise, and what is told.
 *
 * @example
 * ```ts
 * import { aboveThresholdLaw } from "winnow-audit";
 *
 * const law = aboveThresholdLaw([1, -1], { thresholdScale: 1, queryScale: 2 });
 * [...law.keys()].join("; "); // → "below, below; below, above; above"
 * ```
 */
export function aboveThresholdLaw(queries: readonly RationalLike[], options: AboveThresholdLawOptions): Law {
  const read = readOptions(options, REQUIRED, OPTIONAL);
  const { noise = "exponential", maxAbove = 1, precision = DEFAULT_PRECISION } = read;
  const values = exactScores(queries);
  const survival = noise === "laplace" ? laplaceSurvival : exponentialSurvival;
  const density = noise === "laplace" ? laplaceDensity : exponentialDensity;
  const leads = values.map((value, i) => value.minus(read.thresholds?.[i] ?? 0n));
  const integral = integrator(precision + GUARD);
  const law = new Map<string, Interval>();
  walk(
    leads.map((lead) => answersOf(lead, read, survival)),
    { weight: density(rational(read.thresholdScale)), left: Rational.of(BigInt(maxAbove)), told: [] },
    times,
    ({ weight, told }) => law.set(told.join(", "), integral(weight).withPrecision(precision)),
  );
  return law;
}

/** An answer to a query: its text, what it takes of the answers that are left, and its probability given z. */
interface Answer<Weight> {
  readonly text: string;
  readonly share: Rational | undefined;
  readonly weight: Weight;
}

interface Path<Weight> {
  readonly weight: Weight;
  /** The budget left, in full answers above. */
  readonly left: Rational;
  readonly told: readonly string[];
}

/** Visits every sequence of answers to its end. */
function walk<Weight>(
  answers: readonly (readonly Answer<Weight>[])[],
  path: Path<Weight>,
  multiply: (a: Weight, b: Weight) => Weight,
  visit: (path: Path<Weight>) => void,
): void {
  if (path.told.length === answers.length || path.left.compare(1n) < 0) {
    visit(path);
    return;
  }
  for (const { text, share, weight } of answers[path.told.length])
    walk(
      answers,
      {
        weight: multiply(path.weight, weight),
        left: share === undefined ? path.left : path.left.minus(share),
        told: [...path.told, text],
      },
      multiply,
      visit,
    );
}

/** Below at all levels, or above at the first of them that is reached, with each gap. */
function answersOf(
  lead: Rational,
  { queryScale, resolution, largestGap, levels }: AboveThresholdLawOptions,
  survival: Survival,
): Answer<Pieces>[] {
  const answers: Answer<Pieces>[] = [];
  let missed: Pieces = constant(Rational.ONE);
  for (const [level, { margin, share }] of (levels ?? [{ margin: 0, share: 1 }]).entries()) {
    const scale = rational(queryScale).dividedBy(share);
    /** P(ν is above z and `by` more). */
    const least = (by: RationalLike) => survival(rational(margin).plus(by).minus(lead), scale);
    const place = levels === undefined ? "above" : `above at ${level}`;
    const add = (text: string, weight: Pieces) =>
      answers.push({ text, share: rational(share), weight: times(missed, weight) });
    if (resolution === undefined) add(place, least(0n));
    else {
      const most = largestGap ?? DEFAULT_LARGEST_GAP;
      const from = (bin: number) => least(rational(resolution).times(BigInt(bin)));
      for (let bin = 0; bin < most; bin++)
        add(`${place} by ${bin}`, plus(from(bin), scaled(from(bin + 1), Rational.of(-1n))));
      add(`${place} by >=${most}`, from(most));
    }
    missed = times(missed, plus(constant(Rational.ONE), scaled(least(0n), Rational.of(-1n))));
  }
  return [{ text: "below", share: undefined, weight: missed }, ...answers];
}

/**
 * An instance of `AboveThreshold` in base 2 whose law is asked for.
 *
 * @inline
 */
export interface Base2ThresholdLawOptions {
  /** The base of the noise on the threshold. */
  readonly thresholdEta: Base2Parameter;
  /** The base of the noise on queries. */
  readonly queryEta: Base2Parameter;
  /** The thresholds of the queries, integers. Default 0 for all. */
  readonly thresholds?: readonly RationalLike[] | undefined;
  /** How many answers above there are. Default 1. */
  readonly maxAbove?: number | undefined;
  /** Gaps of at least this much are one outcome. Default: gaps aren't released. */
  readonly largestGap?: number | undefined;
  /** Binary places of the probabilities, which are rationals before that. Default 192. */
  readonly precision?: number | undefined;
}

/** The coefficients of a polynomial in t = B₂^z. */
type Polynomial = readonly Rational[];

/**
 * P(these answers), for `AboveThreshold` in base 2, from exact rationals.
 *
 * @param queries The true values of the queries: integers.
 * @param options The bases of the noise, and what is told.
 *
 * @example
 * ```ts
 * import { base2AboveThresholdLaw } from "winnow-audit";
 * import { eta } from "winnow-dp";
 *
 * const law = base2AboveThresholdLaw([0], { thresholdEta: eta(1, 1), queryEta: eta(1, 1) });
 * law.get("above")?.contains("2/3"); // → true
 * ```
 */
export function base2AboveThresholdLaw(
  queries: readonly RationalLike[],
  options: Base2ThresholdLawOptions,
): Law {
  const read = readOptions(
    options,
    { thresholdEta: readers.object, queryEta: readers.object },
    {
      thresholds: readers.arrayLike,
      maxAbove: readers.integer,
      largestGap: readers.integer,
      precision: readers.integer,
    },
  );
  const { maxAbove = 1, precision = DEFAULT_PRECISION, largestGap } = read;
  const [first, second] = [read.thresholdEta, read.queryEta].map(baseOf);
  const leads = exactScores(queries).map((value, i) =>
    readers.rational("lead", value.minus(read.thresholds?.[i] ?? 0n)).floor(),
  );
  const law = new Map<string, Rational>();
  const add = (told: readonly string[], p: Rational) => {
    const outcome = told.join(", ");
    law.set(outcome, law.get(outcome)?.plus(p) ?? p);
  };
  const start = { left: Rational.of(BigInt(maxAbove)), told: [] };
  const most = leads.reduce((a, b) => (a > b ? a : b), 0n);
  // Up to the largest lead one z after the other, and from there on all queries are below the noisy threshold.
  for (let z = 0n; z < most; z++) {
    const answers = leads.map((lead) => integerAnswers(z - lead, second, largestGap));
    const weight = Rational.ONE.minus(first).times(power(first, z));
    walk(
      answers,
      { ...start, weight },
      (a, b) => a.times(b),
      ({ told, weight: p }) => add(told, p),
    );
  }
  const answers = leads.map((lead) => polynomialAnswers(lead, second, largestGap));
  walk(answers, { ...start, weight: [Rational.ONE] }, product, ({ told, weight }) => {
    for (const [degree, coefficient] of weight.entries()) {
      const ratio = first.times(power(second, BigInt(degree)));
      const sum = power(ratio, most).dividedBy(Rational.ONE.minus(ratio)).times(Rational.ONE.minus(first));
      add(told, coefficient.times(sum));
    }
  });
  return new Map([...law].map(([outcome, p]) => [outcome, Interval.from(p, precision)]));
}

function baseOf({ x, y, z }: Base2Parameter): Rational {
  return power(Rational.of(x, 1n << y), z);
}

function power(base: Rational, exponent: bigint): Rational {
  const size = exponent < 0n ? -exponent : exponent;
  const { numerator, denominator } = base;
  const [a, b] = [numerator ** BigInt(size), denominator ** BigInt(size)];
  return exponent < 0n ? Rational.of(b, a) : Rational.of(a, b);
}

/** The answers of a query that is `distance` below the noisy threshold, or above it by −distance. */
function integerAnswers(
  distance: bigint,
  base: Rational,
  largestGap: number | undefined,
): Answer<Rational>[] {
  const reach = distance > 0n ? power(base, distance) : Rational.ONE;
  const lead = distance < 0n ? -distance : 0n;
  const below = { text: "below", share: undefined, weight: Rational.ONE.minus(reach) };
  const gaps = gapWeights(base, lead, largestGap);
  return [below, ...gaps.map(([text, p]) => ({ text, share: Rational.ONE, weight: reach.times(p) }))];
}

/** The answers for z from the lead on, as polynomials in t = B₂^z: the chance to reach is t·B₂^(−lead). */
function polynomialAnswers(
  lead: bigint,
  base: Rational,
  largestGap: number | undefined,
): Answer<Polynomial>[] {
  const reach = power(base, -lead);
  const below = { text: "below", share: undefined, weight: [Rational.ONE, reach.negated()] };
  const gaps = gapWeights(base, 0n, largestGap);
  return [
    below,
    ...gaps.map(([text, p]) => ({ text, share: Rational.ONE, weight: [Rational.ZERO, reach.times(p)] })),
  ];
}

/** The law of lead + G for a geometric G, in bins. */
function gapWeights(base: Rational, lead: bigint, largestGap: number | undefined): [string, Rational][] {
  if (largestGap === undefined) return [["above", Rational.ONE]];
  const atLeast = (gap: bigint) => (gap <= lead ? Rational.ONE : power(base, gap - lead));
  const bins = Array.from({ length: largestGap }, (_, gap): [string, Rational] => [
    `above by ${gap}`,
    atLeast(BigInt(gap)).minus(atLeast(BigInt(gap) + 1n)),
  ]);
  return [...bins, [`above by >=${largestGap}`, atLeast(BigInt(largestGap))]];
}

function product(a: Polynomial, b: Polynomial): Polynomial {
  const result = Array.from({ length: a.length + b.length - 1 }, () => Rational.ZERO);
  for (const [i, x] of a.entries())
    for (const [j, y] of b.entries()) result[i + j] = result[i + j].plus(x.times(y));
  return result;
}
