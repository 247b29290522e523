/**
 * Two neighbouring worlds, timed from outside: one person is there or isn't, whose rows take a moment to read. Without a grid an
 * analyst sees from the time of an answer whether the person is there; on the grid the same stopwatch sees nothing. The
 * moment is a sleep of the server, so that it doesn't grow with what else the machine does.
 *
 * A stopwatch depends on what else the machine does, so it is compared at night only (`PROVE=all`). Every run checks what holds on
 * any machine: an answer leaves after its tick in both worlds, and without a grid the person's rows are waited for.
 */
import { afterAll, beforeAll, expect, it } from "vitest";
import { openLedger } from "../../cli/src/ledger/open-ledger.js";
import { describeOnPostgres } from "../../cli/test/servers/support/installed.js";
import { LedgerServer } from "../../cli/test/servers/support/postgres-ledgers.js";
import { compareTimes, timesOf } from "./support/compare-times.js";
import { Team, TOP } from "./support/team.js";

const RUNS = 60;
/** In seconds. */
const MOMENT = 0.3;
/** In milliseconds: as the guide says, longer than a release takes. */
const [SHORTEST_TICK, LONGEST_TICK] = [300, 2000];
const LEVEL = 0.01;
/** A leak is seen each time, and what else the machine did isn't: each world is doubted so often. */
const ATTEMPTS = 3;

/** In milliseconds: for each attempt, two worlds and at most two ticks for each release. */
const PATIENCE = 240_000 + ATTEMPTS * 2 * RUNS * 2 * LONGEST_TICK;

const BUDGETS = { absent: "1000", present: "1000" };
const WORLDS = ["absent", "present"] as const;

describeOnPostgres("the time of an answer", () => {
  let ledgers: LedgerServer;
  let ledger: string;
  const teams: Team[] = [];
  beforeAll(async () => {
    ledgers = await LedgerServer.start();
    const others = `SELECT 'p' || person AS "user", area
      FROM (VALUES ('mail', 40), ('news', 30), ('maps', 20)) AS visited (area, people), generate_series(1, people) AS person`;
    const person = `SELECT 'q', 'mail' FROM pg_sleep(${MOMENT})`;
    await ledgers.run("postgres", `CREATE VIEW absent AS ${others}`);
    await ledgers.run("postgres", `CREATE VIEW present AS ${others} UNION ALL ${person}`);
    const location = await ledgers.fresh();
    const opened = await openLedger(location);
    for (const [dataset, epsilon] of Object.entries(BUDGETS))
      await opened.setBudget(dataset, { measure: "pure", epsilon });
    await opened.close();
    ledger = ledgers.asCharger(location);
  });
  afterAll(async () => {
    await Promise.all(teams.map((team) => team.stop()));
    await ledgers?.stop();
  });

  async function started(tick: number) {
    const source = ledgers.at("postgres");
    const team = new Team({ ledger, source, analysts: 1, budgets: BUDGETS, tick, maxAge: 0 });
    teams.push(team);
    return { team, service: await team.start() };
  }

  /** Compares the times of answers in both worlds, from a service with this tick, until it sees what is claimed. */
  async function watched(tick: number, areAlike: boolean) {
    const { team, service } = await started(tick);
    const measure = async (world: 0 | 1, run: number | string) => {
      const before = performance.now();
      const key = `${tick}-${attempt}-${run}`;
      const { status } = await service.release(WORLDS[world], team.keys[0], key, TOP("1/1000"));
      expect(status).toBe(201);
      return performance.now() - before;
    };
    let attempt = 0;
    for (const world of [0, 1] as const) await measure(world, `first-${world}`); // loads code and opens sessions
    const comparisons: (ReturnType<typeof compareTimes> & { readonly times: readonly number[] })[] = [];
    for (; attempt < ATTEMPTS; attempt++) {
      const [absent, present] = await timesOf(measure, RUNS, `order ${attempt}`);
      const comparison = compareTimes(absent, present, `shuffles ${attempt}`);
      comparisons.push({ ...comparison, times: [...absent, ...present] });
      if (comparison.share >= LEVEL === areAlike) break;
    }
    await team.stop();
    return comparisons;
  }

  it("is at least a tick in both worlds, and without a grid at least what the person's rows take", async () => {
    const [tick, short] = [1000, 20];
    for (const world of WORLDS) expect(await timeIn(world, tick)).toBeGreaterThanOrEqual(tick);
    expect(await timeIn("present", short)).toBeGreaterThanOrEqual(1000 * MOMENT);
  });

  async function timeIn(world: (typeof WORLDS)[number], tick: number): Promise<number> {
    const { team, service } = await started(tick);
    const before = performance.now();
    const { status } = await service.release(world, team.keys[0], `once-${tick}-${world}`, TOP("1/1000"));
    const time = performance.now() - before;
    expect(status).toBe(201);
    await team.stop();
    return time;
  }

  if (process.env.PROVE !== "all") return;

  it("tells whether a person is there if it leaves when it is done, and doesn't on the grid", {
    timeout: PATIENCE,
  }, async () => {
    const control = (await watched(20, false)).at(-1)!;
    expect(control.share).toBeLessThan(LEVEL);
    const longest = Math.ceil(Math.max(...control.times));
    const tick = Math.min(LONGEST_TICK, Math.max(SHORTEST_TICK, 2 * longest));
    const onGrid = await watched(tick, true);
    expect(onGrid.at(-1)?.share).toBeGreaterThanOrEqual(LEVEL);
    for (const { times } of onGrid) for (const time of times) expect(time).toBeGreaterThanOrEqual(tick);
  });
});
