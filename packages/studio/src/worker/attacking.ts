/**
 * The gallery's attacks: the same adversary plays against textbook code and against ours, round after round, and the score
 * is told as it goes. No data of the curator take part.
 * @module
 */
import { rational, systemEntropy } from "winnow-dp";
import { type Adversary, attacks, clopperPearson, mostSuccess } from "winnow-dp/audit";
import type { AttackScore, AttackShape, Shares } from "./api.js";
import { StudioRefusal } from "./studio-refusal.js";
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
    throw new StudioRefusal("invalid-question", "There is no such attack, or not for so many rounds.");
  const sides = [attack.textbook.prepare(), attack.ours.prepare()] as const;
  let score: AttackScore = { rounds: 0, textbook: 0, ours: 0 };
  while (score.rounds < rounds) {
    const more = Math.min(STRIDE, rounds - score.rounds);
    const [textbook, ours] = sides.map((adversary) => winsOf(adversary, more));
    score = { rounds: score.rounds + more, textbook: score.textbook + textbook!, ours: score.ours + ours! };
    onScore(score);
    await task.checkpoint();
  }
  const intervalOf = (hits: number) => interval(hits, score.rounds);
  return { ...score, intervals: { textbook: intervalOf(score.textbook), ours: intervalOf(score.ours) } };
}

function interval(hits: number, runs: number): Shares {
  const { lower, upper } = clopperPearson({ hits, runs }, "0.95");
  return [lower.toNumber("down"), upper.toNumber("up")];
}

/** A fair coin decides which world is real; the adversary sees what comes out there and says which it was. */
function winsOf(adversary: Adversary, rounds: number): number {
  const entropy = systemEntropy();
  let wins = 0;
  for (let round = 0; round < rounds; round++) {
    const world = entropy.bit();
    if (adversary(world, entropy) === world) wins++;
  }
  return wins;
}
