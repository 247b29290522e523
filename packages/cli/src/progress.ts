/**
 * A progress bar on standard error. It appears after a second, only on a terminal, and leaves nothing behind. It shows the
 * share of the work that the engine reports and an estimate of the time left, never a count.
 * @module
 */
import { setImmediate } from "node:timers/promises";
import { SingleBar } from "cli-progress";

const PATIENCE = 1000;
const WHOLE = 100;

interface Progress {
  /** The share done, from 0 to 1, or undefined if that is unknown. */
  report(share: number | undefined): void;
  /** The same, and yields to the bar and to Ctrl-C in work that otherwise wouldn't. */
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
