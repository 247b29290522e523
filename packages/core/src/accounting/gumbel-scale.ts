/**
 * From (ε, δ) to the least Gumbel noise whose k rounds keep it: the largest range η whose certified δ(ε; η, k) is at most δ, and
 * the scale distance/η, rounded up. The search runs on coarser grids; only what is returned was certified, on the fine grid
 * and for the scale that will be used. Beyond 1,000 rounds and far from usual sizes the zCDP of the rounds is converted, which is as good there.
 *
 * Cost: 5 to 8 evaluations, of which one or two on the fine grid: a few milliseconds for k = 25, some 40 for k = 100. Results
 * are remembered. Proof: profile/rounds-of-bounded-range.proof.md.
 * @module
 */

import { lnOf } from "../exact/certified.js";
import { Interval } from "../exact/interval.js";
import { Rational, rational, toDigits } from "../exact/rational.js";
import { mostZcdp } from "./calibrate.js";
import { approx, type LossOf } from "./loss.js";
import { pureScale, zcdpScale } from "./price.js";
import { deltaAtMost, gridFor, isComputable, MOST_ROUNDS } from "./profile/bounded-range.js";

/** An (ε, δ), and the rounds that share it. */
export interface ApproxRounds {
  readonly epsilon: Rational;
  readonly delta: Rational;
  readonly rounds: number;
  /** How far one individual can move two scores against each other. */
  readonly distance: Rational;
}

/** Noise, and what all rounds of it cost. */
export interface ApproxNoise {
  readonly noise: "gumbel" | "exponential";
  readonly scale: Rational;
  readonly privacy: LossOf<Rational>["approx"];
}

/** The standard deviation of Gumbel noise, in units of that of exponential noise of one scale: π/√6. */
const GUMBEL_DEVIATION = /* @__PURE__ */ Rational.of(12826n, 10000n);

/** The noise that is asked for; by default that of the smaller standard deviation. It depends on public numbers alone. */
export function noiseForApprox(asked: ApproxRounds, noise?: ApproxNoise["noise"]): ApproxNoise {
  if (noise === "gumbel") return gumbelNoise(asked);
  const exponential = exponentialNoise(asked);
  if (noise === "exponential") return exponential;
  const gumbel = gumbelNoise(asked);
  return gumbel.scale.times(GUMBEL_DEVIATION).compare(exponential.scale) < 0 ? gumbel : exponential;
}

/** Pure ε: δ is not used. */
function exponentialNoise({ epsilon, rounds, distance }: ApproxRounds): ApproxNoise {
  const scale = pureScale(epsilon, distance, BigInt(rounds));
  return { noise: "exponential", scale, privacy: approx(distance.times(rounds).dividedBy(scale), 0n) };
}

const remembered = new Map<string, ApproxNoise>();
const MOST_REMEMBERED = 64;

/** The least Gumbel noise for an (ε, δ). */
export function gumbelNoise(asked: ApproxRounds): ApproxNoise {
  const { epsilon, delta, rounds, distance } = asked;
  const question = [epsilon, delta, rounds, distance].join(" ");
  const known = remembered.get(question);
  if (known !== undefined) return known;
  const found = isSearchable(asked) ? searched(asked) : byZcdp(asked);
  if (remembered.size >= MOST_REMEMBERED) remembered.clear();
  remembered.set(question, found);
  return found;
}

/** The ρ that fits into (ε, δ) was rounded down, and the scale for it up. */
function byZcdp({ epsilon, delta, rounds, distance }: ApproxRounds): ApproxNoise {
  const { rho } = mostZcdp(epsilon, delta);
  const scale = zcdpScale(rho, distance, "bounded-range", BigInt(rounds));
  return { noise: "gumbel", scale, privacy: approx(epsilon, delta) };
}

const [LEAST_EPSILON, MOST_EPSILON, LEAST_DELTA] = ["1e-9", "100", "1e-150"];

