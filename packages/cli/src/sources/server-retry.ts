/**
 * Broken connections. Before anything is charged a run may start again from its first row, with new noise: nobody has seen
 * anything of the first attempt. Only a lost connection is worth another attempt; what a server refused, it refuses again.
 * @module
 */
import { setTimeout as pause } from "node:timers/promises";
import { Refusal } from "../refusal.js";

/** The engine gave up on the rows: what a query computes may do that for some rows and not for others. */
export class CountFailed extends Refusal {}

/** A connection that was made, and broke. A query can end its own session, each time it is tried. */
export class ConnectionLost extends CountFailed {
  constructor(server: string) {
    super("server-failed", `The connection to ${server} broke before the count was complete.`);
  }
}

/** How long to wait before each new attempt, in milliseconds: enough for a server to restart or fail over. */
const PAUSES = [250, 1000, 4000];

/** Runs `attempt`, and again from the start if the connection breaks; the last failure is passed on. */
export async function retryLostConnections<T>(attempt: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  let isLost = false;
  for (const milliseconds of PAUSES) {
    try {
      return await attempt();
    } catch (error) {
      isLost ||= error instanceof ConnectionLost;
      if (!isLost || !mayComeBack(error) || signal?.aborted === true) throw error;
      await pause(milliseconds, undefined, { signal });
    }
  }
  return attempt();
}

/** A server that restarts cannot be reached for a while. */
function mayComeBack(error: unknown): boolean {
  return error instanceof Refusal && (error instanceof ConnectionLost || error.code === "server-unreachable");
}
