import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { TimeGrid } from "../src/time-grid.js";
import { FakeClock } from "./support/fake-clock.js";

/** When an answer whose work took so long leaves, counted from its arrival. */
async function leavesAfter(work: number, clock = new FakeClock(), tick = 100): Promise<number> {
  const grid = new TimeGrid(tick, clock);
  const arrived = grid.now();
  await clock.pass(work);
  let left = Number.NaN;
  void grid.leave(arrived).then(() => {
    left = clock.now() - arrived;
  });
  await clock.pass(20 * tick);
  return left;
}

describe("an answer", () => {
  it.each([
    [0, 100],
    [1, 100],
    [99.999, 100],
    [100, 100],
    [100.001, 200],
    [101, 200],
    [250, 300],
    [1000, 1000],
  ])("whose work takes %d ms leaves after %d ms", async (work, leaves) => {
    expect(await leavesAfter(work)).toBe(leaves);
  });

  it("leaves at its tick in every order of arrivals and ends", async () => {
    const works = [30, 130, 210, 99];
    const arrivals = [0, 7, 50, 120];
    for (const order of permutations(works)) {
      const clock = new FakeClock(1_000_000);
      const grid = new TimeGrid(100, clock);
      const left = order.map(() => Number.NaN);
      for (const [at, work] of order.entries())
        void (async () => {
          await clock.sleep(arrivals[at]);
          const arrived = grid.now();
          await clock.sleep(work);
          await grid.leave(arrived);
          left[at] = grid.now() - arrived;
        })();
      await clock.pass(2000);
      expect(left).toEqual(order.map((work) => 100 * Math.ceil(work / 100)));
    }
  });

  it("never leaves before its tick, although timers fire early, and does not spin until then", async () => {
    const clock = new FakeClock(0, (sleep) => (sleep < 3 ? -0.4 : 0));
    expect(await leavesAfter(30, clock)).toBe(100);
    expect(clock.sleeps).toBe(4);
  });

  it("leaves a little late if the process was busy, and a tick later if it was busy for long", async () => {
    expect(await leavesAfter(30, new FakeClock(0, () => 25))).toBe(125);
    expect(await leavesAfter(30, new FakeClock(0, (sleep) => (sleep === 0 ? 26 : 0)))).toBe(200);
    expect(await leavesAfter(30, new FakeClock(0, (sleep) => [950, 30, 0][sleep]))).toBe(1200);
  });

  it("leaves on very short ticks too, although timers are coarser than those", async () => {
    expect(await leavesAfter(2, new FakeClock(0, () => 3), 1)).toBe(2);
    expect(await leavesAfter(2.5, new FakeClock(0, () => 3.5), 1)).toBe(6.5);
    expect(await leavesAfter(3, new FakeClock(0, (sleep) => (sleep === 0 ? 4.5 : 0)), 8)).toBe(16);
  });

  it("leaves at a whole number of ticks after its arrival, never before its work ends, and less than a tick after", async () => {
    const times = fc.record({
      start: fc.double({ min: 0, max: 1e9, noNaN: true }),
      work: fc.double({ min: 0, max: 700, noNaN: true }),
      tick: fc.integer({ min: 1, max: 400 }),
    });
    await fc.assert(
      fc.asyncProperty(times, async ({ start, work, tick }) => {
        const left = await leavesAfter(work, new FakeClock(start), Math.max(tick, 50));
        const ticks = left / Math.max(tick, 50);
        expect(Math.abs(ticks - Math.round(ticks))).toBeLessThan(1e-6);
        expect(ticks).toBeGreaterThan(1 - 1e-6);
        expect(left).toBeGreaterThanOrEqual(work - 1e-6);
        expect(left).toBeLessThan(Math.max(work + Math.max(tick, 50), Math.max(tick, 50)) + 1e-6);
      }),
      { numRuns: 200 },
    );
  });

  it("whose work ends by the smallest possible time after a tick leaves at the next one", async () => {
    const [arrived, end] = [2 ** -47, 100 + 2 ** -46];
    expect([end > 100 + arrived, (end - arrived) / 100, arrived + 100]).toEqual([true, 1, 100]); // rounded, twice
    const clock = new FakeClock(end);
    let left = Number.NaN;
    void new TimeGrid(100, clock).leave(arrived).then(() => {
      left = clock.now();
    });
    await clock.pass(500);
    expect(left).toBe(200);
  });

  it("whose request arrives in the future leaves after one tick", async () => {
    const clock = new FakeClock(50);
    const grid = new TimeGrid(100, clock);
    let left = Number.NaN;
    void grid.leave(1e9).then(() => {
      left = clock.now();
    });
    await clock.pass(500);
    expect(left).toBe(150);
  });

  it("leaves by the real clock too", async () => {
    const grid = new TimeGrid(20);
    const arrived = grid.now();
    await grid.leave(arrived);
    expect(grid.now() - arrived).toBeGreaterThanOrEqual(20);
  });
});

describe("the options of a grid", () => {
  it.each([Number.NaN, 0, -1, 1.5, 600_001, Infinity, "100", undefined])("refuse %s as a tick", (tick) => {
    expect(() => new TimeGrid(tick as number)).toThrow(
      /^tickMilliseconds must be an integer from 1 to 600000/,
    );
  });

  it.each([Number.NaN, Infinity, "0", undefined])("refuse %s as an arrival", async (arrived) => {
    const leaving = new TimeGrid(1).leave(arrived as number);
    await expect(leaving).rejects.toThrow(/^arrivedAt must be a time of the clock/);
  });
});

function permutations<T>(values: readonly T[]): T[][] {
  if (values.length === 0) return [[]];
  return values.flatMap((first, at) => permutations(values.toSpliced(at, 1)).map((rest) => [first, ...rest]));
}
