/**
 * The head of a ledger as the text of a note (C2SP `tlog-checkpoint`): its name, the number of entries, and the node of RFC 6962
 * over all of them. A signature covers the number too, so a head stands for these entries and no others.
 * @module
 */
import { invalidParameter } from "winnow-dp";
import { fromHex, toHex } from "../ledger/inclusion.js";
import { fromBase64, isKeyName, toBase64 } from "./note-keys.js";

/** The head of a log: its name, its size and its root. */
export interface Checkpoint {
  /** The name of the ledger, which is that of its keys. */
  readonly origin: string;
  /** How many entries. */
  readonly size: number;
  /** The node over all of them (RFC 6962), in hexadecimal. */
  readonly top: string;
}

/** The text of a checkpoint, as in C2SP's `tlog-checkpoint`. */
export function checkpointText({ origin, size, top }: Checkpoint): string {
  return `${origin}\n${size}\n${toBase64(fromHex(top))}\n`;
}

const RULE = "a head: the name of a ledger, its number of entries, and the base64 of a hash, each on a line";

/** Reads the text of a note. Lines after the third are allowed, and mean nothing. */
export function readCheckpoint(text: string): Checkpoint {
  const [origin, size, hash, ...more] = text.split("\n").slice(0, -1);
  const top = hash === undefined ? undefined : fromBase64(hash);
  const isWhole = origin !== undefined && isKeyName(origin) && top?.length === 32 && !more.includes("");
  if (!isWhole || readSize(size) === undefined || !text.endsWith("\n")) throw invalidParameter("note", RULE);
  return { origin, size: Number(size), top: toHex(top) };
}

/** A number of entries as it is written in notes; undefined for anything else. */
export function readSize(text: string | undefined): number | undefined {
  const isNumber = text !== undefined && /^(0|[1-9]\d{0,15})$/.test(text);
  return isNumber && Number.isSafeInteger(Number(text)) ? Number(text) : undefined;
}
