/**
 * Ctrl-C and a polite kill: what runs is told to stop, and the run ends as interrupted, with nothing charged. Once the charge
 * is about to be written nothing is stopped any more, so that its answer is printed; whoever insists with a second Ctrl-C can
 * print it again by its id.
 * @module
 */
import { CATALOGUE, Refusal } from "./refusal.js";
import { tell } from "./render/curator.js";

const SIGNALS = ["SIGINT", "SIGTERM"] as const;

const MAYBE_RECORDED =
  "The release may be recorded already: winnow budget log shows it, and its answer can be printed again by its id.";

export interface Interruption {
  readonly signal: AbortSignal;
  /** From here on it is too late to stop; throws if that was asked for before. */
  passPointOfNoReturn(): void;
}

/** Runs something that can be interrupted. */
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
    return await work({ signal, passPointOfNoReturn });
  } catch (error) {
    // An engine that was stopped fails in its own words; the reason is ours.
    throw signal.aborted ? signal.reason : error;
  } finally {
    for (const name of SIGNALS) process.off(name, stop);
  }
}
