/**
 * What every attack is: a mistake of textbook code, an adversary who uses it, and the same adversary against Winnow. `run`
 * plays both games and tells how often each was won, with a confidence interval.
 * @module
 */
import type { Entropy } from "../../entropy/entropy.js";
import { anEntropy, withEntropy } from "../../entropy/system-entropy.js";
import type { RationalLike } from "../../exact/rational.js";
import { integer, properProbability, readOptions } from "../../validate.js";
import { type Adversary, type GameResult, mostSuccess, playGame } from "./distinguishing-game.js";

/** One side of the comparison. */
export interface Contestant {
  /** The code that is attacked. */
  readonly name: string;
  /** What the adversary works out beforehand, once; then they play. */
  readonly prepare: () => Adversary;
}

/** A mistake of textbook code, an adversary who uses it, and the same adversary against Winnow. */
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

/** How long to play, with which bits, and how sure the verdicts are to be. */
export interface AttackOptions {
  /** How many rounds are played. Default: as many as the attack needs to be seen. */
  readonly rounds?: number | undefined;
  /** Where the fair bits come from. Default: the system's cryptographic generator. */
  readonly entropy?: Entropy | undefined;
  /** The confidence of each of the two verdicts. Default 0.999999. */
  readonly confidence?: RationalLike | undefined;
}

/** How often the adversary won on either side. */
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

const ATTACK = { rounds: integer, entropy: anEntropy, confidence: properProbability };
const CONFIDENCE = "0.999999";

/** Makes an attack that can be run. */
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
