/**
 * Private values on a public grid: lower, lower + step, …, up to upper. Each value is rounded down to the grid and
 * clamped into it, on its own, so that costs nothing. It keeps a histogram by cell, sorted, with running totals.
 *
 * A number is the decimal that it prints as. Where doubles tell its cell for certain they are used; elsewhere rationals.
 * Cost: one pass and a sort, or a pass alone where the grid has few cells.
 * @module
 */
import { invalidData, invalidParameter, type WinnowError } from "../errors.js";
import { Rational, type RationalLike, rational } from "../exact/rational.js";
import { heldStill, isNumeric, NUMBERS, type Scores, toDouble } from "../race/scores.js";
import { sortNumbers } from "../race/sort-numbers.js";

/** One value: a number is the decimal that it prints as; a `Rational` is exact whatever its digits. */
export type GridValue = number | bigint | Rational;

/**
 * The values of all people, or how many have each value: a `Map`, or any iterable of `[value, count]`.
 *
 * @inline
 */
export type GridValues = Scores | Iterable<readonly [value: GridValue, count: number | bigint]>;

/**
 * A public grid.
 *
 * @inline
 */
export interface GridOptions {
  /** The lowest value that can be answered; values below count as this. */
  readonly lower: RationalLike;
  /** The highest; values above count as this. */
  readonly upper: RationalLike;
  /** The step of the grid; values are rounded down to it. Default 1. */
  readonly step?: RationalLike | undefined;
}

/** Grids with at most this many cells per value are counted, not sorted. */
const SPARSE = 4;
const FEW_CELLS = 65_536;
/** Doubles distinguish decimals with up to this many digits. */
const LARGEST_DECIMAL = 1e15;
/** 2^−48, relative: more than the rounding of a value and of the few operations that give its cell. */
const ROUNDING = 1 / 0x1_0000_0000_0000;

export class Grid {
  readonly lower: Rational;
  readonly step: Rational;
  /** How many points there are. */
  readonly size: number;
  /** lower = first/over and step = step/over, where these are exact doubles and over is a power of ten; else 0. */
  readonly #first: number;
  readonly #step: number;
  readonly #over: number;

  constructor({ lower, upper, step = 1n }: GridOptions) {
    this.lower = rational(lower);
    this.step = rational(step);
    const span = rational(upper).minus(this.lower);
    if (span.numerator < 0n) throw invalidParameter("upper", "a rational >= lower", upper);
    const points = span.dividedBy(this.step).floor() + 1n;
    if (points > BigInt(Number.MAX_SAFE_INTEGER))
      throw invalidParameter("step", "a step with fewer than 2^53 points from lower to upper", step);
    this.size = Number(points);
    const over = powerOfTenFor(this.lower, this.step);
    this.#over = over;
    this.#first = this.lower.times(BigInt(over)).toNumber();
    this.#step = this.step.times(BigInt(over)).toNumber();
  }

  /** The number of a point. */
  at(cell: number): Rational {
    return this.step.times(BigInt(cell)).plus(this.lower);
  }

  /** The cell of a value. */
  cellOf(value: GridValue): number {
    return typeof value === "number" ? this.#cellOfNumber(value) : this.#exactCell(value);
  }

  /** The cells of all values. Integers of a grid of integers take no more than a floor and two comparisons. */
  cellsOf(values: Scores, into: Float64Array): Float64Array {
    if (!this.#isPlain || !isNumeric(values)) {
      for (let i = 0; i < values.length; i++) into[i] = this.cellOf(values[i]);
      return into;
    }
    const [first, last] = [this.#first, this.size - 1];
    for (let i = 0; i < values.length; i++) {
      const cell = Math.floor(values[i]) - first;
      into[i] = cell > 0 ? (cell < last ? cell : last) : 0;
      if (cell - cell !== 0) throw invalidValue();
    }
    return into;
  }

  /** Adds 1 to the count of each value's cell. */
  tally(values: Scores, counts: Float64Array): Float64Array {
    if (!this.#isPlain || !isNumeric(values)) {
      for (let i = 0; i < values.length; i++) counts[this.cellOf(values[i])]++;
      return counts;
    }
    const [first, last] = [this.#first, this.size - 1];
    for (let i = 0; i < values.length; i++) {
      const cell = Math.floor(values[i]) - first;
      if (cell - cell !== 0) throw invalidValue();
      counts[cell > 0 ? (cell < last ? cell : last) : 0]++;
    }
    return counts;
  }

  /** Whether the grid is of integers, one by one. */
  get #isPlain(): boolean {
    return this.#over === 1 && this.#step === 1;
  }

  #cellOfNumber(value: number): number {
    if (value - value !== 0) throw invalidValue();
    const [first, step, over] = [this.#first, this.#step, this.#over];
    if (over === 0) return this.#exactCell(value);
    const scaled = value * over;
    const place = (scaled - first) / step;
    const nearest = Math.floor(place + 0.5);
    const decimal = nearest * step + first;
    // Two decimals of 15 digits that round to one double are the same: the value is this point of the grid.
    if (decimal / over === value && Math.abs(decimal) < LARGEST_DECIMAL) return this.#clamped(nearest);
    const slack = ((Math.abs(scaled) + Math.abs(first)) / step) * ROUNDING;
    const cell = Math.floor(place);
    if (place - slack >= cell && place + slack < cell + 1) return this.#clamped(cell);
    return this.#exactCell(value);
  }

  #exactCell(value: GridValue): number {
    refuseUnlessFinite(value);
    const cell = rational(value).minus(this.lower).dividedBy(this.step).floor();
    return cell < 0n ? 0 : cell >= BigInt(this.size) ? this.size - 1 : Number(cell);
  }

