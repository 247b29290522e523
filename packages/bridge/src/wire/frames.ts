/**
 * Messages between a program and its engine, over the engine's standard input and output. A message is a head of 24 bytes, the
 * length of each of its buffers (8 bytes each), a text in JSON, and the buffers: numbers as they lie in memory, so that ten
 * million scores are copied and never parsed. All integers are little-endian.
 *
 *     bytes  0 to 3    "wnow"
 *            4 to 5    the version of this protocol
 *            6 to 7    what the message is (`Kind`)
 *            8 to 11   the number of the request that it belongs to
 *           12 to 15   the length of the text in bytes
 *           16 to 19   how many buffers follow
 *           20 to 23   0
 *
 * Reading and writing wait (`readSync`, `writeSync`): the engine serves one program, and while it computes it has nothing else to
 * do. So a callback, such as a utility, is a message out and a message in, in the middle of a synchronous function. What doesn't
 * look like a message ends the engine, because nothing after it can be trusted.
 * @module
 */
import { readSync, writeSync } from "node:fs";

export const PROTOCOL = 1;

export const Kind = {
  /** From the program: do this. */
  request: 1,
  /** To the program: the answer. */
  reply: 2,
  /** To the program: an error. */
  failure: 3,
  /** To the program, before the answer: call this function. */
  callback: 4,
  /** From the program: what the function returned. */
  returned: 5,
  /** From the program: the function threw. */
  threw: 6,
} as const;
export type Kind = (typeof Kind)[keyof typeof Kind];

export interface Frame {
  readonly kind: Kind;
  readonly id: number;
  readonly body: unknown;
  readonly buffers: readonly ArrayBuffer[];
}

const MAGIC = 0x77_6f_6e_77; // "wnow"
const HEAD_BYTES = 24;
const LENGTH_BYTES = 8;
/** A text of V8 can't be longer than half a gigabyte. */
const LONGEST_TEXT = 2 ** 29 - 32;
const MOST_BUFFERS = 2 ** 16;
const LONGEST_BUFFER = 2 ** 36;
/** The system reads at most 2 GiB at once. */
const READ_AT_ONCE = 2 ** 30;

/** The input isn't a message. */
export class BrokenFrame extends Error {}

/** One end of the two pipes. */
export class Pipes {
  readonly #input: number;
  readonly #output: number;
  readonly #head = Buffer.alloc(HEAD_BYTES);
  /** For one large buffer: a fresh one of 80 MB costs its pages again each time. */
  #spare: ArrayBuffer | undefined;

  constructor(input: number, output: number) {
    this.#input = input;
    this.#output = output;
  }

  /** The next message; undefined if the program has ended. */
  read(): Frame | undefined {
    const head = this.#head;
    if (!this.#fill(head)) return undefined;
    const [length, count] = [head.readUInt32LE(12), head.readUInt32LE(16)];
    const kind = head.readUInt16LE(6);
    const isOurs =
      head.readUInt32LE(0) === MAGIC && head.readUInt16LE(4) === PROTOCOL && head.readUInt32LE(20) === 0;
    if (!isOurs || !isKind(kind) || length > LONGEST_TEXT || count > MOST_BUFFERS)
      throw new BrokenFrame("not a message of this version");
    const lengths = Buffer.alloc(count * LENGTH_BYTES);
    this.#rest(lengths);
    const text = Buffer.allocUnsafe(length);
    this.#rest(text);
    const buffers: ArrayBuffer[] = [];
    for (let index = 0; index < count; index++) {
      const size = Number(lengths.readBigUInt64LE(index * LENGTH_BYTES));
      if (size > LONGEST_BUFFER) throw new BrokenFrame("a buffer that is too long");
      const buffer = this.#room(size);
      this.#rest(new Uint8Array(buffer));
      buffers.push(buffer);
    }
    return { kind, id: head.readUInt32LE(8), body: parsed(text), buffers };
  }

  write({ kind, id, body, buffers }: Omit<Frame, "buffers"> & { buffers: readonly ArrayBufferView[] }): void {
    const text = Buffer.from(JSON.stringify(body));
    if (text.length > LONGEST_TEXT || buffers.length > MOST_BUFFERS)
      throw new BrokenFrame("an answer that is too long");
    const start = Buffer.alloc(HEAD_BYTES + buffers.length * LENGTH_BYTES);
    start.writeUInt32LE(MAGIC, 0);
    start.writeUInt16LE(PROTOCOL, 4);
    start.writeUInt16LE(kind, 6);
    start.writeUInt32LE(id, 8);
    start.writeUInt32LE(text.length, 12);
    start.writeUInt32LE(buffers.length, 16);
    for (const [index, { byteLength }] of buffers.entries())
      start.writeBigUInt64LE(BigInt(byteLength), HEAD_BYTES + index * LENGTH_BYTES);
    this.#send(Buffer.concat([start, text]));
    for (const { buffer, byteOffset, byteLength } of buffers)
      this.#send(new Uint8Array(buffer, byteOffset, byteLength));
  }

  /** The buffers of the last messages aren't used any more. */
  giveBack(buffers: readonly ArrayBuffer[]): void {
    for (const buffer of buffers)
      if (buffer.byteLength >= (this.#spare?.byteLength ?? SMALL)) this.#spare = buffer;
  }

  #room(size: number): ArrayBuffer {
    const spare = this.#spare;
    if (spare === undefined || spare.byteLength !== size) return new ArrayBuffer(size);
    this.#spare = undefined;
    return spare;
  }

  /** False at the end of the input, if nothing came before it. */
  #fill(bytes: Uint8Array): boolean {
    let done = 0;
    while (done < bytes.length) {
      const read = readSome(this.#input, bytes, done);
      if (read === 0) {
        if (done === 0) return false;
        throw new BrokenFrame("a message that ends too early");
      }
      done += read;
    }
    return true;
  }

  #rest(bytes: Uint8Array): void {
    if (bytes.length > 0 && !this.#fill(bytes)) throw new BrokenFrame("a message that ends too early");
  }

  #send(bytes: Uint8Array): void {
    let done = 0;
    while (done < bytes.length)
      try {
        done += writeSync(this.#output, bytes, done, Math.min(bytes.length - done, READ_AT_ONCE));
      } catch (error) {
        if (!isBusy(error)) throw error;
      }
  }
}

const SMALL = 2 ** 20;

function readSome(input: number, bytes: Uint8Array, from: number): number {
  for (;;)
    try {
      return readSync(input, bytes, from, Math.min(bytes.length - from, READ_AT_ONCE), null);
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "EOF") return 0; // Windows
      if (!isBusy(error)) throw error;
    }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "EAGAIN" || error.code === "EINTR");
}

function isKind(kind: number): kind is Kind {
  return kind >= Kind.request && kind <= Kind.threw;
}

function parsed(text: Buffer): unknown {
  try {
    return JSON.parse(text.toString("utf8"));
  } catch {
    throw new BrokenFrame("a text that isn't JSON");
  }
}
