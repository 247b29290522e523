/**
 * What a choice between mechanisms may look at besides the question: public counts, of a public twin of the rows or of a guess, such as
 * `people=4000,items-per-person=13`. No field has room for a row of the private data.
 *
 * The guess stands for data in which everyone has the same number of items, and has the item of rank j with probability
 * 1 − e^(−λ/j): popularity falls as 1/rank, as in most counts of people's items, and no count is above the number of people. A keyed
 * hash that cuts people to m items keeps m of every `items-per-person`.
 * @module
 */
import { invalidParameter } from "winnow-dp";

/** Public counts. */
export interface PublicCounts {
  /** How many people have each item, in any order. */
  readonly counts: Float64Array;
  /** Where they come from, after "on": "the guess of 4,000 people with 13 items each". */
  readonly origin: string;
  /** The limits on the items of a person that are worth a try, if none was given. */
  readonly limits: readonly number[];
  /** The counts of the same items after each person was cut to `most` of them; undefined if that isn't known. */
  bounded(most: number): Float64Array | undefined;
}

/** As it is typed. */
export interface Guess {
  readonly people: number;
  readonly itemsPerPerson: number;
  /** How many items there are. */
  readonly items?: number;
}

const FIELDS = { people: "people", "items-per-person": "itemsPerPerson", items: "items" } as const;
const RULE = 'such as "people=4000,items-per-person=13"';
const MOST_ITEMS = 1_000_000;
const MOST_PEOPLE = 1_000_000_000_000;

/** Reads "people=4000,items-per-person=13", perhaps with "items=2000". */
export function readGuess(text: string): Guess {
  const found: { people?: number; itemsPerPerson?: number; items?: number } = {};
  for (const part of text.split(",")) {
    const [name = "", value = "", ...rest] = part.split("=").map((each) => each.trim());
    const field = Object.hasOwn(FIELDS, name) ? FIELDS[name as keyof typeof FIELDS] : undefined;
    if (field === undefined || rest.length > 0 || found[field] !== undefined)
      throw invalidParameter("guess", `people, items-per-person and perhaps items, ${RULE}`, text);
    found[field] = sizeOf(field, value);
  }
  const { people, itemsPerPerson, items } = found;
  if (people === undefined || itemsPerPerson === undefined)
    throw invalidParameter("guess", `people and items-per-person, ${RULE}`, text);
  if (items !== undefined && itemsPerPerson > items)
    throw invalidParameter("guess", "at most as many items per person as there are items", text);
  return { people, itemsPerPerson, ...(items !== undefined && { items }) };
}

function sizeOf(field: keyof Guess, text: string): number {
  const most = field === "people" ? MOST_PEOPLE : MOST_ITEMS;
  const size = /^\d{1,16}(\.\d{1,6})?$/.test(text) ? Number(text) : Number.NaN;
  const isWhole = field === "itemsPerPerson" || Number.isSafeInteger(size);
  if (!(size >= 1 && size <= most) || !isWhole)
    throw invalidParameter("guess", `numbers from 1 to ${most.toLocaleString("en")}, ${RULE}`, text);
  return size;
}

/** What a guess takes for the number of items, where neither it nor a list says it. */
const USUAL_ITEMS = 2000;
/** Limits to try: each is a few times the one before. */
const LIMITS = [3, 10, 30];

/** The counts that a guess stands for; `size` is the number of public candidates, if there is a list. */
export function countsOfGuess(guess: Guess, size?: number): PublicCounts {
  const { people, itemsPerPerson } = guess;
  const usual = Math.max(USUAL_ITEMS, Math.ceil(20 * itemsPerPerson));
  const items = Math.min(guess.items ?? size ?? usual, size ?? MOST_ITEMS, MOST_ITEMS);
  const each = Math.min(itemsPerPerson, items);
  const counts = popular(people, each, items);
  const [total, own] = [people, each].map((number) => number.toLocaleString("en"));
  return {
    counts,
    origin: `the guess of ${total} people with ${own} items each`,
    limits: LIMITS.filter((limit) => limit < each),
    bounded: (most) => counts.map((count) => Math.round(count * Math.min(1, most / each))),
  };
}

/** people·(1 − e^(−λ/j)) for j = 1 … items, with the λ at which they add up to `each` items a person. */
function popular(people: number, each: number, items: number): Float64Array {
  const shareAt = (rank: number, lambda: number) => -Math.expm1(-lambda / (rank + 1));
  const sum = (lambda: number) => {
    let all = 0;
    for (let rank = 0; rank < items; rank++) all += shareAt(rank, lambda);
    return all;
  };
  let [low, high] = [0, 1];
  while (sum(high) < each && high < Number.MAX_SAFE_INTEGER) [low, high] = [high, 2 * high];
  for (let step = 0; step < STEPS; step++) {
    const middle = (low + high) / 2;
    if (sum(middle) < each) low = middle;
    else high = middle;
  }
  return Float64Array.from({ length: items }, (_, rank) => Math.round(people * shareAt(rank, high)));
}

const STEPS = 40;
