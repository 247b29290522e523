/**
 * What every attack is: a mistake of textbook code, an adversary who uses it, and the same adversary against Winnow. `run`
 * plays both games and tells how often each was won, with a confidence interval.
 * @module
 */
import type { Entropy } from "../../entropy/entropy.js";
import { withEntropy } from "../../entropy/system-entropy.js";
import { invalidParameter } from "../../errors.js";
import type { RationalLike } from "../../exact/rational.js";
import { type Adversary, type GameResult, mostSuccess, playGame } from "./distinguishing-game.js";

/** One side of the comparison. */
export interface Contestant {
  /** The code that is attacked. */
  readonly name: string;
  /** What the adversary works out beforehand, once; then they play. */
  readonly prepare: () => Adversary;
}

export interface AttackDefinition {
  readonly id: string;
  readonly title: string;
  /** What textbook code does wrong. */
  readonly mistake: string;
  /** What the adversary looks at. */
  readonly trick: string;
  /** Why it does not work here. */
  readonly defence: string;
  /** The paper or the rule that it goes back to. */
  readonly source: string;
  /** What both promise. */
  readonly epsilon: RationalLike;
  readonly delta?: RationalLike;
  /** How many rounds are enough to see it. */
  readonly rounds: number;
  readonly textbook: Contestant;
  readonly ours: Contestant;
}

export interface AttackOptions {
  /** Default: as many as the attack needs to be seen. */
  readonly rounds?: number | undefined;
  /** Default: the system's generator. */
  readonly entropy?: Entropy | undefined;
  /** Of each of the two verdicts. Default 0.999999. */
  readonly confidence?: RationalLike | undefined;
}

export interface AttackResult {
  readonly id: string;
  /** The most that an adversary could win if the promise were kept. */
  readonly mostSuccess: number;
  readonly textbook: GameResult;
  readonly ours: GameResult;
  /** Whether textbook code was broken and ours was not. */
  readonly holds: boolean;
}

export interface Attack extends Required<AttackDefinition> {
  run(options?: AttackOptions): AttackResult;
}

const CONFIDENCE = "0.999999";

/** An attack that can be run. */
export function defineAttack(definition: AttackDefinition): Attack {
  const attack = { delta: 0n, ...definition };
  const run = ({ rounds = attack.rounds, entropy, confidence = CONFIDENCE }: AttackOptions = {}) => {
    if (!Number.isSafeInteger(rounds) || rounds < 1)
      throw invalidParameter("rounds", "an integer >= 1", rounds);
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
