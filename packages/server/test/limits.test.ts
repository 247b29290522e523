import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { Refusal } from "winnow-release";
import { addressBlock, Limits, RateLimit, WorkQueue } from "../src/limits.js";
import { FakeClock, settled } from "./support/fake-clock.js";

const refusal = (code: string, after = 1) => expect.objectContaining({ name: "Refusal", code, after });

/** How many of so many requests at once are admitted. */
function admitted(take: () => void, requests = 100): number {
  let count = 0;
  for (let request = 0; request < requests; request++)
    try {
      take();
      count++;
    } catch (error) {
      expect(error).toBeInstanceOf(Refusal);
    }
  return count;
}

describe("the rate", () => {
  it("allows a burst, then one request for each interval, and never saves more than a burst", async () => {
    const clock = new FakeClock(5);
    const rate = new RateLimit({ perMinute: 60, burst: 10, names: 5 }, clock);
    const take = () => rate.take("ada");
    expect(admitted(take)).toBe(10);
    await clock.pass(999);
    expect(admitted(take)).toBe(0);
    await clock.pass(1);
    expect(admitted(take)).toBe(1);
    await clock.pass(3_500);
    expect(admitted(take)).toBe(3);
    await clock.pass(1e9);
    expect(admitted(take)).toBe(10);
  });

  it("allows over an hour exactly what it promises, at a rate whose interval isn't whole", async () => {
    const clock = new FakeClock(0.1);
    const rate = new RateLimit({ perMinute: 7, burst: 1, names: 5 }, clock);
    let count = 0;
    for (let step = 0; step < 7 * 60; step++) {
      count += admitted(() => rate.take("ada"), 3);
      await clock.pass(60_000 / 7);
    }
    expect(count).toBe(7 * 60);
  });

  it("says when the next request is admitted", async () => {
    const clock = new FakeClock();
    const rate = new RateLimit({ perMinute: 2, burst: 3, names: 5 }, clock);
    const take = () => rate.take("ada");
    admitted(take);
    expect(take).toThrow(refusal("too-many-requests", 30));
    await clock.pass(29_500);
    expect(take).toThrow(refusal("too-many-requests", 1));
    await clock.pass(1000);
    expect(take).not.toThrow();
  });

  it("of one name doesn't depend on others", () => {
    const rate = new RateLimit({ perMinute: 60, burst: 4, names: 5 }, new FakeClock());
    expect(admitted(() => rate.take("ada"))).toBe(4);
    expect(admitted(() => rate.take("ben"))).toBe(4);
  });

  it("remembers a fixed number of names and forgets the longest idle", () => {
    const rate = new RateLimit({ perMinute: 1, burst: 1, names: 3 }, new FakeClock());
    for (const name of ["a", "b", "c"]) rate.take(name);
    expect(() => rate.take("a")).toThrow(refusal("too-many-requests", 60));
    rate.take("d");
    expect(rate.size).toBe(3);
    expect(() => rate.take("c")).toThrow(Refusal);
    expect(() => rate.take("a")).not.toThrow(); // forgotten, so its bucket is full
    for (let name = 0; name < 10_000; name++) rate.take(String(name));
    expect(rate.size).toBe(3);
  });

  it("admits no one while the clock shows NaN, and isn't refilled by a clock that goes back", async () => {
    expect(
      admitted(() =>
        new RateLimit({ perMinute: 9, burst: 9, names: 1 }, { now: () => Number.NaN }).take("a"),
      ),
    ).toBe(0);
    let now = 1000;
    const rate = new RateLimit({ perMinute: 60, burst: 2, names: 1 }, { now: () => now });
    expect(admitted(() => rate.take("a"))).toBe(2);
    now = 0;
    expect(admitted(() => rate.take("a"))).toBe(0);
  });
});

