/**
 * Questions whose answers are numbers: quantiles of a column on a public grid, and how many items have how many people. This module says what may be
 * asked, what a budget makes of it, and how far off an answer can be, all from public values alone. The mechanisms are core's
 * (docs/mechanisms/quantile.md, docs/mechanisms/integer-partition.md); nothing here is measured: no values at all ask them for
 * their parameters.
 *
 * A value is a text that someone wrote. It counts if it is a decimal number, such as 12, -0.5 or 1e3, with at most 40 digits on
 * either side of the point; every engine filters by the same pattern. All else (NaN, infinities, words) is skipped before
 * a person's values are chosen.
 * @module
 */
import {
  type Base2Parameter,
  base2,
  convert,
  etaAtMost,
  type IntegerPartitionOptions,
  type PureLoss,
  type Quantiles,
  type QuantilesOptions,
  quantiles,
  Rational,
  type RationalLike,
  rational,
} from "winnow-dp";
import { refused } from "../refused.js";
import type { Question } from "./question.js";

/** A regular expression in the common part of JavaScript, RE2 and PostgreSQL, without a backslash. */
export const NUMBER_PATTERN = "^[+-]?([0-9]{1,40}([.][0-9]{0,40})?|[.][0-9]{1,40})([eE][+-]?[0-9]{1,3})?$";

const NUMBER = new RegExp(NUMBER_PATTERN);
/** Decimals of so many digits, and not near the ends of what doubles can be, are what their double prints as. */
const DOUBLE_DIGITS = 15;
const DOUBLE_EXPONENT = 250;

/** The number that the text says, exactly; undefined if it isn't one. */
export function parseNumber(text: string): number | Rational | undefined {
  if (!NUMBER.test(text)) return undefined;
  const [digits, exponent = "0"] = text.toLowerCase().split("e");
  const isShort = digits.length <= DOUBLE_DIGITS && Math.abs(Number(exponent)) <= DOUBLE_EXPONENT;
  return isShort ? Number(text) : rational(text);
}

/** Points from lower to upper: lower, lower + step, … */
export interface GridDomain {
  readonly kind: "grid";
  readonly lower: string;
  readonly upper: string;
  readonly step: string;
}

/** The same as a person or a program puts it. */
export interface GridInput {
  readonly kind: "grid";
  readonly lower: RationalLike;
  readonly upper: RationalLike;
  /** Default: the largest power of ten, at most 1, that makes 100 points. */
  readonly step?: RationalLike | undefined;
}

const FEWEST_POINTS = 100n;

export function readGrid({ lower, upper, step }: GridInput): GridDomain {
  const [from, to] = [rational(lower, "range"), rational(upper, "range")];
  if (from.compare(to) >= 0)
    throw refused("range", "from a lower to an upper end, such as 0..10000", `${from}..${to}`);
  const span = to.minus(from);
  const size = step === undefined ? usualStep(span) : rational(step, "step");
  if (size.numerator <= 0n) throw refused("step", "a rational > 0", step);
  if (pointsOf(span, size) > BigInt(Number.MAX_SAFE_INTEGER))
    throw refused("step", "a rational that makes fewer than 2^53 points of the range", step ?? "none");
  return { kind: "grid", lower: String(from), upper: String(to), step: String(size) };
}

function usualStep(span: Rational): Rational {
  let step = Rational.ONE;
  while (span.numerator > 0n && pointsOf(span, step) < FEWEST_POINTS) step = step.dividedBy(10n);
  return step;
}

function pointsOf(span: Rational, step: Rational): bigint {
  return span.dividedBy(step).floor() + 1n;
}

/** How many points a grid has. */
export function gridSize({ lower, upper, step }: GridDomain): number {
  return Number(pointsOf(rational(upper).minus(lower), rational(step)));
}

/** The least and the largest point: values beyond them count as these. */
export function gridEnds(domain: GridDomain): readonly [Rational, Rational] {
  const [lower, step] = [rational(domain.lower), rational(domain.step)];
  return [lower, step.times(BigInt(gridSize(domain) - 1)).plus(lower)];
}

const MOST_QUANTILES = 1000;

/** The shares, rising, as canonical texts. */
export function readShares(given: readonly RationalLike[] | undefined): string[] {
  if (!Array.isArray(given) || given.length === 0)
    throw refused("quantiles", "a list of rationals from 0 to 1, such as 0.5,0.9", given ?? "none");
  if (given.length > MOST_QUANTILES)
    throw refused("quantiles", `a list of at most ${MOST_QUANTILES}`, given.length);
  const shares = given.map((each: RationalLike) => {
    const share = rational(each, "quantiles");
    if (share.compare(0n) < 0 || share.compare(1n) > 0) throw refused("quantiles", "from 0 to 1", each);
    return share;
  });
  shares.sort((a, b) => a.compare(b));
  const repeated = shares.find((share, i) => i > 0 && share.equals(shares[i - 1]));
  if (repeated !== undefined) throw refused("quantiles", "a list with every quantile once", String(repeated));
  return shares.map(String);
}

/** The rules see to it that such a question has a grid, its shares, and exactly one of ε and ρ. */
export function quantileOptions(question: Question): QuantilesOptions {
  const { domain, quantiles: ps = [], epsilon, rho, neighbours, maxItemsPerUser, atMost } = question;
  const { lower, upper, step } = domain as GridDomain;
  const budget = { epsilon, rho } as Extract<QuantilesOptions, { epsilon: RationalLike }>;
  return {
    ...budget,
    quantiles: ps,
    lower,
    upper,
    step,
    neighbours,
    maxValuesPerUser: maxItemsPerUser,
    atMost,
  };
}

