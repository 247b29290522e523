/**
 * A witness: it has seen the head of a ledger, and cosigns a later one only if that has all the entries of the earlier one,
 * unchanged and in the same order (C2SP `tlog-witness`). So all who trust a witness and see its cosignature see the same
 * ledger: an operator who puts back an older copy, or keeps two, gets no second one.
 *
 * Guarantee: two heads that it has cosigned never disagree. It holds if the memory does: `WitnessMemory.replace` must be on disk
 * before it returns, and succeed for one of several that replace the same head. Nothing is signed before that. A cosignature that is
 * lost on its way is made again for the same head.
 * @module
 */
import { WinnowError } from "winnow-dp";
import { EMPTY_ROOT, fromHex, toHex } from "../ledger/inclusion.js";
import { type Checkpoint, readCheckpoint, readSize } from "./checkpoint.js";
import { isConsistent } from "./consistency.js";
import { fromBase64, type NoteKey, type NoteSigner, toBase64 } from "./note-keys.js";
import { cosignatureLine, readNote, type SignedNote, verifiedSignatures } from "./signed-note.js";

/** The last head of a ledger that was cosigned, as it was signed. */
export interface SeenHead {
  /** Counts the heads of this ledger, from 1. */
  readonly generation: number;
  /** The note as it came. */
  readonly note: string;
}

/** What a witness remembers, on disk. */
export interface WitnessMemory {
  last(origin: string): Promise<SeenHead | undefined>;
  /**
   * Remembers a head in place of the last one, which has the generation before; false if another has that place by now. It is on
   * disk when this returns; if it throws, the last head may be either.
   */
  replace(origin: string, head: SeenHead): Promise<boolean>;
  /** Keeps a head that its ledger has signed and that the last one was not shown to be part of, or that contradicts it. */
  accuse(origin: string, note: string, last: SeenHead): Promise<void>;
}

/** What a witness replies. */
export interface WitnessAnswer {
  /** As in HTTP. */
  readonly status: 200 | 400 | 403 | 404 | 409 | 422 | 500;
  readonly body: string;
}

/**
 * A witness's key, memory and the logs that it knows.
 *
 * @inline
 */
export interface WitnessOptions {
  readonly signer: NoteSigner;
  /** The keys of the ledgers that it knows; a ledger may have several. */
  readonly logs: readonly NoteKey[];
  readonly memory: WitnessMemory;
  /** In milliseconds since 1970. */
  readonly now?: () => number;
}

/**
 * A request, in parts: what the client believes that the witness has seen, a proof from there, and the new head.
 *
 * @inline
 */
export interface WitnessRequest {
  readonly old: number;
  readonly path: readonly string[];
  readonly note: string;
}

const MOST_NODES = 63;
/** Tries again if other requests replace the head at the same time. */
const MOST_ATTEMPTS = 20;

/** A request to a witness, as in C2SP's `tlog-witness`. */
export function witnessRequestText({ old, path, note }: WitnessRequest): string {
  const proof = path.map((node) => `${toBase64(fromHex(node))}\n`).join("");
  return `old ${old}\n${proof}\n${note}`;
}

/** Undefined for what isn't one. */
export function readWitnessRequest(text: string): WitnessRequest | undefined {
  const end = text.indexOf("\n\n");
  if (end < 0) return undefined;
  const [first, ...lines] = text.slice(0, end).split("\n");
  const old = readSize(/^old (\d+)$/.exec(first ?? "")?.[1]);
  const nodes = lines.map(fromBase64);
  if (old === undefined || nodes.length > MOST_NODES) return undefined;
  const path = nodes.flatMap((node) => (node?.length === 32 ? [toHex(node)] : []));
  return path.length < nodes.length ? undefined : { old, path, note: text.slice(end + 2) };
}

/** Cosigns heads that continue what it has seen, and never two that disagree. */
export class Witness {
  readonly #options: WitnessOptions;

  constructor(options: WitnessOptions) {
    this.#options = options;
  }

  /** Answers the body of a request `add-checkpoint`: lines with a cosignature, or why not. */
  async addCheckpoint(body: string): Promise<WitnessAnswer> {
    const request = readWitnessRequest(body);
    const note = request && attempt(() => readNote(request.note));
    const checkpoint = note && attempt(() => readCheckpoint(note.text));
    if (request === undefined || note === undefined || checkpoint === undefined)
      return refused(400, "The request isn't one of add-checkpoint.");
    const keys = this.#options.logs.filter(({ name }) => name === checkpoint.origin);
    if (keys.length === 0) return refused(404, "The ledger isn't one that this witness knows.");
    if (!(await isSigned(note, keys))) return refused(403, "The head isn't signed by a key of its ledger.");
    if (request.old > checkpoint.size)
      return refused(400, "The old size must not be above that of the head.");
    for (let attempts = 0; attempts < MOST_ATTEMPTS; attempts++) {
      const answer = await this.#judge(request, note, checkpoint);
      if (answer !== undefined) return answer;
    }
    return refused(500, "The head changes too often.");
  }

  /** Undefined if another request has replaced the last head meanwhile. */
  async #judge(
    { old, path, note }: WitnessRequest,
    { text }: SignedNote,
    head: Checkpoint,
  ): Promise<WitnessAnswer | undefined> {
    const { memory } = this.#options;
    const seen = await memory.last(head.origin);
    const last = seen === undefined ? EMPTY : readCheckpoint(readNote(seen.note).text);
    if (old !== last.size) return { status: 409, body: `${last.size}\n` };
    if (!(await isConsistent(last, head, path))) {
      if (seen !== undefined) await memory.accuse(head.origin, note, seen);
      if (last.size === head.size) return { status: 409, body: `${last.size}\n` };
      return refused(
        422,
        "The head doesn't have all entries of the last one, unchanged and in the same order.",
      );
    }
    const isNew = seen === undefined || last.size < head.size;
    const next = { generation: (seen?.generation ?? 0) + 1, note };
    if (isNew && !(await memory.replace(head.origin, next))) return undefined;
    return { status: 200, body: `${await this.#cosign(text)}\n` };
  }

  #cosign(text: string): Promise<string> {
    const { signer, now = Date.now } = this.#options;
    return cosignatureLine(text, signer, Math.floor(now() / 1000));
  }
}

/** Before a witness has seen anything. */
const EMPTY = { size: 0, top: EMPTY_ROOT };

async function isSigned(note: SignedNote, keys: readonly NoteKey[]): Promise<boolean> {
  try {
    return (await verifiedSignatures(note, keys)).length > 0;
  } catch {
    return false;
  }
}

function refused(status: WitnessAnswer["status"], sentence: string): WitnessAnswer {
  return { status, body: `${sentence}\n` };
}

/** Undefined if it can't be read. */
function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof WinnowError) return undefined;
    throw error;
  }
}
