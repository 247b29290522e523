/**
 * Two neighbouring worlds, timed from outside: one person is there or isn't, whose rows take a moment to read. Without a grid an
 * analyst sees from the time of an answer whether the person is there; on the grid the same stopwatch sees nothing. The
 * moment is a sleep of the server, so that it doesn't grow with what else the machine does.
 *
 * A stopwatch depends on what else the machine does, so it is compared at night only (`PROVE=all`), and only where the same stopwatch,
 * in turns with it, sees the leak without a grid. Every run checks what holds on
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
/** What else the machine did isn't seen each time, and a leak is: the grid is doubted so often. */
const ATTEMPTS = 3;

/** In milliseconds: for each attempt two worlds, and for each release at most two ticks and one without a grid. */
const PATIENCE = 240_000 + ATTEMPTS * 2 * RUNS * 3 * LONGEST_TICK;

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

  /** How long an answer takes from outside, in milliseconds. */
  async function timeOf({ team, service }: Awaited<ReturnType<typeof started>>, world: 0 | 1, key: string) {
    const before = performance.now();
    const { status } = await service.release(WORLDS[world], team.keys[0], key, TOP("1/1000"));
    expect(status).toBe(201);
    return performance.now() - before;
  }

  it("tells whether a person is there if it leaves when it is done, and doesn't on the grid", {
    timeout: PATIENCE,
  }, async () => {
    const control = await started(20);
    let longest = 0;
    for (
      let run = 0;
      run < 10;
      run++ // loads code, opens sessions, and says how long the work takes now
    )
      longest = Math.max(longest, await timeOf(control, (run % 2) as 0 | 1, `first-${run}`));
    const attempts: object[] = [];
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const tick = Math.min(LONGEST_TICK, Math.max(SHORTEST_TICK, Math.ceil(2 * longest)));
      const grid = await started(tick);
      const without: [number[], number[]] = [[], []];
      // Each answer on the grid is timed right after one without a grid, so both meet the same machine.
      const [absent, present] = await timesOf(
        async (world, run) => {
          without[world].push(await timeOf(control, world, `${attempt}-${world}-${run}`));
          return timeOf(grid, world, `${tick}-${attempt}-${world}-${run}`);
        },
        RUNS,
        `order ${attempt}`,
      );
      await grid.team.stop();
      for (const time of [...absent, ...present]) expect(time).toBeGreaterThanOrEqual(tick);
      longest = Math.max(...without.flat());
      const leak = compareTimes(...without, `shuffles ${attempt}`).share;
      const { share } = compareTimes(absent, present, `shuffles ${attempt}`);
      attempts.push({ tick, longest, leak, share });
      // Only where the same stopwatch saw the leak did the grid have something to hide.
      if (leak < LEVEL && share >= LEVEL) return;
    }
    expect.fail(`no attempt hid what the control showed: ${JSON.stringify(attempts)}`);
  });
});
