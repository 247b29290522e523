/**
 * The time grid of the service without a stopwatch: a real service over HTTP, on a clock that moves only when everything waits for it. What
 * the work and the charge cost is simulated, so each run is exact: when bytes leave the socket, how many in each write, and, counted
 * by V8, how often each block of our code and of Hono runs after the tick at which the answer leaves. None of it may depend on
 * the work beyond the number of its ticks. Node's own code isn't counted: in this process it serves the client and the test as well.
 */
import { once } from "node:events";
import { createServer, request as httpRequest, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { createAdaptorServer } from "@hono/node-server";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import type { Ledger } from "winnow-release";
import type { Host } from "../../packages/server/src/host.js";
import { type Clock, TimeGrid } from "../../packages/server/src/time-grid.js";
import {
  countedInMemory,
  KEYS,
  openService,
  serviceFolder,
} from "../../packages/server/test/support/service-folder.js";
import { BlockCounter, type BlockCounts, differences } from "./block-counts.js";

const counter = new BlockCounter(
  "packages/(server|release)/src",
  "node_modules/hono",
  "node_modules/@hono/node-server",
);
afterAll(() => counter.close());

const TICK = 100;
const ARRIVAL = 12_345.5;

/** Stands still while anything is being done, and goes on to the next that waits for it when told so. */
class StillClock implements Clock {
  #now = ARRIVAL;
  readonly #sleepers: { readonly until: number; readonly wake: () => void }[] = [];
  now = () => this.#now;

  sleep = (milliseconds: number) =>
    new Promise<void>((wake) => this.#sleepers.push({ until: this.#now + milliseconds, wake }));

  /** Wakes the one that waits; a service with one request never has two. */
  async step(isOver: () => boolean): Promise<void> {
    while (this.#sleepers.length === 0) {
      if (isOver()) return;
      await sleep(1);
    }
    const [{ until, wake }] = this.#sleepers.splice(0);
    this.#now = Math.max(this.#now, until);
    wake();
  }
}

/** What the work and the charge cost, in milliseconds. */
interface Costs {
  readonly work: number;
  readonly charge: number;
}

/** What can be seen of one answer from outside: each write to the socket, milliseconds after the arrival and bytes. */
interface Seen {
  readonly writes: readonly (readonly [after: number, bytes: number])[];
  readonly blocks: BlockCounts;
}

type Grid = Pick<TimeGrid, "tick" | "now" | "leave">;

const GRID = (clock: Clock): Grid => new TimeGrid(TICK, clock);
const NO_GRID = (clock: Clock): Grid => ({ tick: TICK, now: () => clock.now(), leave: async () => {} });

/** Counts from the last tick on: the charge leaves at one, and then the answer. */
function counted(grid: Grid): Grid {
  return {
    tick: grid.tick,
    now: () => grid.now(),
    leave: async (arrivedAt) => {
      await grid.leave(arrivedAt);
      counter.start();
    },
  };
}

/** One release of a new service. */
async function seen({ work, charge }: Costs, makeGrid = GRID, k = 2): Promise<Seen> {
  const clock = new StillClock();
  const folder = await serviceFolder();
  onTestFinished(folder.remove);
  const rows = countedInMemory(folder);
  const slow: Partial<Host> = {
    openRows: async (...asked) => {
      const opened = await rows(...asked);
      return {
        ...opened,
        async *count(...wanted) {
          await clock.sleep(work);
          yield* opened.count(...wanted);
        },
      };
    },
    openLedger: async (location) =>
      slowLedger(await folder.host.openLedger(location), () => clock.sleep(charge)),
  };
  const { app, service } = await openService(folder, slow, { grid: counted(makeGrid(clock)) });
  const writes: [number, number][] = [];
  const server = createAdaptorServer({ fetch: app.fetch, createServer }) as Server;
  server.on("connection", (socket: Socket) => {
    const write = socket.write.bind(socket) as (...parts: unknown[]) => boolean;
    socket.write = ((data: string | Uint8Array, ...rest: unknown[]) => {
      writes.push([clock.now() - ARRIVAL, Buffer.byteLength(data)]);
      return write(data, ...rest);
    }) as Socket["write"];
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  let isOver = false;
  const answered = release((server.address() as AddressInfo).port, k).finally(() => {
    isOver = true;
  });
  while (!isOver) await clock.step(() => isOver);
  const blocks = counter.stop();
  expect(await answered).toBe(201);
  server.close();
  await service.close();
  return { writes, blocks };
}

function slowLedger(ledger: Ledger, wait: () => Promise<unknown>): Ledger {
  return new Proxy(ledger, {
    get(_, name) {
      if (name === "record")
        return async (...asked: Parameters<Ledger["record"]>) => {
          await wait();
          return ledger.record(...asked);
        };
      const part = Reflect.get(ledger, name);
      return typeof part === "function" ? part.bind(ledger) : part;
    },
  });
}

/** The status of the answer, when all of it is there. */
async function release(port: number, k: number): Promise<number | undefined> {
  const sent = httpRequest({
    port,
    method: "POST",
    path: "/v1/datasets/visits/releases",
    agent: false,
    headers: {
      authorization: `Bearer ${KEYS.bob.key}`,
      "content-type": "application/json",
      "idempotency-key": "once",
    },
  });
  sent.end(JSON.stringify({ kind: "top", k, epsilon: "1", mechanism: "top-k" })); // without leads, whose digits are noise
  const [response] = await once(sent, "response");
  response.resume();
  await once(response, "end");
  return response.statusCode;
}

/** Exactly at a tick, and just before and after it. */
const WORKS = [0, 99.75, 100, 100.25, 200, 200.25];
const CHARGES = [0.25, 100];

describe("an answer on the grid", () => {
  it("leaves at a tick that depends on the ticks of the work alone, in the same writes and by the same code", async () => {
    const first = new Map<number, Seen>();
    for (const work of WORKS)
      for (const charge of CHARGES) {
        const ticks = Math.max(1, Math.ceil(work / TICK));
        const { writes, blocks } = await seen({ work, charge });
        const known = first.get(ticks) ?? { writes, blocks };
        first.set(ticks, known);
        expect(writes).toEqual(known.writes);
        expect(differences(blocks, known.blocks)).toEqual([]);
        expect([...new Set(writes.map(([after]) => after))]).toEqual([(ticks + 1) * TICK]);
      }
    expect([...first.keys()]).toEqual([1, 2, 3]);
    // After the tick, the same happens whatever the number of ticks was.
    const [one, ...others] = [...first.values()];
    expect(one.blocks.size).toBeGreaterThan(20);
    for (const other of others) {
      expect(other.writes.map(([, bytes]) => bytes)).toEqual(one.writes.map(([, bytes]) => bytes));
      expect(differences(other.blocks, one.blocks)).toEqual([]);
    }
  });

  it("is told apart without a grid, and so is an answer that is longer by a winner", async () => {
    const [absent, present] = [
      { work: 30, charge: 1 },
      { work: 31, charge: 1 },
    ];
    expect((await seen(absent, NO_GRID)).writes).not.toEqual((await seen(present, NO_GRID)).writes);
    const [two, three] = [await seen(absent), await seen(absent, undefined, 3)];
    expect(three.writes).not.toEqual(two.writes);
    expect(differences(two.blocks, three.blocks)).not.toEqual([]);
  });
});
