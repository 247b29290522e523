import { WriteStream } from "node:tty";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { startProgress } from "../src/long-work.js";

/** A stream that keeps what is written to it. */
function listener(isTTY: boolean): { stream: NodeJS.WriteStream; said: () => string } {
  const written: string[] = [];
  const stream = Object.assign(Object.create(WriteStream.prototype), {
    isTTY,
    columns: 80,
    write: (text: string) => written.push(text) > 0,
  });
  return { stream, said: () => written.join("") };
}

/** What is said about work that takes so many milliseconds. */
function saidAfter(time: number, { isTTY = true, TERM = "xterm" } = {}): string {
  const { stream, said } = listener(isTTY);
  const progress = startProgress("counting", stream, { TERM });
  vi.advanceTimersByTime(time);
  progress.report(0.5);
  const shown = said();
  progress.stop();
  return shown;
}

describe("progress", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("is shown on a terminal after a second", () => {
    expect(saidAfter(900)).toBe("");
    expect(saidAfter(1100)).toContain("counting");
  });

  it("has an estimate of the time left", () => {
    expect(saidAfter(8000)).toContain("50 %, about 8 s left");
    expect(saidAfter(300_000)).toContain("50 %, about 5 min left");
  });

  it("is not shown in a pipe, or on a terminal that cannot go back in a line", () => {
    expect(saidAfter(5000, { isTTY: false })).toBe("");
    expect(saidAfter(5000, { TERM: "dumb" })).toBe("");
  });
});
