/**
 * A public list of candidates against a histogram that a server counts. A short list is sent along and joined in the engine,
 * so only listed items come back. A long one stays here: the histogram streams past it, and whoever never came by has no
 * users. A public table of the server is joined there, whatever its size. Either way each candidate comes out once.
 * @module
 */
import { Refusal } from "../refusal.js";
import type { Batch } from "./source.js";

/** Of text, in UTF-16 units: what is sent along costs the network and the engine less than most histograms. */
const MOST_SENT = 1 << 20;
const BATCH = 10_000;

export type PublicList =
  | { readonly kind: "sent"; readonly items: readonly string[] }
  | {
      readonly kind: "kept";
      readonly items: Set<string>;
      /** No item has more bytes: what is longer is not listed, and need not come, however long somebody made it. */
      readonly mostBytes: number;
    };

/** Reads the list, each item once. */
export async function readList(
  items: Iterable<string> | AsyncIterable<string>,
  mostSent = MOST_SENT,
): Promise<PublicList> {
  const listed = new Set<string>();
  let length = 0;
  for await (const item of items) {
    if (!listed.has(item)) length += item.length + 1;
    listed.add(item);
  }
  if (length <= mostSent) return { kind: "sent", items: [...listed] };
  return { kind: "kept", items: listed, mostBytes: mostBytesOf(listed) };
}

function mostBytesOf(items: Iterable<string>): number {
  let most = 0;
  for (const item of items) most = Math.max(most, Buffer.byteLength(item));
  return most;
}

/** The counts of the listed items, then 0 for the others; uses the list up. */
export async function* joinHere(counted: AsyncIterable<Batch>, listed: Set<string>): AsyncGenerator<Batch> {
  for await (const { items, users } of counted) {
    const places = [...items.keys()].filter((place) => listed.delete(items[place]));
    yield { items: places.map((place) => items[place]), users: places.map((place) => users[place]) };
  }
  yield* withoutUsers(listed);
}

/** What a public table was joined with, if its names are still those that the question was asked about. */
export async function* checkNames(
  counted: AsyncIterable<Batch>,
  names: Iterable<string> | AsyncIterable<string>,
): AsyncGenerator<Batch> {
  const missing = new Set<string>();
  for await (const name of names) missing.add(name);
  for await (const batch of counted) {
    if (!batch.items.every((item) => missing.delete(item))) throw changed();
    yield batch;
  }
  if (missing.size > 0) throw changed();
}

function changed(): Refusal {
  return new Refusal("server-failed", "The public table of --domain-table changed while it was read.");
}

/** Batches of items that have no users. */
export function* withoutUsers(absent: Iterable<string>): Generator<Batch> {
  let items: string[] = [];
  for (const item of absent) {
    if (items.push(item) < BATCH) continue;
    yield { items, users: new Array(BATCH).fill(0) };
    items = [];
  }
  if (items.length > 0) yield { items, users: new Array(items.length).fill(0) };
}
