/**
 * Work that takes a while: how it is stopped, and how it shows that it goes on.
 *
 * Ctrl-C and SIGTERM tell the work to stop, and the run ends as interrupted, with nothing charged. Work that cannot
 * react (opening a pipe that no one writes to blocks forever) is abandoned after a moment. Once the charge is about to be
 * written, the run can no longer be stopped, so that its answer is printed. After a second Ctrl-C the answer can be printed
 * again by its id.
 *
 * The progress bar on standard error appears after a second, only on a terminal, and leaves nothing behind. It shows the
 * share of the work that the engine reports and an estimate of the time left, never a count.
 * @module
 */

import { setImmediate } from "node:timers/promises";
import { SingleBar } from "cli-progress";
import { CATALOGUE, Refusal } from "winnow-release";
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

const PATIENCE = 1000;
const WHOLE = 100;

export interface Progress {
  /** The share done, from 0 to 1, or undefined if that is unknown. */
  report(share: number | undefined): void;
  /** Reports, and yields to the bar and to Ctrl-C in work that otherwise wouldn't. */
  pause(share: number): Promise<void>;
  stop(): void;
}

/** No bar on a terminal that cannot rewrite a line. */
export function startProgress(
  label: string,
  stream: NodeJS.WriteStream = process.stderr,
  environment = process.env,
): Progress {
  if (!stream.isTTY || environment.TERM === "dumb") return { report() {}, pause: breathe, stop() {} };
  const bar = new SingleBar({
    stream,
    format: `  ${label} {bar} {shown}`,
    barCompleteChar: "█",
    barIncompleteChar: "░",
    barsize: 30,
    hideCursor: true,
    clearOnComplete: true,
    gracefulExit: false,
  });
  const start = Date.now();
  const timer = setTimeout(() => bar.start(WHOLE, 0, { shown: "" }), PATIENCE);
  const report = (share: number | undefined) => {
    if (!bar.isActive) return;
    const percent = share === undefined ? 0 : Math.floor(Math.min(1, Math.max(0, share)) * WHOLE);
    const shown = share === undefined ? "…" : `${percent} %${estimate(share, Date.now() - start)}`;
    bar.update(percent, { shown });
  };
  return {
    report,
    pause(share) {
      report(share);
      return breathe();
    },
    stop() {
      clearTimeout(timer);
      bar.stop();
    },
  };
}

/** Below this share an estimate would jump. */
const LEAST_SHARE = 0.05;

/** ", about 12 s left", assuming that the rest takes as long as the part that is done. */
function estimate(share: number, elapsed: number): string {
  if (share < LEAST_SHARE || share >= 1) return "";
  const seconds = Math.max(1, Math.round(((1 - share) / share) * (elapsed / 1000)));
  return seconds < 90 ? `, about ${seconds} s left` : `, about ${Math.round(seconds / 60)} min left`;
}

async function breathe(): Promise<void> {
  await setImmediate();
}

/** Shows a bar while the work runs. */
export async function withProgress<T>(label: string, work: (progress: Progress) => Promise<T>): Promise<T> {
  const progress = startProgress(label);
  try {
    return await work(progress);
  } finally {
    progress.stop();
  }
}