/** The mechanism without its answer. */
export function quantilePlan(question: Question): Omit<Quantiles, "values"> {
  return quantiles([], quantileOptions(question));
}

export function quantileParameters(question: Question): Record<string, string> {
  const { method, scales = [] } = quantilePlan(question);
  const { lower, upper, step } = question.domain as GridDomain;
  const shared = { method, range: `${lower}..${upper}`, step };
  if (method === "separate") return { ...shared, scale: String(scales[0]) };
  return {
    ...shared,
    levels: String(question.k.toString(2).length),
    epsilonOfLevel: String(levelOf(question, scales)),
    subCells: String(SUB_CELLS),
  };
}

/** The middle quantile is drawn first, with a scale of 2·max(p, 1 − p) times a person's records over the ε of a level. */
function levelOf(
  { quantiles: shares = [], k, neighbours, maxItemsPerUser = 1 }: Question,
  scales: readonly Rational[],
) {
  const middle = (k - 1) >> 1;
  const [share, rest] = [rational(shares[middle]), rational(1n).minus(shares[middle])];
  const records = BigInt(maxItemsPerUser) * (neighbours === "replace" ? 2n : 1n);
  return (share.compare(rest) > 0 ? share : rest).times(2n * records).dividedBy(scales[middle]);
}

/** Core's default: over how many sub-cells a value is spread in the recursion. */
const SUB_CELLS = 1024;

/** With which probability all rank errors hold together. */
const RANK_CONFIDENCE = "0.95";

/** How far the rank of an answer can be off: so many ranks, and a share of all values. */
export interface RankError {
  readonly ranks: Rational;
  /** Above 0 only after a recursion, where no public bound on the number of values is given. */
  readonly share: Rational;
}

/** One for each quantile; they hold together with `RANK_CONFIDENCE`. */
export function rankErrors(question: Question): readonly RankError[] {
  const plan = quantilePlan(question);
  if (plan.method === "separate" || question.atMost !== undefined)
    return plan
      .rankError(RANK_CONFIDENCE, { atMost: question.atMost })
      .map((ranks) => ({ ranks, share: Rational.ZERO }));
  // A formula in the number n of values: what n = 2 adds to n = 1 is the share.
  const [one, two] = [1, 2].map((atMost) => plan.rankError(RANK_CONFIDENCE, { atMost }));
  return one.map((ranks, i) => {
    const share = two[i].minus(ranks);
    return { ranks: ranks.minus(share), share };
  });
}

/** So many items that so many people have each. */
export interface Frequency {
  readonly users: number;
  readonly items: number;
}

/** How many people each item has. */
export function listOf(runs: readonly Frequency[]): Float64Array {
  const list = new Float64Array(runs.reduce((sum, { items }) => sum + items, 0));
  let filled = 0;
  for (const { users, items } of runs) {
    list.fill(users, filled, filled + items);
    filled += items;
  }
  return list;
}

/** Equal numbers of people of a falling list together. */
export function runsOf(list: readonly number[]): Frequency[] {
  const items = new Map<number, number>();
  for (const users of list) items.set(users, (items.get(users) ?? 0) + 1);
  return Array.from(items, ([users, items]) => ({ users, items }));
}

/** The rules see to it that such a question has an ε. */
function baseOf(question: Question): Base2Parameter {
  return etaAtMost(question.epsilon as string, { sensitivity: movedBy(question) });
}

/** The table of the mechanism grows with 1/ε²: below this it takes minutes and gigabytes, whatever the data. */
const LEAST_EPSILON = rational("1/20");
/** The digits of its numbers grow with ε. */
const MOST_EPSILON = rational(1000);

/** Throws where drawing a list would take too long. */
export function checkFrequencies(question: Question): void {
  const [least, most] = [LEAST_EPSILON, MOST_EPSILON].map((each) => each.times(BigInt(movedBy(question))));
  const epsilon = rational(question.epsilon as string);
  if (epsilon.compare(least) < 0 || epsilon.compare(most) > 0)
    throw refused(
      "epsilon",
      `a rational from ${least} to ${most} with integer-partition (0.05 to 1000 for each item by which one person can move the list)`,
      question.epsilon,
    );
}

/** How far one person can move the sorted list. */
function movedBy({ maxItemsPerUser = 1, neighbours }: Question): number {
  return neighbours === "replace" ? 2 * maxItemsPerUser : maxItemsPerUser;
}

export function frequencyOptions(question: Question): IntegerPartitionOptions {
  return {
    eta: baseOf(question),
    maxItemsPerUser: question.maxItemsPerUser,
    neighbours: question.neighbours,
  };
}

/** What the base of the weights promises, in ε: it is 2Δη in base 2. */
export function frequencyLoss(question: Question): PureLoss {
  const { eta } = baseOf(question);
  return convert(base2(eta.times(BigInt(2 * movedBy(question)))), { to: "pure" });
}

export function frequencyParameters(question: Question): Record<string, string> {
  const { x, y, z } = baseOf(question);
  return { base: `(${x}/2^${y})^${z}`, distance: String(movedBy(question)) };
}

/** About how many people the list shows that weren't counted: Σ k·b^k/(1 − b^k), which is what it shows of no rows at all. */
export function inventedPeople(question: Question): number {
  const { x, y, z } = baseOf(question);
  const base = (Number(x) / 2 ** Number(y)) ** Number(z);
  let people = 0;
  for (let k = 1, power = base; power > 1e-12; k++, power *= base) people += (k * power) / (1 - power);
  return people;
}
