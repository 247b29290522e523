/**
 * The private answer to a question about counted items. The counts are private; the answer is safe to publish once its
 * loss is charged. Nothing is charged here: charge the loss before you show the answer to anyone.
 *
 * Core's mechanisms do the work and get exactly what their theorems ask for:
 *
 * - over a public list, every candidate once, those without a row as zeros; over the whole numbers below N, the
 *   numbers that have rows, with the others drawn as zeros. Candidates stream through core's `TopKStream`, so memory
 *   is O(k), plus one bit for each number (see `numberSet`). Permute-and-flip is the race for one place;
 * - over an unknown domain, the k̄ + 1 largest counts, and no others ever leave the source. The limited-domain top k
 *   names those that come before ⊥, in order. For a stable set, a position among the largest depends on who is in the
 *   data, so candidates are sorted by name before anything is drawn, and only names come out, by name. Core continues a
 *   short histogram with zeros, which have no names;
 * - for names above a threshold, all counts, after the source cut every person to so many items by a keyed hash. They
 *   come by name; the best k of them are sorted by their released counts, which costs nothing;
 * - for quantiles, how many times each value is kept, after the source cut every person to so many rows in the same way: a
 *   value weighs as often as its person has it. The winners are points of the grid;
 * - for frequencies, how many items have how many people: no name is needed for it.
 *
 * A count that isn't a whole number stops the selection before anything is released. The error doesn't say which or
 * what.
 * @module
 */
import {
  type Entropy,
  integerPartition,
  type Loss,
  limitedTopK,
  measureCounts,
  quantiles,
  type Rational,
  type StreamAnswer,
  selectPartitions,
  stableTopK,
  stableTopKFixed,
  TopKStream,
  type TopKStreamOptions,
  topKWithCounts,
  WinnowError,
} from "winnow-dp";
import { COUNT_CONFIDENCE, noiseOptions } from "../question/counts.js";
import { countsOf, fixedOptions, lossOf, namesBudget, stableOptions } from "../question/mechanism.js";
import {
  type Frequency,
  frequencyLoss,
  frequencyOptions,
  listOf,
  parseNumber,
  quantileOptions,
  runsOf,
} from "../question/numbers.js";
import { type Question, sizeOf } from "../question/question.js";
import {
  countedOptions,
  limitedOptions,
  limitedPlan,
  partitionOptions,
} from "../question/unknown-domains.js";
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
    case "limited-top-k":
      return selectLimited(question, batches, entropy);
    case "threshold-top-k":
    case "select-partitions":
      return selectAboveThreshold(question, batches, entropy);
    case "quantiles":
      return selectQuantiles(question, batches, entropy);
    case "integer-partition":
      return selectFrequencies(question, batches, entropy);
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
  /** A name, or the value of a quantile as an exact number. */
  readonly item: string;
  /** The share of values below it, of a quantile. */
  readonly quantile?: string;
  /** By how much it leads the next, exactly as released: a multiple of the resolution. */
  readonly gap?: string;
  /** How many users it has, with noise: an integer, perhaps below 0. */
  readonly count?: string;
}

/** The answer to a question. */
export interface Answer {
  /** Whether any item is named. "Nothing can be released" is an answer and costs the same. */
  readonly released: boolean;
  /** How many were asked for; for an adaptive question how many the mechanism decided on, said even if none is named. */
  readonly k: number;
  readonly winners: readonly Winner[];
  /** Of a question about frequencies, in place of winners: the most people first. */
  readonly frequencies?: readonly Frequency[];
  /** Best first; otherwise by name (UTF-16 code units), which says nothing about the counts. */
  readonly ordered: boolean;
  /** Of a limited-domain top k: whether the list ended because the next name was not safe to tell. */
  readonly stopped?: boolean;
  /** The loss incurred, whatever the answer. */
  readonly loss: Loss;
}

export type CandidatesWanted =
  /** Every candidate of the public list once, 0 users if it has no row. */
  | { readonly kind: "listed"; readonly size: number }
  /** The whole numbers from 0 below this that have rows. */
  | { readonly kind: "integers"; readonly below: number }
  /** The items with the most users, at most so many. */
  | { readonly kind: "largest"; readonly rows: number }
  /** How many people items have, each such number once, as `items`, with how many items have it as `users`. */
  | { readonly kind: "frequencies" }
  /** Values: all items that are numbers, with how many times each is kept; what isn't one is left out before people are cut. */
  | { readonly kind: "numbers" };

/** More items than anyone has. */
const ALL_ITEMS = 1_000_000_000;

export function candidatesWanted(question: Question): CandidatesWanted {
  const { domain, k, mechanism } = question;
  if (mechanism === "limited-top-k")
    return { kind: "largest", rows: limitedPlan(question).measurement.maxCandidates + 1 };
  if (mechanism === "threshold-top-k" || mechanism === "select-partitions")
    return { kind: "largest", rows: ALL_ITEMS };
  if (mechanism === "quantiles") return { kind: "numbers" };
  if (mechanism === "integer-partition") return { kind: "frequencies" };
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
  const kept = new KeptCounts(question);
  let candidates = 0;
  await forEachRow(batches, (item, users) => {
    stream.push(item, users);
    kept.take(item, users);
    candidates++;
  });
  checkComplete(candidates, question);
  return rankedAnswer(stream.finish(), question, kept, entropy);
}

