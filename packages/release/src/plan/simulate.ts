/**
 * `expectedUtility`: how good an answer to a question is on average, by running the mechanism itself, exactly, on scores
 * that are public or generated (or private, if the result stays with the curator: it is a function of them).
 *
 * It gives way to whatever else waits every few milliseconds and ends when its signal says so.
 * @module
 */
import { type Entropy, systemEntropy } from "winnow-dp";
import { sizeOf } from "../question/mechanism-rules.js";
import type { Question } from "../question/question.js";
import { refused } from "../refused.js";
import { type Estimate, RunningMean } from "./estimate.js";
import { prepareRun } from "./prepare-run.js";
import { RankedScores } from "./ranked-scores.js";
import { Truth } from "./truth.js";
import { TurnTaker } from "./turn-taker.js";

export interface SimulationOptions {
  /** Default 200. */
  readonly runs?: number | undefined;
  /** Where the bits come from. Default: the system's generator. */
  readonly entropy?: Entropy | undefined;
  /** Ends the simulation: its promise rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

export interface Utility {
  readonly runs: number;
  /** The share of the true k largest that is named. */
  readonly recall: Estimate;
  /** How many are named. */
  readonly winners: Estimate;
  /** How often anybody is named. */
  readonly released: Estimate;
  /** The mean distance, in users, between a released gap and the true lead; only where gaps are released. */
  readonly gapError?: Estimate;
}

/** Scores in any order; if the domain has more candidates, the others have score 0. */
export async function expectedUtility(
  question: Question,
  scores: ArrayLike<number> | RankedScores,
  { runs = 200, entropy, signal }: SimulationOptions = {},
): Promise<Utility> {
  if (!Number.isSafeInteger(runs) || runs < 1) throw refused("runs", "an integer >= 1", runs);
  signal?.throwIfAborted();
  const { sorted } = scores instanceof RankedScores ? scores : new RankedScores(scores);
  checkSize(question, sorted.length);
  const [run, truth] = [prepareRun(question, sorted), new Truth(sorted, question.k, sizeOf(question.domain))];
  const [recall, winners, released, gapError] = Array.from({ length: 4 }, () => new RunningMean());
  const turns = new TurnTaker(signal);
  const bits = entropy ?? systemEntropy();
  for (let done = 0; done < runs; done++) {
    const answer = run(bits);
    recall.add(truth.recall(answer));
    winners.add(answer.winners.length);
    released.add(answer.winners.length > 0 ? 1 : 0);
    if (answer.gaps !== undefined) gapError.add(truth.gapError(answer));
    if (turns.isOver) await turns.next();
  }
  return {
    runs,
    recall: recall.estimate,
    winners: winners.estimate,
    released: released.estimate,
    ...(question.resolution !== undefined && { gapError: gapError.estimate }),
  };
}

function checkSize({ domain }: Question, candidates: number): void {
  const size = sizeOf(domain);
  if (size !== undefined && candidates > size)
    throw refused("scores", `a list of at most ${size}, one for each candidate`, candidates);
}