  #clamped(cell: number): number {
    return cell < 0 ? 0 : cell < this.size ? cell : this.size - 1;
  }
}

/** A power of ten that makes integers of both, and them small enough for decimals of 15 digits; 0 if there is none. */
function powerOfTenFor(lower: Rational, step: Rational): number {
  for (let over = 1; over <= 1e12; over *= 10) {
    const [first, apart] = [lower.times(BigInt(over)), step.times(BigInt(over))];
    if (!first.isInteger() || !apart.isInteger()) continue;
    const most = Math.max(Math.abs(first.toNumber()), apart.toNumber());
    return most < LARGEST_DECIMAL ? over : 0;
  }
  return 0;
}

/** How many values are in each cell that has any. */
export class GridHistogram {
  /** The cells, ascending. */
  readonly cells: Float64Array;
  /** How many values are in each cell and in those before it. */
  readonly upTo: Float64Array;

  constructor(cells: Float64Array, upTo: Float64Array) {
    this.cells = cells;
    this.upTo = upTo;
    if (this.total > Number.MAX_SAFE_INTEGER) throw invalidPairs();
  }

  get total(): number {
    return this.upTo.at(-1) ?? 0;
  }

  /** How many of the listed cells are below this one. */
  rank(cell: number): number {
    let [low, high] = [0, this.cells.length];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if (this.cells[middle] < cell) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** The histogram of values on a grid. */
export function readGridValues(values: GridValues, grid: Grid): GridHistogram {
  return isPairs(values) ? fromPairs(values, grid) : fromList(values, grid);
}

/** Calls back for each value, with how often it comes. */
export function forEachValue(values: GridValues, call: (value: GridValue, count: number) => void): void {
  if (isPairs(values)) forEachPair(values, call);
  else {
    const held = heldStill(values, "values", invalidValue);
    for (let i = 0; i < held.length; i++) call(held[i], 1);
  }
}

type Pairs = Exclude<GridValues, Scores>;

function isPairs(values: GridValues): values is Pairs {
  return typeof values === "object" && values !== null && Symbol.iterator in values && !isList(values);
}

/** Whether these are values: a typed array, or an array of which the first element isn't a pair. */
function isList(values: object): boolean {
  return ArrayBuffer.isView(values) || (Array.isArray(values) && !Array.isArray(values[0]));
}

function forEachPair(pairs: Pairs, call: (value: GridValue, count: number) => void): void {
  for (const pair of pairs) {
    if (!Array.isArray(pair)) throw invalidPairs();
    const [value, given] = pair as [GridValue, number | bigint];
    const count = typeof given === "bigint" ? Number(given) : given;
    if (!Number.isSafeInteger(count) || count < 0) throw invalidPairs();
    refuseUnlessFinite(value);
    call(value, count);
  }
}

function fromPairs(pairs: Pairs, grid: Grid): GridHistogram {
  const counts = new Map<number, number>();
  forEachPair(pairs, (value, count) => {
    const cell = grid.cellOf(value);
    if (count > 0) counts.set(cell, (counts.get(cell) ?? 0) + count);
  });
  const cells = sortNumbers(Float64Array.from(counts.keys()));
  return withTotals(cells, (index) => counts.get(cells[index]) ?? 0);
}

function fromList(values: Scores, grid: Grid): GridHistogram {
  const held = heldStill(values, "values", invalidValue);
  return grid.size <= Math.max(SPARSE * held.length, FEW_CELLS)
    ? counted(held, grid)
    : grouped(sortNumbers(grid.cellsOf(held, new Float64Array(held.length))));
}

/** By counting, cell by cell. */
function counted(values: Scores, grid: Grid): GridHistogram {
  const counts = grid.tally(values, new Float64Array(grid.size));
  let listed = 0;
  for (let cell = 0; cell < counts.length; cell++) if (counts[cell] > 0) listed++;
  const cells = new Float64Array(listed);
  for (let cell = 0, place = 0; cell < counts.length; cell++) if (counts[cell] > 0) cells[place++] = cell;
  return withTotals(cells, (index) => counts[cells[index]]);
}

/** By runs of equal cells. */
function grouped(sorted: Float64Array): GridHistogram {
  let listed = sorted.length > 0 ? 1 : 0;
  for (let i = 1; i < sorted.length; i++) if (sorted[i] !== sorted[i - 1]) listed++;
  const [cells, upTo] = [new Float64Array(listed), new Float64Array(listed)];
  for (let i = 0, place = 0; i < sorted.length; i++)
    if (sorted[i + 1] !== sorted[i]) {
      cells[place] = sorted[i];
      upTo[place++] = i + 1;
    }
  return new GridHistogram(cells, upTo);
}

function withTotals(cells: Float64Array, countOf: (index: number) => number): GridHistogram {
  const upTo = new Float64Array(cells.length);
  for (let index = 0, total = 0; index < cells.length; index++) upTo[index] = total += countOf(index);
  return new GridHistogram(cells, upTo);
}

/** Refuses what is neither a finite number nor a bigint nor a rational. */
function refuseUnlessFinite(value: GridValue): void {
  if (!(value instanceof Rational)) toDouble(value, invalidValue);
}

/** The double nearest to a value; what is neither a finite number nor a bigint nor a rational is refused. */
export function doubleOf(value: GridValue): number {
  return value instanceof Rational ? value.toNumber() : toDouble(value, invalidValue);
}

/** The refusal of a value, which says nothing about it. */
export function invalidValue(): WinnowError {
  return invalidData("values", NUMBERS);
}

/** The refusal of pairs, which says nothing about them. */
export function invalidPairs(): WinnowError {
  return invalidData("values", "pairs of a value and how many people have it, an integer from 0");
}
