/**
 * A choice among private tries whose log is kept, as tools that tune parameters do. The best of a random number of tries costs less
 * than three of them because no one learns the others: with all of their scores it costs all of them.
 *
 * Each try is randomised response, so its score says a little about the secret bit; two hundred of them say it.
 */
import { type Entropy, pure, rational, selectPrivateCandidate } from "winnow-dp";
import { bernoulliExp } from "winnow-dp/sample";
import { type Adversary, defineAttack, type World } from "./attack.js";

/** The best of K tries, K geometric with the mean 200, costs less than three tries. */
const EACH = rational("1/3");
const RUNS = { law: "truncated-negative-binomial", eta: 1, gamma: "1/200" } as const;

export const loggedTrials = defineAttack({
  id: "logged-trials",
  title: "A choice among private tries, with its log",
  mistake: "chooses the best of many private tries, and keeps the score of each in a log",
  trick: "reads the log and takes the majority of the scores",
  defence: "the library forgets all tries but the best, and how many there were",
  source: "Papernot and Steinke, Hyperparameter tuning with Rényi differential privacy (2022)",
  epsilon: 1,
  rounds: 2000,
  textbook: { name: "the best of the tries, and the log", prepare: () => adversary(true) },
  ours: { name: "selectPrivateCandidate", prepare: () => adversary(false) },
});

function adversary(readsLog: boolean): Adversary {
  return (world, entropy) => {
    const log: number[] = [];
    const choice = selectPrivateCandidate(
      (bits) => {
        const score = response(world, bits);
        log.push(score);
        return { output: score, score };
      },
      { loss: pure(EACH), runs: RUNS, entropy },
    );
    if (!readsLog) return choice.released && choice.score === 1 ? 1 : 0;
    const ones = log.filter((score) => score === 1).length;
    return 2 * ones > log.length ? 1 : 0;
  };
}

/** The bit, or with probability 1/(1 + e^ε) the other one. */
function response(world: World, entropy: Entropy): World {
  // A fair coin twice: the other bit is kept with probability e^−ε.
  for (;;) {
    if (entropy.bit() === 0) return world;
    if (bernoulliExp(EACH, entropy)) return world === 1 ? 0 : 1;
  }
}
