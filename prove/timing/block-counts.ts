/**
 * How often each block of our code runs, counted by V8 itself through the inspector. Unlike a stopwatch the counts have no
 * noise: two runs that take the same branches and loops equally often have equal counts, and others don't. They say nothing of
 * how long a block takes: of the digits of a big integer, caches or the branch predictor.
 * @module
 */
import { type Profiler, Session } from "node:inspector";
import { setFlagsFromString } from "node:v8";

/** The counts of all blocks that ran, by file, function and place. */
export type BlockCounts = ReadonlyMap<string, number>;

export class BlockCounter {
  readonly #session = new Session();
  readonly #sources: RegExp;

  /**
   * Counts in the files of these folders. From here on nothing is optimised in this process: a function that is inlined on the
   * way would not be counted.
   */
  constructor(...folders: readonly string[]) {
    this.#sources = new RegExp(`^.*/(?=(${folders.join("|")})/)`);
    setFlagsFromString("--no-opt");
    setFlagsFromString("--no-maglev");
    this.#session.connect();
    this.#session.post("Profiler.enable");
    this.#session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
  }

  /** What the call runs of these files. */
  count(call: () => void): BlockCounts {
    this.start();
    call();
    return this.stop();
  }

  /** For work that goes on while others run: counts from here on. */
  start(): void {
    this.#take();
  }

  /** What ran since `start`. */
  stop(): BlockCounts {
    const counts = new Map<string, number>();
    for (const { url, functions } of this.#take()) {
      if (!this.#sources.test(url)) continue;
      const file = url.replace(this.#sources, "").replace(/\?.*$/, "");
      for (const { functionName, ranges } of functions)
        for (const { startOffset, endOffset, count } of ranges)
          if (count > 0) counts.set(`${file} ${functionName} ${startOffset}-${endOffset}`, count);
    }
    return counts;
  }

  close(): void {
    this.#session.post("Profiler.stopPreciseCoverage");
    this.#session.disconnect();
  }

  /** The session is of this thread, so its answers come at once. */
  #take(): Profiler.ScriptCoverage[] {
    let taken: Profiler.ScriptCoverage[] | undefined;
    this.#session.post("Profiler.takePreciseCoverage", (error, coverage) => {
      if (error !== null) throw new Error(`no counts: ${error.message}`);
      taken = coverage.result;
    });
    if (taken === undefined) throw new Error("the inspector didn't answer");
    return taken;
  }
}

/** The blocks in which two runs differ. */
export function differences(a: BlockCounts, b: BlockCounts): string[] {
  const places = new Set([...a.keys(), ...b.keys()]);
  return [...places].filter((place) => a.get(place) !== b.get(place));
}
