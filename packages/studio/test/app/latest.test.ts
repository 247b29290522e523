import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { latest, type Turn } from "../../src/app/state/latest.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("of several questions within the rest, only the last is worked on", () => {
  const work = vi.fn(async () => {});
  const { ask } = latest(100, work);
  ask("a");
  vi.advanceTimersByTime(99);
  ask("b");
  vi.advanceTimersByTime(99);
  expect(work).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(work.mock.calls.map(([input]: unknown[]) => input)).toEqual(["b"]);
});

it("a run is told that it is no longer the newest as soon as something newer is asked", () => {
  const turns: Turn[] = [];
  const { ask } = latest<string>(100, async (_, turn) => void turns.push(turn));
  ask("slow");
  vi.advanceTimersByTime(100);
  expect(turns[0]?.current()).toBe(true);
  ask("newer");
  expect(turns[0]?.current()).toBe(false);
  vi.advanceTimersByTime(100);
  expect(turns.map(({ current }) => current())).toEqual([false, true]);
});

it("what is dropped is not worked on, and a run under way is out of date", () => {
  const turns: Turn[] = [];
  const { ask, drop } = latest<string>(100, async (_, turn) => void turns.push(turn));
  ask("under way");
  vi.advanceTimersByTime(100);
  ask("waiting");
  drop();
  vi.advanceTimersByTime(1000);
  expect(turns.map(({ current }) => current())).toEqual([false]);
});
