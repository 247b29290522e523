/**
 * Answers with noise on every count: top-k with and without gaps, and permute-and-flip, which is the race for one place.
 * Candidates stream through core's `TopKStream`, so memory does not grow with their number.
 * @module
 */
import { type Entropy, type StreamAnswer, TopKStream, type TopKStreamOptions, WinnowError } from "winnow-dp";
import { sizeOf } from "../question/mechanism-rules.js";
import type { Question } from "../question/question.js";
import type { Answer } from "./answer.js";
import { type Batches, forEachRow } from "./counted-rows.js";
import { numberSet } from "./number-set.js";
import { wholeNumber } from "./whole-number.js";

/** Over a public list, of which every candidate must come once. */
export async function raceListed(question: Question, batches: Batches, entropy?: Entropy): Promise<Answer> {
  const stream = new TopKStream<string>(streamOptions(question, entropy));
  let candidates = 0;
  await forEachRow(batches, (item, users) => {
    stream.push(item, users);
    candidates++;
  });
  checkComplete(candidates, question);
  return answerOf(stream.finish(), question.k);
}

/** Over the whole numbers below a bound; whoever does not come has no users. */
export async function raceIntegers(question: Question, batches: Batches, entropy?: Entropy): Promise<Answer> {
  const below = sizeOf(question.domain) ?? 0;
  const stream = new TopKStream<number>({ ...streamOptions(question, entropy), domainSize: below });
  const pushed = numberSet(below);
  await forEachRow(batches, (item, users) => {
    const number = wholeNumber(item, below);
    if (number === undefined) return;
    stream.push(number, users);
    pushed.add(number);
  });
  return answerOf(stream.finish({ isPushed: (id) => pushed.has(id) }), question.k);
}

function streamOptions(question: Question, entropy: Entropy | undefined): TopKStreamOptions {
  const { k, epsilon, rho, resolution, neighbours } = question;
  return { k, epsilon, rho, resolution, monotone: neighbours === "add-remove", entropy };
}

/** How many came instead is not said: a source that does this wrong might tell something about its rows. */
export function checkComplete(candidates: number, { domain }: Question): void {
  if (candidates === sizeOf(domain)) return;
  throw new WinnowError("invalid-score", "the source did not give every candidate of the public list once");
}

function answerOf({ winners, privacy }: StreamAnswer<string | number>, k: number): Answer {
  return {
    released: true,
    k,
    winners: winners.map(({ index, gap }) => ({
      item: String(index),
      ...(gap !== undefined && { gap: String(gap) }),
    })),
    ordered: true,
    loss: privacy,
  };
}
