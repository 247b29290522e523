/**
 * The gallery's attacks: the same adversary plays against textbook code and against ours, round after round, and the page
 * shows the score as it goes. None of the curator's data are used.
 * @module
 */

import { type Adversary, attacks, clopperPearson, mostSuccess, shownLoss } from "winnow-audit";
import { type RationalLike, rational, systemEntropy } from "winnow-dp";
import { Refusal } from "winnow-release";
import type { AttackScore, AttackShape, Shares } from "./api.js";
import type { Task } from "./task.js";

/** Rounds between two checkpoints. */
const STRIDE = 250;
const MOST_ROUNDS = 1_000_000;

export function attackShapes(): readonly AttackShape[] {
  return attacks.map(({ id, title, mistake, trick, defence, epsilon, delta, rounds, textbook, ours }) => ({
    id,
    title,
    mistake,
    trick,
    defence,
    epsilon: String(rational(epsilon)),
    bound: mostSuccess({ epsilon, delta }),
    rounds,
    textbook: textbook.name,
    ours: ours.name,
  }));
}

export async function playAttack(
  id: string,
  rounds: number,
  task: Task,
  onScore: (score: AttackScore) => void,
): Promise<AttackScore> {
  const attack = attacks.find((known) => known.id === id);
  if (attack === undefined || !(rounds >= 1 && rounds <= MOST_ROUNDS))
    throw new Refusal("invalid-question", "The page has no such attack, or not for this many rounds.");
  const [textbook, ours] = [new Game(attack.textbook.prepare()), new Game(attack.ours.prepare())];
  for (let done = 0; done < rounds; ) {
    const more = Math.min(STRIDE, rounds - done);
    for (const game of [textbook, ours]) game.play(more);
    done += more;
    onScore({ rounds: done, textbook: textbook.wins, ours: ours.wins });
    await task.checkpoint();
  }
  return {
    rounds,
    textbook: textbook.wins,
    ours: ours.wins,
    intervals: { textbook: textbook.interval, ours: ours.interval },
    proven: { textbook: textbook.provenLoss(attack.delta), ours: ours.provenLoss(attack.delta) },
  };
}

interface WorldTally {
  hits: number;
  runs: number;
}

/** One adversary against one mechanism. */
class Game {
  readonly #adversary: Adversary;
  /** In each of the two worlds: how often the adversary said that it was the second. */
  readonly #worlds: readonly [WorldTally, WorldTally] = [
    { hits: 0, runs: 0 },
    { hits: 0, runs: 0 },
  ];
  wins = 0;

  constructor(adversary: Adversary) {
    this.#adversary = adversary;
  }

  /** A fair coin decides which world is real; the adversary sees the answer and says which one it was. */
  play(rounds: number): void {
    const entropy = systemEntropy();
    for (let round = 0; round < rounds; round++) {
      const world = entropy.bit();
      const said = this.#adversary(world, entropy);
      this.#worlds[world].runs++;
      this.#worlds[world].hits += said;
      if (said === world) this.wins++;
    }
  }

  get interval(): Shares {
    const runs = this.#worlds[0].runs + this.#worlds[1].runs;
    const { lower, upper } = clopperPearson({ hits: this.wins, runs }, "0.95");
    return [lower.toNumber("down"), upper.toNumber("up")];
  }

  provenLoss(delta: RationalLike): number {
    if (this.#worlds.some(({ runs }) => runs === 0)) return 0;
    const { epsilon } = shownLoss(this.#worlds[1], this.#worlds[0], { confidence: "0.999", delta });
    return Math.max(epsilon.toNumber("down"), 0);
  }
}
