/**
 * Ctrl-C and SIGTERM: the work is told to stop, and the run ends as interrupted, with nothing charged. Work that cannot
 * react (opening a pipe that no one writes to blocks forever) is abandoned after a moment. Once the charge is about to be
 * written, the run can no longer be stopped, so that its answer is printed. After a second Ctrl-C the answer can be printed
 * again by its id.
 * @module
 */
import { CATALOGUE, Refusal } from "./refusal.js";
import { tell } from "./render/terminal.js";

const SIGNALS = ["SIGINT", "SIGTERM"] as const;
/** How long the work has to stop and clean up, in milliseconds. */
const GRACE = 1000;

const MAYBE_RECORDED =
  "The release may be recorded already: check winnow budget log, and print its answer again by its id.";

export interface Interruption {
  readonly signal: AbortSignal;
  /** From here on it is too late to stop; throws if a stop was requested before. */
  passPointOfNoReturn(): void;
}

/** Runs work that can be interrupted. */
export async function interruptible<T>(work: (interruption: Interruption) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const { signal } = controller;
  let [isTooLate, wasAsked] = [false, false];
  const stop = () => {
    if (wasAsked && isTooLate) tell(MAYBE_RECORDED);
    if (wasAsked) process.exit(CATALOGUE.interrupted.exit);
    wasAsked = true;
    if (!isTooLate) controller.abort(new Refusal("interrupted", "The run was interrupted."));
  };
  const passPointOfNoReturn = () => {
    signal.throwIfAborted();
    isTooLate = true;
  };
  for (const name of SIGNALS) process.on(name, stop);
  try {
    return await Promise.race([work({ signal, passPointOfNoReturn }), leftBehind(signal)]);
  } catch (error) {
    // A stopped engine fails with an error of its own; the reason is ours.
    throw signal.aborted ? signal.reason : error;
  } finally {
    for (const name of SIGNALS) process.off(name, stop);
  }
}

/** Fails a moment after the signal, whatever the work does. */
function leftBehind(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const leave = () => {
      // A thread that waits for the system would keep the process alive; the signal's default action doesn't wait.
      process.on("exit", () => process.kill(process.pid, "SIGINT"));
      reject(signal.reason);
    };
    signal.addEventListener("abort", () => setTimeout(leave, GRACE).unref(), { once: true });
  });
}
