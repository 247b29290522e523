/**
 * Timing as a part of the audit: constant-work modes must look the same in two worlds, and a control that leaks must be flagged,
 * or else the stopwatch is too coarse and says nothing.
 * @module
 */
import { systemEntropy } from "winnow-dp";
import type { TimingEntry } from "../audit-report.js";
import { measureWorlds } from "../timing/measure-worlds.js";
import type { TimedSubject } from "../timing/timed-subjects.js";

/** From here on a difference counts as seen: by chance that happens once in 10^5. */
export const FLAGGED = 4.5;

export async function auditTiming(
  { name, expected, prepare }: TimedSubject,
  runs: number,
  pause: (share: number) => Promise<void>,
): Promise<TimingEntry> {
  const clock = () => process.hrtime.bigint();
  const { means, t, standardError } = await measureWorlds(prepare(), {
    runs,
    entropy: systemEntropy(),
    clock,
    pause,
  });
  return {
    name,
    expected,
    runs,
    means,
    t,
    smallest: FLAGGED * standardError,
    holds: isAsExpected(expected, t),
  };
}

function isAsExpected(expected: TimedSubject["expected"], t: number): boolean {
  if (expected === "not promised") return true;
  return Math.abs(t) < FLAGGED === (expected === "same");
}