/** Over the whole numbers below a bound; a number that doesn't occur has no users. */
async function raceIntegers(question: Question, batches: Batches, entropy?: Entropy): Promise<Answer> {
  const below = sizeOf(question.domain) ?? 0;
  const stream = new TopKStream<number>({ ...streamOptions(question, entropy), domain: { size: below } });
  const pushed = numberSet(below);
  const kept = new KeptCounts(question);
  await forEachRow(batches, (item, users) => {
    const number = wholeNumber(item, below);
    if (number === undefined) return;
    stream.push(number, users);
    kept.take(item, users);
    pushed.add(number);
  });
  return rankedAnswer(stream.finish({ isPushed: (id) => pushed.has(id) }), question, kept, entropy);
}

function streamOptions(question: Question, entropy: Entropy | undefined): TopKStreamOptions {
  const { k, resolution, neighbours } = question;
  return { ...namesBudget(question), k, resolution, monotone: neighbours === "add-remove", entropy };
}

/** How many came instead is not said: a source that does this wrong might tell something about its rows. */
function checkComplete(candidates: number, { domain }: Question): void {
  if (candidates === sizeOf(domain)) return;
  throw new WinnowError("invalid-score", "the source did not give every candidate of the public list once");
}

/** The counts that may be measured after the names are known, where counts were asked for. */
class KeptCounts {
  readonly #counts = new Map<string, number>();
  readonly #isWanted: boolean;

  constructor({ counts }: Question) {
    this.#isWanted = counts === true;
  }

  take(item: string, users: number): void {
    if (this.#isWanted && users > 0) this.#counts.set(item, users);
  }

  get all(): ReadonlyMap<string, number> {
    return this.#counts;
  }
}

function rankedAnswer(
  { winners }: StreamAnswer<string | number>,
  question: Question,
  kept: KeptCounts,
  entropy: Entropy | undefined,
): Answer {
  const names = winners.map(({ candidate }) => String(candidate));
  const plan = countsOf(question);
  const { counts } =
    plan === undefined
      ? { counts: [] }
      : measureCounts(kept.all, names, {
          ...noiseOptions(plan),
          k: question.k,
          confidence: COUNT_CONFIDENCE,
          entropy,
        });
  return {
    released: true,
    k: question.k,
    winners: winners.map(({ gap }, i) => winner(names[i], gap, counts[i]?.count)),
    ordered: true,
    loss: lossOf(question),
  };
}

function winner(item: string, gap: Rational | undefined, count: Rational | undefined): Winner {
  return {
    item,
    ...(gap !== undefined && { gap: String(gap) }),
    ...(count !== undefined && { count: String(count) }),
  };
}

/** The k̄ + 1 items with the most users, or all of them, against ⊥. */
async function selectLimited(question: Question, batches: Batches, entropy?: Entropy): Promise<Answer> {
  const rows: [string, number][] = [];
  await forEachRow(batches, (item, users) => rows.push([item, users]));
  const { winners, stopped } = question.counts
    ? topKWithCounts(rows, { ...countedOptions(question), entropy })
    : limitedTopK(rows, { ...limitedOptions(question), entropy });
  return {
    released: winners.length > 0,
    k: question.k,
    winners: winners.map((each) =>
      winner(each.candidate, each.gap, "count" in each ? (each.count as Rational) : undefined),
    ),
    ordered: true,
    stopped,
    loss: limitedPlan(question).loss,
  };
}

/** Every item that enough people have; for a top k the best of them by their noisy counts. */
async function selectAboveThreshold(
  question: Question,
  batches: Batches,
  entropy?: Entropy,
): Promise<Answer> {
  const rows: [string, number][] = [];
  await forEachRow(batches, (item, users) => rows.push([item, users]));
  const { partitions, privacy } = selectPartitions(rows, { ...partitionOptions(question), entropy });
  const ordered = question.mechanism === "threshold-top-k";
  const sorted = ordered
    ? partitions.toSorted((a, b) => (b.count as Rational).compare(a.count as Rational))
    : partitions.toSorted((a, b) => compareNames(a.candidate, b.candidate));
  const winners = sorted
    .slice(0, question.k)
    .map(({ candidate, count }) => winner(candidate, undefined, count));
  return { released: winners.length > 0, k: question.k, winners, ordered, loss: privacy };
}

/** The points of the grid at the ranks that are wanted, rising. */
async function selectQuantiles(question: Question, batches: Batches, entropy?: Entropy): Promise<Answer> {
  const counted = new Map<number | Rational, number>();
  await forEachRow(batches, (item, users) => {
    const value = parseNumber(item);
    if (value !== undefined) counted.set(value, (counted.get(value) ?? 0) + users);
  });
  const { values, privacy } = quantiles(counted, { ...quantileOptions(question), entropy });
  const winners = values.map((value, i) => ({
    item: String(value),
    quantile: question.quantiles?.[i] ?? "",
  }));
  return { released: true, k: question.k, winners, ordered: true, loss: privacy };
}

/** A list of how many people items have. */
async function selectFrequencies(question: Question, batches: Batches, entropy?: Entropy): Promise<Answer> {
  const runs: Frequency[] = [];
  await forEachRow(batches, (item, items) => {
    const users = wholeNumber(item, Number.MAX_SAFE_INTEGER);
    if (users === undefined) throw badCounts();
    runs.push({ users, items });
  });
  const { frequencies } = integerPartition(listOf(runs), { ...frequencyOptions(question), entropy });
  const told = {
    released: true,
    k: question.k,
    winners: [],
    ordered: true,
    frequencies: runsOf(frequencies),
  };
  return { ...told, loss: frequencyLoss(question) };
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