/** Whether the noise is certified for its rounds, and not for their zCDP. */
export function isSearchable({ epsilon, delta, rounds }: Omit<ApproxRounds, "distance">): boolean {
  const isUsual = epsilon.compare(LEAST_EPSILON) >= 0 && epsilon.compare(MOST_EPSILON) <= 0;
  return isUsual && delta.compare(LEAST_DELTA) >= 0 && rounds <= MOST_ROUNDS;
}

/** How far below δ the certified value may stay, as a share; and by how much a search on coarse grids may miss. */
const [MARGIN, MARGIN_OF_ONE, COARSE] = [0.002, 1e-9, 0.001];
const [MOST_SECANTS, MOST_TRIES] = [8, 6];

/**
 * ln δ against ln(η − ε/k) is nearly straight. A secant on the grid M/4, the error of the grid from M/4 and M/2, then M itself:
 * no step but the last has to be right.
 */
function searched({ epsilon, delta, rounds, distance }: ApproxRounds): ApproxNoise {
  const goal = lnNearly(delta);
  const margin = rounds === 1 ? MARGIN_OF_ONE : MARGIN;
  const edge = epsilon.dividedBy(rounds).toNumber();
  const grid = gridFor(rounds);
  const at = (beyond: number, points: number) => {
    const range = toDigits(rational(edge + beyond), "up");
    return isComputable(epsilon, { range, rounds })
      ? lnNearly(deltaAtMost(epsilon, { range, rounds }, points))
      : 0;
  };
  let beyond = firstGuess(epsilon.toNumber(), goal, rounds, edge);
  let slope = 3;
  let reached = at(beyond, grid / 4);
  for (let i = 0; i < MOST_SECANTS && apart(reached, goal) > (rounds === 1 ? margin : COARSE); i++) {
    const [before, old] = [beyond, reached];
    beyond = moved(beyond, goal - reached, slope);
    reached = at(beyond, grid / 4);
    const measured = (reached - old) / lnNearly(rational(beyond / before));
    if (measured > 0.5 && measured < 1e6) slope = measured;
  }
  if (rounds > 1) {
    const ofGrid = (reached - at(beyond, grid / 2)) * 1.25; // 15/12 of what halving the step gains
    beyond = moved(beyond, goal - margin - (reached - ofGrid), slope);
  }
  let best: ApproxNoise | undefined;
  for (let i = 0; ; i++) {
    const scale = toDigits(distance.dividedBy(rational(edge + beyond)), "up");
    const chance = deltaAtMost(epsilon, { range: distance.dividedBy(scale), rounds }, grid);
    const isMet = chance.compare(delta) <= 0;
    const isBetter = isMet && (best === undefined || scale.compare(best.scale) < 0);
    if (isBetter) best = { noise: "gumbel", scale, privacy: approx(epsilon, chance) };
    const value = chance.numerator === 0n ? goal - 1 : lnNearly(chance);
    if (best !== undefined && (i >= MOST_TRIES || (isMet && goal - value <= 3 * margin))) return best;
    beyond = i < MOST_TRIES ? moved(beyond, goal - margin - value, slope) : beyond / 2;
  }
}

/** By zCDP, and never at the edge below which δ is 0. */
function firstGuess(epsilon: number, goal: number, rounds: number, edge: number): number {
  const roots = rootOf(epsilon - goal) - rootOf(-goal);
  const range = 1.22 * rootOf(8 / rounds) * roots;
  return range - edge > edge / 100 ? range - edge : edge / 100;
}

/** y·e^(by/slope), by at most a factor of 16. */
function moved(beyond: number, by: number, slope: number): number {
  const step = by / slope;
  const exponent = step > 2.75 ? 2.75 : step < -2.75 ? -2.75 : step;
  return beyond * Interval.from(rational(exponent), 64).exp().toNumber("up");
}

function apart(a: number, b: number): number {
  return a > b ? a - b : b - a;
}

/** As a double that every engine computes alike. */
export function lnNearly(value: Rational): number {
  return lnOf(value, 64).toNumber("up");
}

function rootOf(value: number): number {
  return Interval.from(rational(value), 64).sqrt().toNumber("up");
}
