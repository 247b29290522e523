/**
 * What an attack is: a mistake of textbook code, an adversary who uses it, and the same adversary against Winnow.
 * `run` plays both games and reports how often each was won, with a confidence interval.
 *
 * The game defines privacy. A fair coin decides which of two neighbouring worlds is real, the mechanism runs there,
 * and the adversary, who knows everything except the coin, says which world it was. Against an (ε, δ)-private
 * mechanism no one is right more often than (e^ε + δ)/(1 + e^ε), however clever. Winning more often refutes the
 * promise, and so does an answer that is given too much more often in one world than in the other.
 *
 * Both are judged by Clopper–Pearson intervals: a private mechanism is called broken in a share of at most 1 −
 * confidence of all games. Proof: statistics/clopper-pearson.proof.md.
 * @module
 */
import {
  type Entropy,
  Interval,
  Rational,
  type RationalLike,
  readers,
  readOptions,
  withEntropy,
} from "winnow-dp";

import { shownLoss } from "../statistics/audit-by-runs.js";
import { clopperPearson } from "../statistics/clopper-pearson.js";

/**
 * One side of the comparison.
 *
 * @inline
 */
export interface Contestant {
  /** The code that is attacked. */
  readonly name: string;
  /** What the adversary works out beforehand, once; then they play. */
  readonly prepare: () => Adversary;
}

/**
 * A mistake of textbook code, an adversary who uses it, and the same adversary against Winnow.
 *
 * @inline
 */
export interface AttackDefinition {
  /** A short name, stable. */
  readonly id: string;
  /** A name for people. */
  readonly title: string;
  /** What textbook code does wrong. */
  readonly mistake: string;
  /** What the adversary looks at. */
  readonly trick: string;
  /** Why it does not work here. */
  readonly defence: string;
  /** The paper or the rule that it goes back to. */
  readonly source: string;
  /** The ε that both promise. */
  readonly epsilon: RationalLike;
  /** The δ that both promise. Default 0. */
  readonly delta?: RationalLike;
  /** How many rounds are enough to see it. */
  readonly rounds: number;
  /** Code that makes the mistake. */
  readonly textbook: Contestant;
  /** Winnow's code for the same task. */
  readonly ours: Contestant;
}

/**
 * How long to play, with which bits, and how sure the verdicts are to be.
 *
 * @inline
 */
export interface AttackOptions {
  /** How many rounds are played. Default: as many as the attack needs to be seen. */
  readonly rounds?: number | undefined;
  /** Where the fair bits come from. Default: the system's cryptographic generator. */
  readonly entropy?: Entropy | undefined;
  /** The confidence of each of the two verdicts. Default 0.999999. */
  readonly confidence?: RationalLike | undefined;
}

/**
 * How often the adversary won on either side.
 *
 * @inline
 */
export interface AttackResult {
  /** The short name of the attack. */
  readonly id: string;
  /** The most that an adversary could win if the promise were kept. */
  readonly mostSuccess: number;
  /** The game against textbook code. */
  readonly textbook: GameResult;
  /** The game against Winnow. */
  readonly ours: GameResult;
  /** Whether textbook code was broken and ours was not. */
  readonly holds: boolean;
}

/** An attack that can be run. */
export interface Attack extends Required<AttackDefinition> {
  /** Plays both games. */
  run(options?: AttackOptions): AttackResult;
}

const ATTACK = { rounds: readers.integer, entropy: readers.entropy, confidence: readers.properProbability };
const CONFIDENCE = "0.999999";

/**
 * Makes an attack that can be run.
 *
 * @example
 * ```ts
 * import { defineAttack, type World } from "winnow-audit";
 * import type { Entropy } from "winnow-dp";
 * import { seededEntropy } from "winnow-dp/testing";
 *
 * const coin = { name: "a fair coin", prepare: () => (_: World, entropy: Entropy) => entropy.bit() };
 * const peek = { name: "no noise", prepare: () => (world: World) => world };
 * const attack = defineAttack({
 *   id: "peek",
 *   title: "Looking",
 *   mistake: "The answer has no noise.",
 *   trick: "Read it.",
 *   defence: "Add noise.",
 *   source: "",
 *   epsilon: 1,
 *   rounds: 500,
 *   textbook: peek,
 *   ours: coin,
 * });
 * attack.run({ entropy: seededEntropy("an attack") }).holds; // → true
 * ```
 */
export function defineAttack(definition: AttackDefinition): Attack {
  const attack = { delta: 0n, ...definition };
  const run = (options: AttackOptions = {}) => {
    const { rounds = attack.rounds, entropy, confidence = CONFIDENCE } = readOptions(options, {}, ATTACK);
    return withEntropy(entropy, (bits): AttackResult => {
      const game = { rounds, confidence, entropy: bits };
      const textbook = playGame(attack.textbook.prepare(), attack, game);
      const ours = playGame(attack.ours.prepare(), attack, game);
      const holds = textbook.isBroken && !ours.isBroken;
      return { id: attack.id, mostSuccess: mostSuccess(attack), textbook, ours, holds };
    });
  };
  return { ...attack, run };
}

/**
 * Without the person (0) or with them (1).
 */
export type World = 0 | 1;

/** Runs the mechanism in a world, looks at what comes out, and says which world it was. */
export type Adversary = (world: World, entropy: Entropy) => World;

/**
 * (ε, δ)-differential privacy, as it was promised.
 *
 * @inline
 */
export interface PrivacyPromise {
  /** The promised ε. */
  readonly epsilon: RationalLike;
  /** The promised δ. */
  readonly delta: RationalLike;
}

/**
 * How long to play, with which bits, and how sure the verdict is to be.
 *
 * @inline
 */
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
 * Plays the game that defines privacy `rounds` times: which of two neighbouring worlds was it?
 *
 * @param adversary Runs the mechanism in a world, and says which it was.
 * @param promise What the mechanism promises.
 * @param options How long to play, with which bits, and how sure the verdict is to be.
 *
 * @example
 * ```ts
 * import { playGame } from "winnow-audit";
 * import { seededEntropy } from "winnow-dp/testing";
 *
 * const game = { rounds: 500, entropy: seededEntropy("a game"), confidence: "0.999" };
 * playGame((world) => world, { epsilon: 1, delta: 0 }, game).isBroken; // → true
 * ```
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
 * The most that anyone can win against a mechanism that keeps the promise: (e^ε + δ)/(1 + e^ε), rounded up.
 *
 * @param promise What is promised.
 *
 * @example
 * ```ts
 * import { mostSuccess } from "winnow-audit";
 *
 * mostSuccess({ epsilon: 1, delta: 0 }).toFixed(3); // → "0.731"
 * ```
 */
export function mostSuccess({ epsilon, delta }: PrivacyPromise): number {
  const factor = Interval.from(epsilon, PRECISION).exp();
  return factor.plus(delta).dividedBy(factor.plus(1n)).toNumber("up");
}
