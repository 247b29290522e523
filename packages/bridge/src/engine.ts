/**
 * The engine as a process: it reads a request from its standard input, does it, and writes the answer, until the input ends. One
 * request runs at a time. A program's function that the library calls (a utility, a candidate) may send requests of its own.
 *
 * What a request can name is what the packages export: functions, classes, and the methods of objects that the engine made for
 * this program. An error leaves with its code and its sentence if it is one of ours; of any other, only its kind leaves, because
 * its message may quote what came in.
 * @module
 */
import * as core from "winnow-dp";
import { WinnowError } from "winnow-dp";
import * as sample from "winnow-dp/sample";
import * as testing from "winnow-dp/testing";
import { Refusal } from "winnow-release";
import { BrokenFrame, type Frame, Kind, Pipes, PROTOCOL } from "./wire/frames.js";
import { decode, encode, type Shelf, UnreadableValue } from "./wire/values.js";

type Named = Readonly<Record<string, unknown>>;

/** What the program asks for. */
interface Request {
  readonly op: "call" | "new" | "method" | "get" | "forget" | "hello";
  readonly name?: string;
  readonly on?: number;
  readonly given?: unknown;
}

/** A function of the program threw: it raises that again when it gets this answer. */
class CallbackThrew extends Error {}

export class Engine implements Shelf {
  readonly #pipes: Pipes;
  readonly #exports: Named;
  readonly #objects = new Map<number, object>();
  #last = 0;
  #lastCallback = 0;

  constructor(pipes: Pipes, more: Named = {}) {
    this.#pipes = pipes;
    this.#exports = { ...core, ...sample, ...testing, ...more };
  }

  keep(object: object): number {
    this.#objects.set(++this.#last, object);
    return this.#last;
  }

  kept(number: number): object {
    const object = this.#objects.get(number);
    if (object === undefined) throw new UnreadableValue();
    return object;
  }

  callback(number: number): (...given: unknown[]) => unknown {
    return (...given) => {
      const id = ++this.#lastCallback;
      const buffers: ArrayBufferView[] = [];
      this.#pipes.write({
        kind: Kind.callback,
        id,
        body: { f: number, given: encode(given, buffers, this) },
        buffers,
      });
      for (;;) {
        const frame = this.#pipes.read();
        if (frame === undefined) throw new BrokenFrame("the program has ended");
        if (frame.kind === Kind.request) this.#answerNow(frame);
        else if (frame.id !== id) throw new BrokenFrame("an answer to another question");
        else if (frame.kind === Kind.threw) throw new CallbackThrew();
        else return decode(frame.body, frame.buffers, this);
      }
    };
  }

  /** Answers requests until the program has ended. */
  async serve(): Promise<void> {
    for (let frame = this.#pipes.read(); frame !== undefined; frame = this.#pipes.read()) {
      if (frame.kind !== Kind.request) throw new BrokenFrame("not a request");
      try {
        this.#reply(frame, await this.#do(frame));
      } catch (error) {
        this.#fail(frame, error);
      }
      this.#pipes.giveBack(frame.buffers);
    }
  }

  /** In the middle of another request. */
  #answerNow(frame: Frame): void {
    try {
      const result = this.#do(frame);
      if (result instanceof Promise) throw new UnreadableValue();
      this.#reply(frame, result);
    } catch (error) {
      this.#fail(frame, error);
    }
  }

  #reply({ id }: Frame, result: unknown): void {
    const buffers: ArrayBufferView[] = [];
    this.#pipes.write({ kind: Kind.reply, id, body: encode(result, buffers, this) ?? null, buffers });
  }

  #fail({ id }: Frame, error: unknown): void {
    if (error instanceof BrokenFrame) throw error;
    this.#pipes.write({ kind: Kind.failure, id, body: describeError(error), buffers: [] });
  }

  #do({ body, buffers }: Frame): unknown {
    const { op, name = "", on, given = [] } = body as Request;
    if (op === "hello") return { protocol: PROTOCOL, node: process.versions.node, pid: process.pid };
    if (op === "forget") {
      for (const number of given as number[]) this.#objects.delete(number);
      return null;
    }
    const values = decode(given, buffers, this) as unknown[];
    switch (op) {
      case "call":
        return this.#export(name)(...values);
      case "new":
        return Reflect.construct(this.#export(name), values);
      case "method":
        return methodOf(this.kept(on ?? 0), name).apply(this.kept(on ?? 0), values);
      case "get":
        return (this.kept(on ?? 0) as Named)[known(this.kept(on ?? 0), name)];
      default:
        throw new UnreadableValue();
    }
  }

  #export(name: string): (...given: unknown[]) => unknown {
    const found = Object.hasOwn(this.#exports, name) ? this.#exports[name] : undefined;
    if (typeof found !== "function") throw new UnreadableValue();
    return found as (...given: unknown[]) => unknown;
  }
}

/** A function that the engine keeps has one method, `call`. */
function methodOf(object: object, name: string): (...given: unknown[]) => unknown {
  if (typeof object === "function")
    return (...given) => Reflect.apply(object as () => unknown, undefined, given);
  const found = (object as Named)[known(object, name)];
  if (typeof found !== "function") throw new UnreadableValue();
  return found as (...given: unknown[]) => unknown;
}

/** Not what every object inherits. */
function known(object: object, name: string): string {
  if (name === "constructor" || name in Object.prototype || !(name in object)) throw new UnreadableValue();
  return name;
}

/** An error as it may leave the engine. */
function describeError(error: unknown): unknown {
  if (error instanceof CallbackThrew) return { type: "callback" };
  if (error instanceof WinnowError) {
    const { code, message, field, expected, got } = error;
    return { type: "invalid", code, message, field, expected, got };
  }
  if (error instanceof Refusal)
    return { type: "refused", code: error.code, message: error.message, next: error.next("cli") };
  if (error instanceof UnreadableValue) return { type: "unreadable" };
  const { name, stack = "" } = error instanceof Error ? error : new Error();
  return { type: "unexpected", kind: name, place: placeIn(stack) };
}

/** The first line of the stack after the message: a place in our code. */
function placeIn(stack: string): string {
  return /^\s+at (?:.*\/)?([\w.]+:\d+:\d+)\)?$/m.exec(stack)?.[1] ?? "";
}

/** Serves the program at the other end of standard input and output. */
export async function serve(more: Named = {}): Promise<void> {
  try {
    await new Engine(new Pipes(0, 1), more).serve();
  } catch {
    process.exitCode = 70; // the input wasn't a message, or the program has ended: no one would read an error
  }
}
