/**
 * The private answer to a question about counted items. The counts are private; the answer is safe to publish once its
 * loss is charged. Nothing is charged here: charge the loss before you show the answer to anyone.
 *
 * Core's mechanisms do the work and get exactly what their theorems ask for:
 *
 * - over a public list, every candidate once, those without a row as zeros; over the whole numbers below N, the
 *   numbers that have rows, with the others drawn as zeros. Candidates stream through core's `TopKStream`, so memory
 *   is O(k), plus one bit for each number (see `numberSet`). Permute-and-flip is the race for one place;
 * - over an unknown domain, the k̄ + 1 largest counts, and no others ever leave the source. A position among them
 *   depends on who is in the data, so candidates are sorted by name before anything is drawn, and only names come out,
 *   by name, without positions, counts or gaps. Core continues a short histogram with zeros, which have no names.
 *
 * A count that isn't a whole number stops the selection before anything is released. The error doesn't say which or
 * what.
 * @module
 */
import {
  type Entropy,
  type Loss,
  type NoiseBudget,
  type StreamAnswer,
  stableTopK,
  stableTopKFixed,
  TopKStream,
  type TopKStreamOptions,
  WinnowError,
} from "winnow-dp";
import { fixedOptions, stableOptions } from "../question/mechanism.js";
import { type Question, sizeOf } from "../question/question.js";
import { compareNames, LargestItems, numberSet } from "./bounded-sets.js";

export interface SelectOptions {
  /** Where the fair bits come from. Default: the system's cryptographic generator. */
  readonly entropy?: Entropy | undefined;
}

export async function select(
  question: Question,
  batches: Batches,
  { entropy }: SelectOptions = {},
): Promise<Answer> {
  switch (question.mechanism) {
    case "stable-top-k":
      return selectStable(question, batches, entropy);
    case "stable-top-k-fixed":
      return selectFixed(question, batches, entropy);
    default:
      return question.domain.kind === "integers"
        ? raceIntegers(question, batches, entropy)
        : raceListed(question, batches, entropy);
  }
}

/** Items with how many users each has: private. */
export interface CountedItems {
  readonly items: readonly string[];
  /** As many, whole numbers below 2^53. */
  readonly users: readonly number[];
}

export interface Winner {
  readonly item: string;
  /** By how much it leads the next, exactly as released: a multiple of the resolution. */
  readonly gap?: string;
}

/** The answer to a question. */
export interface Answer {
  /** Whether anybody is named. "Nothing can be released" is an answer and costs the same. */
  readonly released: boolean;
  /** How many were asked for; for an adaptive question how many the mechanism decided on, said even if none is named. */
  readonly k: number;
  readonly winners: readonly Winner[];
  /** Best first; otherwise by name (UTF-16 code units), which says nothing about the counts. */
  readonly ordered: boolean;
  /** The loss incurred, whatever the answer. */
  readonly loss: Loss;
}

export type CandidatesWanted =
  /** Every candidate of the public list once, 0 users if it has no row. */
  | { readonly kind: "listed"; readonly size: number }
  /** The whole numbers from 0 below this that have rows. */
  | { readonly kind: "integers"; readonly below: number }
  /** The items with the most users, at most so many. */
  | { readonly kind: "largest"; readonly rows: number };

export function candidatesWanted({ domain, k }: Question): CandidatesWanted {
  switch (domain.kind) {
    case "listed":
      return { kind: "listed", size: domain.size };
    case "integers":
      return { kind: "integers", below: domain.below };
    default:
      return { kind: "largest", rows: k + 1 };
  }
}

type Batches = Iterable<CountedItems> | AsyncIterable<CountedItems>;

/** Calls `take` for each row. */
async function forEachRow(batches: Batches, take: (item: string, users: number) => void): Promise<void> {
  for await (const { items, users } of batches) {
    if (items.length !== users.length) throw badCounts();
    for (let row = 0; row < items.length; row++) {
      const count = users[row];
      if (!Number.isSafeInteger(count) || count < 0) throw badCounts();
      take(items[row], count);
    }
  }
}

function badCounts(): WinnowError {
  return new WinnowError("invalid-score", "the source gave an item without a whole number of users >= 0");
}

