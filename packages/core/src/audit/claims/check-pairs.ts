/**
 * The three ways to compare neighbouring laws with a promise: the largest likelihood ratio with ε, Rényi divergences with ρ, and
 * hockey-stick divergences with the δ that goes with each ε.
 * @module
 */
import { Rational, type RationalLike, rational } from "../../exact/rational.js";
import { convert } from "../../privacy/convert.js";
import { type Extended, isBounded } from "../../privacy/extended.js";
import type { ApproxLoss, ZcdpLoss } from "../../privacy/loss.js";
import { hockeyStick } from "../hockey-stick.js";
import { likelihoodRatio } from "../likelihood-ratio.js";
import { renyiDivergence } from "../renyi-divergence.js";
import { type ExactFinding, isWithin, type Pair } from "./exact-claim.js";

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
export function checkApprox(pairs: Iterable<Pair>, loss: ZcdpLoss | ApproxLoss): ExactFinding {
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
    const bound = isBounded(least) ? least : ENDLESS;
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
const ENDLESS = rational("1e300");
