/**
 * A promise that can be checked without chance: the exact laws of a mechanism on small inputs and on all their
 * neighbours, and the largest loss between them, which must be at most the loss that the mechanism states.
 *
 * There are three ways to compare neighbouring laws with a promise: the largest likelihood ratio with ε, Rényi
 * divergences with ρ, and hockey-stick divergences with the δ that goes with each ε.
 *
 * Small histograms come with everything that one individual can make of them. A person who joins adds 1 to any counts.
 * A person who is replaced, as a teacher is, moves any of them by 1 in either direction.
 * @module
 */
import {
  convert,
  type Extended,
  isBounded,
  type LossOf,
  Rational,
  type RationalLike,
  rational,
} from "winnow-dp";
import type { Law } from "../laws/law.js";
import { hockeyStick, likelihoodRatio, renyiDivergence } from "../likelihood-ratio.js";

/**
 * The largest loss that was found beside the one that is stated.
 *
 * @inline
 */
export interface ExactFinding {
  /** The loss that the mechanism states, as a number rounded up. */
  readonly claimed: number;
  /** The largest loss there is, between these. */
  readonly found: {
    /** It is certainly not below this. */
    readonly least: number;
    /** And not above this. */
    readonly most: number;
  };
  /** Where it is reached. */
  readonly where: string;
  /** How many pairs of neighbours were compared. */
  readonly pairs: number;
  /** Whether the largest loss is at most the stated one. */
  readonly holds: boolean;
}

/**
 * A promise that can be checked without chance: by the exact laws of a mechanism on small inputs and all of their
 * neighbours.
 */
export interface ExactClaim {
  /** The function of the library. */
  readonly mechanism: string;
  /** What it runs on. */
  readonly instance: string;
  /** The promise, in words. */
  readonly promise: string;
  /** The statements of the papers that it checks. */
  readonly source?: string;
  /** The unit of the figures: ε, ρ or δ. */
  readonly unit: "ε" | "ρ" | "δ";
  /** Computes the laws and compares them. */
  check(): ExactFinding;
}

/** Two neighbouring inputs by name, with their laws. */
interface Pair {
  readonly from: string;
  readonly to: string;
  readonly laws: readonly [Law, Law];
}

/** Laws of inputs, each computed once. */
function lawsOnce<Input>(lawOf: (input: Input) => Law): (input: Input) => Law {
  const known = new Map<string, Law>();
  return (input) => {
    const name = String(input);
    const law = known.get(name) ?? lawOf(input);
    known.set(name, law);
    return law;
  };
}

/** Every pair of an input and one of its neighbours, if that is not the input itself. */
export function* pairsOf<Input>(
  inputs: Iterable<Input>,
  neighbours: (input: Input) => Iterable<Input>,
  lawOf: (input: Input) => Law,
): Generator<Pair, void> {
  const law = lawsOnce(lawOf);
  for (const input of inputs)
    for (const neighbour of neighbours(input))
      if (String(input) !== String(neighbour))
        yield { from: String(input), to: String(neighbour), laws: [law(input), law(neighbour)] };
}

/** Enclosures have a width; a loss is not called too large for it. */
const WIDTH = rational("1e-20");

/** Whether a bound is at most the claim, up to the width of enclosures. */
function isWithin(bound: Rational, claimed: RationalLike): boolean {
  return bound.minus(WIDTH).compare(claimed) <= 0;
}

/** The largest |ln ratio|, against ε. */
export function checkPure(pairs: Iterable<Pair>, epsilon: RationalLike): ExactFinding {
  const worst = new Worst();
  for (const { from, to, laws } of pairs) {
    worst.count();
    const { least, most, outcome } = likelihoodRatio(laws[0], [laws[1]]);
    worst.see(least, most, `outcome ${outcome}, scores ${from} against ${to}`);
  }
  return worst.against(rational(epsilon));
}

/** Orders at which divergences are compared. */
const ORDERS = [2, 4, 16];

/** The largest divergence divided by its order, against ρ. */
export function checkZcdp(pairs: Iterable<Pair>, rho: RationalLike): ExactFinding {
  const worst = new Worst();
  for (const { from, to, laws } of pairs) {
    worst.count();
    for (const order of ORDERS)
      for (const [law, other] of bothWays(laws)) {
        const perOrder = renyiDivergence(law, other, order).dividedBy(BigInt(order));
        worst.see(perOrder.lower(), perOrder.upper(), `order ${order}, ${from} against ${to}`);
      }
  }
  return worst.against(rational(rho));
}

