/**
 * What a worker thread of `topKParallel` runs: a `TopKStream` over the scores that it is sent. It answers each message: the
 * settings, scores, and the end, for which it sends what can still win. Between two selections it holds nothing.
 *
 * A detached state holds noise: it is copied into the message, and wiped here. To move it would be slower: once an isolate has given
 * one array buffer away, V8 checks at each element of every typed array whether it is still there. Proof: race/race.proof.md.
 * @module
 */

import { WinnowError } from "../errors.js";
import { areShared, type Scores, SharedScores } from "../race/scores.js";
import type { StreamState } from "./stream-state.js";
import { TopKStream, type TopKStreamOptions } from "./top-k-stream.js";

/** What a worker is sent. */
export type Task =
  | { readonly settings: TopKStreamOptions }
  | { readonly scores: Scores; readonly first: number }
  | { readonly end: true };

/** What it answers. */
export type Report =
  | { readonly taken: true }
  | { readonly state: StreamState }
  | {
      readonly failure: Pick<WinnowError, "code" | "message" | "field" | "expected" | "got"> | undefined;
    };

/** Where messages come from and go to: a worker's global object in browsers, Deno and Bun, a port in Node. */
export interface Port {
  postMessage(report: Report & Job): void;
  addEventListener(type: "message", listener: (event: { readonly data: Task & Job }) => void): void;
}

/** Which selection a message is about. */
interface Job {
  readonly job: number;
}

/** A module of Node's own, where there is one; bundlers for browsers do not look for it. */
export function nodeModule<M>(name: string): M | undefined {
  const { process } = globalThis as { process?: { getBuiltinModule?: (name: string) => unknown } };
  return process?.getBuiltinModule?.(`node:${name}`) as M | undefined;
}

/** Scores of consecutive candidates enter a stream; those in shared memory are read where they are. */
export function pushPart(stream: TopKStream, scores: Scores, first: number, negate = false): void {
  if (areShared(scores)) stream.pushReader(new SharedScores(scores, { negate }), first);
  else stream.pushScores(scores, first);
}

/** Answers tasks one after the other. */
export function worker(): (task: Task) => Report {
  let stream: TopKStream | undefined;
  let negate = false;
  return (task) => {
    try {
      if ("settings" in task) {
        stream = new TopKStream(task.settings);
        negate = task.settings.negate ?? false;
      } else if (stream === undefined) throw new WinnowError("stream-finished", "no settings were sent");
      else if ("scores" in task) {
        pushPart(stream, task.scores, task.first, negate);
      } else {
        const state = stream.detach();
        stream = undefined;
        return { state };
      }
      return { taken: true };
    } catch (error) {
      stream = undefined;
      if (!(error instanceof WinnowError)) return { failure: undefined };
      const { code, message, field, expected, got } = error;
      return { failure: { code, message, field, expected, got } };
    }
  };
}

/** Listens to tasks and answers them. */
export function listen(port: Port, answer = worker()): void {
  port.addEventListener("message", ({ data }) => {
    const report = answer(data);
    port.postMessage({ ...report, job: data.job });
    if ("state" in report) for (const column of ["words", "bits"] as const) report.state[column].fill(0);
  });
}