/** Over a public list, of which every candidate must come once. */
async function raceListed(question: Question, batches: Batches, entropy?: Entropy): Promise<Answer> {
  const stream = new TopKStream<string>(streamOptions(question, entropy));
  let candidates = 0;
  await forEachRow(batches, (item, users) => {
    stream.push(item, users);
    candidates++;
  });
  checkComplete(candidates, question);
  return rankedAnswer(stream.finish(), question.k);
}

/** Over the whole numbers below a bound; whoever does not come has no users. */
async function raceIntegers(question: Question, batches: Batches, entropy?: Entropy): Promise<Answer> {
  const below = sizeOf(question.domain) ?? 0;
  const stream = new TopKStream<number>({ ...streamOptions(question, entropy), domainSize: below });
  const pushed = numberSet(below);
  await forEachRow(batches, (item, users) => {
    const number = wholeNumber(item, below);
    if (number === undefined) return;
    stream.push(number, users);
    pushed.add(number);
  });
  return rankedAnswer(stream.finish({ isPushed: (id) => pushed.has(id) }), question.k);
}

function streamOptions(question: Question, entropy: Entropy | undefined): TopKStreamOptions {
  const { k, epsilon, rho, resolution, neighbours } = question;
  const budget = { epsilon, rho } as NoiseBudget; // the rules see to it that there is exactly one
  return { ...budget, k, resolution, monotone: neighbours === "add-remove", entropy };
}

/** How many came instead is not said: a source that does this wrong might tell something about its rows. */
function checkComplete(candidates: number, { domain }: Question): void {
  if (candidates === sizeOf(domain)) return;
  throw new WinnowError("invalid-score", "the source did not give every candidate of the public list once");
}

function rankedAnswer({ winners, privacy }: StreamAnswer<string | number>, k: number): Answer {
  return {
    released: true,
    k,
    winners: winners.map(({ candidate, gap }) => ({
      item: String(candidate),
      ...(gap !== undefined && { gap: String(gap) }),
    })),
    ordered: true,
    loss: privacy,
  };
}

/** How many stand out, and who, in any domain: only the k̄ + 1 largest counts matter. */
async function selectStable(question: Question, batches: Batches, entropy?: Entropy): Promise<Answer> {
  const { items, users } = await largest(question, batches);
  const answer = stableTopK(users, { ...stableOptions(question), entropy });
  const named = answer.released ? answer.indices.map((index) => items[index]) : [];
  return { ...answerByName(named), k: answer.k, loss: answer.privacy };
}

/** About k winners: at most k of an unknown domain, exactly k of a public list. */
async function selectFixed(question: Question, batches: Batches, entropy?: Entropy): Promise<Answer> {
  const isUnknown = question.domain.kind === "unknown";
  const { items, users } = await (isUnknown ? largest(question, batches) : all(question, batches));
  const { indices, privacy } = stableTopKFixed(users, { ...fixedOptions(question), entropy });
  return { ...answerByName(indices.map((index) => items[index])), k: question.k, loss: privacy };
}

function answerByName(named: readonly string[]): Pick<Answer, "released" | "winners" | "ordered"> {
  const winners = named.toSorted(compareNames).map((item) => ({ item }));
  return { released: winners.length > 0, winners, ordered: false };
}

/** The k̄ + 1 largest counts, by name. */
async function largest(question: Question, batches: Batches) {
  const { domain, k } = question;
  const kept = new LargestItems(k + 1);
  let candidates = 0;
  await forEachRow(batches, (item, users) => {
    if (domain.kind === "integers" && wholeNumber(item, domain.below) === undefined) return;
    kept.take(item, users);
    candidates++;
  });
  if (domain.kind === "listed") checkComplete(candidates, question);
  return kept.byName();
}

/** Every candidate of the public list, by name. */
async function all(question: Question, batches: Batches) {
  const rows: { readonly item: string; readonly users: number }[] = [];
  await forEachRow(batches, (item, users) => rows.push({ item, users }));
  checkComplete(rows.length, question);
  rows.sort((a, b) => compareNames(a.item, b.item));
  return { items: rows.map(({ item }) => item), users: rows.map(({ users }) => users) };
}

/** The number that is written so, if it is from 0 and below the bound. */
function wholeNumber(text: string, below: number): number | undefined {
  const number = Number(text);
  const isOne = String(number) === text && Number.isInteger(number) && number >= 0 && number < below;
  return isOne ? number : undefined;
}