/** Losses at which δ is compared. */
const EPSILONS = ["0", "1/4", "1/2", "1", "2"];

/** δ at several ε, against what the loss converts to; figures are for the ε at which most of it is used up. */
export function checkApprox(pairs: Iterable<Pair>, loss: LossOf["zcdp" | "approx"]): ExactFinding {
  const all = [...pairs];
  const epsilons = loss.measure === "approx" ? [String(loss.epsilon)] : EPSILONS;
  const findings = epsilons.map((epsilon) => {
    const worst = new Worst();
    for (const { from, to, laws } of all) {
      worst.count();
      for (const [law, other] of bothWays(laws)) {
        const { least, most } = hockeyStick(law, other, epsilon);
        worst.see(least, most, `ε = ${epsilon}, counts ${from} against ${to}`);
      }
    }
    const allowed = loss.measure === "approx" ? loss.delta : convert(loss, { to: "approx", epsilon }).delta;
    return worst.against(allowed);
  });
  const share = ({ found, claimed }: ExactFinding) => found.most / claimed;
  const worst = findings.reduce((a, b) => (share(b) > share(a) ? b : a));
  return { ...worst, holds: findings.every(({ holds }) => holds) };
}

function bothWays([law, other]: Pair["laws"]): Pair["laws"][] {
  return [
    [law, other],
    [other, law],
  ];
}

/** The largest loss seen, and where. */
class Worst {
  #least = Rational.ZERO;
  #most: Extended = Rational.ZERO;
  #where = "nowhere";
  #pairs = 0;

  count(): void {
    this.#pairs++;
  }

  see(least: Extended, most: Extended, where: string): void {
    const bound = isBounded(least) ? least : INFINITE_RATIO;
    if (bound.compare(this.#least) > 0) [this.#least, this.#where] = [bound, where];
    if (!isBounded(most) || !isBounded(this.#most)) this.#most = Infinity;
    else if (most.compare(this.#most) > 0) this.#most = most;
  }

  against(claimed: Rational): ExactFinding {
    const most = this.#most;
    return {
      claimed: claimed.toNumber("up"),
      found: { least: this.#least.toNumber("down"), most: isBounded(most) ? most.toNumber("up") : Infinity },
      where: this.#where,
      pairs: this.#pairs,
      holds: isBounded(most) && isWithin(most, claimed),
    };
  }
}

/** Stands for an infinite ratio. */
const INFINITE_RATIO = rational("1e300");

/** Every histogram of `candidates` candidates with counts up to `most`. */
export function allHistograms(candidates: number, most: number): number[][] {
  return product(
    Array.from({ length: candidates }, () => Array.from({ length: most + 1 }, (_, count) => count)),
  );
}

/** The histograms after one more person, who counts for any set of candidates. */
export function withOneMore(histogram: readonly number[]): number[][] {
  return product(histogram.map((count) => [count, count + 1]));
}

/** The histograms after one of `voters` people was replaced, each with a yes or no to every candidate. */
export function withOneReplaced(histogram: readonly number[], voters: number): number[][] {
  return product(
    histogram.map((count) => [count - 1, count, count + 1].filter((moved) => moved >= 0 && moved <= voters)),
  );
}

/** Every histogram of `voters` people with one vote each. */
export function allElections(candidates: number, voters: number): number[][] {
  return allHistograms(candidates, voters).filter((histogram) => sum(histogram) === voters);
}

/** The histograms after one person's only vote went from one candidate to another. */
export function withOneVoteMoved(histogram: readonly number[]): number[][] {
  return withOneReplaced(histogram, sum(histogram)).filter(
    (moved) =>
      sum(moved) === sum(histogram) && moved.filter((count, i) => count !== histogram[i]).length === 2,
  );
}

/** After one more voter gave a vote to one candidate. */
export function withOneVoteMore(histogram: readonly number[]): number[][] {
  return withOneMore(histogram).filter((more) => sum(more) === sum(histogram) + 1);
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}

function product(choices: readonly (readonly number[])[]): number[][] {
  return choices.reduce<number[][]>(
    (lists, options) => lists.flatMap((list) => options.map((option) => [...list, option])),
    [[]],
  );
}
