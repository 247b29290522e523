/**
 * Pearson's χ² test. Doubles are good enough here: the tests that use it look for errors of a percent, and the
 * exact evidence is in the bit trees.
 * @module
 */

export interface Cell {
  readonly observed: number;
  readonly expected: number;
}

export interface ChiSquare {
  readonly statistic: number;
  readonly degreesOfFreedom: number;
  /** The probability of a statistic at least this large if the expectations are right. */
  readonly pValue: number;
}

/** Below this expectation the χ² approximation is poor and cells are pooled (Cochran's rule). */
const SMALLEST_EXPECTATION = 5;
/** Where less than this was expected, a single observation is proof enough. */
const IMPOSSIBLE = 1e-6;

export function chiSquare(cells: readonly Cell[]): ChiSquare {
  const pooled = pool(cells);
  const impossible = cells.some(({ observed, expected }) => observed > 0 && expected < IMPOSSIBLE);
  const statistic = impossible ? Number.POSITIVE_INFINITY : pearson(pooled);
  const degreesOfFreedom = pooled.length - 1;
  return { statistic, degreesOfFreedom, pValue: impossible ? 0 : chiSquareTail(statistic, degreesOfFreedom) };
}

function pearson(cells: readonly Cell[]): number {
  return cells.reduce((sum, { observed, expected }) => sum + (observed - expected) ** 2 / expected, 0);
}

/** Merges the cells of smallest expectation until every cell is large enough, or one is left. */
export function pool(cells: readonly Cell[]): Cell[] {
  const byExpectation = cells.toSorted((one, other) => one.expected - other.expected);
  const large: Cell[] = [];
  let small: Cell = { observed: 0, expected: 0 };
  for (const cell of byExpectation) {
    if (Math.min(small.expected, cell.expected) >= SMALLEST_EXPECTATION) large.push(cell);
    else small = { observed: small.observed + cell.observed, expected: small.expected + cell.expected };
  }
  return [small, ...large];
}

/** P(χ² ≥ statistic): the regularised upper incomplete gamma function Q(degrees/2, statistic/2). */
export function chiSquareTail(statistic: number, degreesOfFreedom: number): number {
  if (degreesOfFreedom === 0 || statistic === 0) return 1;
  const [a, x] = [degreesOfFreedom / 2, statistic / 2];
  const scale = Math.exp(a * Math.log(x) - x - lnGammaOfHalf(degreesOfFreedom));
  return x < a + 1 ? 1 - scale * lowerSeries(a, x) : scale * upperFraction(a, x);
}

/** Σ x^n / (a(a+1)…(a+n)), which converges fast for x < a + 1. */
function lowerSeries(a: number, x: number): number {
  let term = 1 / a;
  let sum = term;
  for (let n = 1; term > sum * Number.EPSILON; n++) {
    term *= x / (a + n);
    sum += term;
  }
  return sum;
}

/** 1/(x+1−a− 1(1−a)/(x+3−a− 2(2−a)/(x+5−a− …))) by Lentz's method, for x ≥ a + 1. */
function upperFraction(a: number, x: number): number {
  let b = x + 1 - a;
  let c = Number.POSITIVE_INFINITY;
  let d = 1 / b;
  let value = d;
  for (let n = 1, change = 0; Math.abs(change - 1) > Number.EPSILON && n < 10_000; n++) {
    const numerator = -n * (n - a);
    b += 2;
    d = 1 / (b + numerator * d);
    c = b + numerator / c;
    change = c * d;
    value *= change;
  }
  return value;
}

/** ln Γ(twice/2), from Γ(1) = 1 and Γ(1/2) = √π. */
function lnGammaOfHalf(twice: number): number {
  let sum = twice % 2 === 0 ? 0 : Math.log(Math.PI) / 2;
  for (let a = twice / 2 - 1; a > 0; a--) sum += Math.log(a);
  return sum;
}