describe("the block of an address", () => {
  it.each([
    ["192.0.2.7", "192.0.2.7"],
    ["::ffff:192.0.2.7", "192.0.2.7"],
    ["::FFFF:c000:0207", "192.0.2.7"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:DB8:1:2:ffff::1", "2001:db8:1:2::/64"],
    ["2001:0db8:0001:0002::", "2001:db8:1:2::/64"],
    ["::1", "0:0:0:0::/64"],
    ["::", "0:0:0:0::/64"],
    ["2001:db8::", "2001:db8:0:0::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
    ["", ""],
    ["not an address", "not an address"],
  ])("of %j is %j", (address, block) => {
    expect(addressBlock(address)).toBe(block);
  });

  it("is short, however long the address", () => {
    expect(addressBlock("x".repeat(1 << 20))).toHaveLength(45);
  });
});

/** Work that ends when the test says so. */
class Works {
  readonly started: string[] = [];
  readonly ended: string[] = [];
  readonly #ends = new Map<string, () => void>();
  readonly signals = new Map<string, AbortSignal>();

  constructor(readonly queue: WorkQueue) {}

  /** Sends work of an analyst: `a1` is Ada's first. */
  send(name: string, caller?: AbortSignal): Promise<string> {
    const result = this.queue.run(
      name[0],
      (signal) => {
        this.started.push(name);
        this.signals.set(name, signal);
        return new Promise<string>((resolve) => this.#ends.set(name, () => resolve(`${name} is done`)));
      },
      caller,
    );
    result.catch(() => {}); // the test looks at it later
    return result;
  }

  async end(...names: string[]): Promise<void> {
    for (const name of names) {
      await settled();
      this.#ends.get(name)!();
      await settled();
    }
  }
}

const QUEUE = { running: 1, runningEach: 1, waiting: 100, waitingEach: 100, milliseconds: 60_000 };

describe("the queue", () => {
  it("does work at once while there are places, and returns its result", async () => {
    const works = new Works(new WorkQueue({ ...QUEUE, running: 2, runningEach: 2 }));
    const results = ["a1", "a2", "a3"].map((name) => works.send(name));
    await settled();
    expect(works.started).toEqual(["a1", "a2"]);
    expect([works.queue.running, works.queue.length]).toEqual([2, 1]);
    await works.end("a1", "a3", "a2");
    expect(await Promise.all(results)).toEqual(["a1 is done", "a2 is done", "a3 is done"]);
    expect([works.queue.running, works.queue.length]).toEqual([0, 0]);
  });

  it("takes analysts in turn, and each analyst's work in the order of arrival", async () => {
    const works = new Works(new WorkQueue(QUEUE));
    const names = ["a1", "a2", "a3", "a4", "b1", "b2", "c1"];
    for (const name of names) works.send(name);
    for (const name of ["a1", "a2", "b1", "c1", "a3", "b2", "a4"]) await works.end(name);
    expect(works.started).toEqual(["a1", "a2", "b1", "c1", "a3", "b2", "a4"]);
  });

  it("takes an analyst who comes again behind those who wait already", async () => {
    const works = new Works(new WorkQueue(QUEUE));
    for (const name of ["a1", "b1", "a2"]) works.send(name);
    await works.end("a1", "b1", "a2");
    expect(works.started).toEqual(["a1", "b1", "a2"]);
  });

  it("gives one analyst only so many places, and the others to the others", async () => {
    const works = new Works(new WorkQueue({ ...QUEUE, running: 3, runningEach: 2 }));
    for (const name of ["a1", "a2", "a3", "a4", "b1", "b2"]) works.send(name);
    await settled();
    expect(works.started).toEqual(["a1", "a2", "b1"]);
    await works.end("b1");
    expect(works.started).toEqual(["a1", "a2", "b1", "b2"]);
    await works.end("b2"); // a place is free, and Ada has all of hers
    expect(works.queue.length).toBe(2);
    await works.end("a2", "a1");
    expect(works.started.slice(4)).toEqual(["a3", "a4"]);
  });

  it("refuses an analyst who has all waiting places of one, and anyone when all are taken", async () => {
    const works = new Works(new WorkQueue({ ...QUEUE, waiting: 3, waitingEach: 2 }));
    for (const name of ["a1", "a2", "a3"]) works.send(name);
    await expect(works.send("a4")).rejects.toThrow(refusal("too-many-requests"));
    works.send("b1");
    await expect(works.send("b2")).rejects.toThrow(refusal("busy"));
    await expect(works.send("c1")).rejects.toThrow(refusal("busy"));
    await works.end("a1");
    works.send("c2");
    await works.end("a2", "b1", "a3", "c2");
    expect(works.started).toEqual(["a1", "a2", "b1", "a3", "c2"]);
  });

  it("frees the place of work that fails, and passes the failure on", async () => {
    const queue = new WorkQueue(QUEUE);
    const failure = new Error("no");
    await expect(queue.run("a", () => Promise.reject(failure))).rejects.toBe(failure);
    const thrown = () => {
      throw failure;
    };
    await expect(queue.run("a", thrown)).rejects.toBe(failure);
    expect(await queue.run("b", async () => 7)).toBe(7);
  });

  it("forgets work whose caller leaves while it waits, and signals work under way without taking its place", async () => {
    const works = new Works(new WorkQueue(QUEUE));
    const [first, second] = [new AbortController(), new AbortController()];
    const [one, two] = [works.send("a1", first.signal), works.send("a2", second.signal)];
    works.send("b1");
    second.abort(new Error("left"));
    await expect(two).rejects.toThrow("left");
    first.abort();
    await settled();
    expect(works.signals.get("a1")!.aborted).toBe(true);
    expect([works.queue.running, works.queue.length]).toEqual([1, 1]);
    await works.end("a1", "b1");
    expect(await one).toBe("a1 is done"); // what was charged is answered
    expect(works.started).toEqual(["a1", "b1"]);
    const gone = works.send("a3", AbortSignal.abort(new Error("gone")));
    await expect(gone).rejects.toThrow("gone");
    expect(works.started).not.toContain("a3");
  });

  it("ends waiting at the time limit, and signals work under way", async () => {
    const works = new Works(new WorkQueue({ ...QUEUE, milliseconds: 20 }));
    works.send("a1");
    const waiting = works.send("b1");
    await expect(waiting).rejects.toThrow(refusal("busy"));
    while (!works.signals.get("a1")!.aborted) await sleep(1);
    expect(works.signals.get("a1")!.reason).toEqual(refusal("busy"));
    expect(works.queue.running).toBe(1);
    await works.end("a1");
    expect(works.started).toEqual(["a1"]);
  });

  it("closes: refuses what waits or comes, and lets work under way end", async () => {
    const works = new Works(new WorkQueue({ ...QUEUE, running: 2, runningEach: 2 }));
    const under = ["a1", "b1"].map((name) => works.send(name));
    const waiting = works.send("a2");
    await settled();
    let isClosed = false;
    const closing = [works.queue.close(), works.queue.close()];
    void closing[1].then(() => {
      isClosed = true;
    });
    await expect(waiting).rejects.toThrow(refusal("shutting-down"));
    await expect(works.send("c1")).rejects.toThrow(refusal("shutting-down"));
    await works.end("a1");
    expect(isClosed).toBe(false);
    await works.end("b1");
    await Promise.all(closing);
    expect(await Promise.all(under)).toEqual(["a1 is done", "b1 is done"]);
    await new WorkQueue(QUEUE).close();
  });
});

describe("the limits of a service", () => {
  it("count analysts and strangers apart, and strangers by their network", () => {
    const limits = new Limits({ requestsPerMinute: 60, strangersPerMinute: 12 }, new FakeClock());
    expect(admitted(() => limits.analyst("192.0.2.7"))).toBe(10);
    expect(admitted(() => limits.stranger("192.0.2.7"))).toBe(2);
    expect(admitted(() => limits.stranger("2001:db8::1"))).toBe(2);
    expect(admitted(() => limits.stranger("2001:db8::2"))).toBe(0);
  });

  it("have a queue for the work", async () => {
    const limits = new Limits({ concurrent: 1, allConcurrent: 2, waiting: 0 });
    const works = new Works(limits.queue);
    works.send("a1");
    works.send("b1");
    await expect(works.send("a2")).rejects.toThrow(refusal("too-many-requests"));
    await works.end("a1", "b1");
  });

  it.each<[string, unknown]>([
    ["options must be an object; got null", null],
    ["requestsPerMinute must be an integer from 1 to 1000000; got NaN", { requestsPerMinute: Number.NaN }],
    ['requestsPerMinute must be an integer from 1 to 1000000; got "60"', { requestsPerMinute: "60" }],
    ["strangersPerMinute must be an integer from 1 to 1000000; got 0", { strangersPerMinute: 0 }],
    ["concurrent must be an integer from 1 to 10000; got 1.5", { concurrent: 1.5 }],
    ["allConcurrent must be an integer from 1 to 10000; got Infinity", { allConcurrent: Infinity }],
    ["waiting must be an integer from 0 to 1000000; got -1", { waiting: -1 }],
    ["allWaiting must be an integer from 0 to 1000000; got null", { allWaiting: null }],
    ["time must be an integer from 1 to 86400; got 0", { time: 0 }],
    [
      "options has an unknown name; known are requestsPerMinute, strangersPerMinute, concurrent, allConcurrent, waiting, allWaiting, time",
      { rate: 5 },
    ],
  ])("are refused: %s", (message, options) => {
    expect(() => new Limits(options as never)).toThrow(new RegExp(`^${message}$`));
  });

  it.each([
    ["running", { ...QUEUE, running: Number.NaN }],
    ["options", { ...QUEUE, each: 1 }],
    ["milliseconds", { ...QUEUE, milliseconds: 0 }],
  ])("refuse a queue with a wrong %s", (field, options) => {
    expect(() => new WorkQueue(options as never)).toThrow(
      new RegExp(`^${field} (must be|has an unknown name)`),
    );
  });
});
