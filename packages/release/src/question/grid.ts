/**
 * A public grid, among whose points quantiles are chosen.
 * @module
 */
import { invalidParameter, Rational, type RationalLike, rational } from "winnow-dp";

/**
 * Points from lower to upper: lower, lower + step, …
 *
 * @inline
 */
export interface GridDomain {
  readonly kind: "grid";
  readonly lower: string;
  readonly upper: string;
  readonly step: string;
}

/** A grid as a person or a program writes it. */
export interface GridInput {
  readonly kind: "grid";
  readonly lower: RationalLike;
  readonly upper: RationalLike;
  /** Default: the largest power of ten, at most 1, that makes 100 points. */
  readonly step?: RationalLike | undefined;
}

const FEWEST_POINTS = 100n;

/** Reads a public grid, and chooses its step if none is given. */
export function readGrid({ lower, upper, step }: GridInput): GridDomain {
  const [from, to] = [rational(lower, "range"), rational(upper, "range")];
  if (from.compare(to) >= 0)
    throw invalidParameter("range", "from a lower to an upper end, such as 0..10000", `${from}..${to}`);
  const span = to.minus(from);
  const size = step === undefined ? usualStep(span) : rational(step, "step");
  if (size.numerator <= 0n) throw invalidParameter("step", "a rational > 0", step);
  if (pointsOf(span, size) > BigInt(Number.MAX_SAFE_INTEGER))
    throw invalidParameter(
      "step",
      "a rational that makes fewer than 2^53 points of the range",
      step ?? "none",
    );
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
