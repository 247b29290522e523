/**
 * The game that defines privacy: a fair coin decides which of two neighbouring worlds is real, the mechanism runs there, and
 * the adversary, who knows everything but the coin, says which it was. Against an (ε, δ)-private mechanism nobody is right
 * more often than (e^ε + δ)/(1 + e^ε), however clever. Winning more often refutes the promise, and so does an answer that
 * is given too much more often in one world than in the other.
 *
 * Both are judged by Clopper–Pearson intervals: a private mechanism is called broken in a share of at most
 * 1 − confidence of all games. Proof: docs/proofs/clopper-pearson.md.
 * @module
 */
import type { Entropy } from "../../entropy/entropy.js";
import { Interval } from "../../exact/interval.js";
import { Rational, type RationalLike } from "../../exact/rational.js";
import { clopperPearson } from "../statistics/clopper-pearson.js";
import { shownLoss } from "../statistics/shown-loss.js";

/** Without the person (0) or with them (1). */
export type World = 0 | 1;

/** Runs the mechanism in a world, looks at what comes out, and says which world it was. */
export type Adversary = (world: World, entropy: Entropy) => World;

/** (ε, δ)-differential privacy, as it was promised. */
export interface PrivacyPromise {
  /** The promised ε. */
  readonly epsilon: RationalLike;
  /** The promised δ. */
  readonly delta: RationalLike;
}

/** How long to play, with which bits, and how sure the verdict is to be. */
export interface GameOptions {
  /** How many rounds are played. */
  readonly rounds: number;
  /** Where the coins and the mechanism's bits come from. */
  readonly entropy: Entropy;
  /** In a share of at most 1 − confidence of all games a private mechanism is called broken. */
  readonly confidence: RationalLike;
}

/** How often the adversary was right, and what that proves. */
export interface GameResult {
  /** How many rounds were played. */
  readonly rounds: number;
  /** How often the adversary was right. */
  readonly wins: number;
  /** The share of rounds won, and what it proves about the probability of winning. */
  readonly success: {
    /** The share of rounds won. */
    readonly rate: number;
    /** The probability of winning is not below this, at the stated confidence. */
    readonly lower: number;
    /** And not above this, at the same confidence. */
    readonly upper: number;
  };
  /** The ε that the answers prove at least; a rational. */
  readonly loss: Rational;
  /** Whether that refutes the promise. */
  readonly isBroken: boolean;
}

/**
 * Plays the game that defines privacy so many times: which of two neighbouring worlds was it?
 *
 * @param adversary Runs the mechanism in a world, and says which it was.
 * @param promise What the mechanism promises.
 * @param options How long to play, with which bits, and how sure the verdict is to be.
 */
export function playGame(adversary: Adversary, promise: PrivacyPromise, options: GameOptions): GameResult {
  const { rounds, entropy, confidence } = options;
  const worlds = [
    { hits: 0, runs: 0 },
    { hits: 0, runs: 0 },
  ];
  let wins = 0;
  for (let round = 0; round < rounds; round++) {
    const world = entropy.bit();
    const said = adversary(world, entropy);
    worlds[world].runs++;
    worlds[world].hits += said;
    if (said === world) wins++;
  }
  const { lower, upper } = clopperPearson({ hits: wins, runs: rounds }, confidence);
  const wasSeen = worlds.every(({ runs }) => runs > 0);
  const loss = wasSeen
    ? shownLoss(worlds[1], worlds[0], { confidence, delta: promise.delta }).epsilon
    : Rational.ZERO;
  return {
    rounds,
    wins,
    success: { rate: wins / rounds, lower: lower.toNumber("down"), upper: upper.toNumber("up") },
    loss,
    isBroken: loss.compare(promise.epsilon) > 0,
  };
}

const PRECISION = 96;

/**
 * The most that anybody can win against a mechanism that keeps the promise: (e^ε + δ)/(1 + e^ε), rounded up.
 *
 * @param promise What is promised.
 */
export function mostSuccess({ epsilon, delta }: PrivacyPromise): number {
  const factor = Interval.from(epsilon, PRECISION).exp();
  return factor.plus(delta).dividedBy(factor.plus(1n)).toNumber("up");
}
