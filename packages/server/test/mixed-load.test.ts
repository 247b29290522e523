/**
 * Mixed traffic with faults, for as long as someone likes: `WINNOW_MINUTES=60 npx vitest run packages/server/test/mixed-load.test.ts` provokes
 * one a minute for an hour and prints what came; without that, four faults follow each other in some seconds. Memory must stay flat, the chain whole,
 * and every refusal explained by a fault that was there.
 */
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ConsistencyProof, type Ledger, verifyConsistency } from "winnow-release";
import { openLedger } from "../../cli/src/ledger/open-ledger.js";
import { describeOnPostgres } from "../../cli/test/servers/support/installed.js";
import { CHARGER, LedgerServer } from "../../cli/test/servers/support/postgres-ledgers.js";
import { DatabaseProxy } from "./support/database-proxy.js";
import { findFaults, type Request } from "./support/find-faults.js";
import { analystName, datasetFor, formFor, type ServiceProcess, Team } from "./support/team.js";

const MINUTES = Number(process.env.WINNOW_MINUTES ?? 0);
const FAULTS = MINUTES || 5;
/** In milliseconds: from one fault to the next, how long one lasts, and how long afterwards a refusal may still come from it. */
const [PAUSE, LASTS, AFTERWARDS] = [MINUTES === 0 ? 1500 : 50_000, MINUTES === 0 ? 1000 : 5000, 10_000];
const ANALYSTS = 6;
const BUDGETS = { mixed: "100000" };
const PRICE = "1/1000";

/** What a fault may lead to. */
const EXPLAINED = ["503 ledger-unavailable", "503 charge-unknown"];

describeOnPostgres("mixed load with faults", () => {
  let ledgers: LedgerServer;
  let proxy: DatabaseProxy;
  let ledger: Ledger;
  let team: Team;
  beforeAll(async () => {
    ledgers = await LedgerServer.start();
    proxy = await DatabaseProxy.start(ledgers.server.port);
    await ledgers.run(
      "postgres",
      `CREATE TABLE mixed AS SELECT 'p' || person AS "user", area, (ARRAY['DE', 'FR'])[1 + person % 2] AS country
       FROM (VALUES ('mail', 400), ('news', 300), ('maps', 200)) AS visited (area, people), generate_series(1, people) AS person`,
    );
    const location = await ledgers.fresh();
    ledger = await openLedger(location);
    await ledger.setBudget("mixed", { measure: "pure", epsilon: BUDGETS.mixed });
    const charging = proxy.through(ledgers.asCharger(location));
    const source = ledgers.at("postgres");
    team = new Team({
      ledger: charging,
      source,
      analysts: ANALYSTS,
      budgets: BUDGETS,
      tick: 20,
      maxAge: 86_400,
      grouped: "mixed",
    });
  });
  afterAll(async () => {
    await team?.stop();
    await ledger?.close();
    proxy?.stop();
    await ledgers?.stop();
  });

  it("leaves memory flat, the chain whole and no refusal unexplained", {
    timeout: 300_000 + 120_000 * MINUTES,
  }, async () => {
    const services = await Promise.all([team.start(), team.start()]);
    const steady = services[0]; // the other one is killed now and then
    const requests: Request[] = [];
    const seen: { readonly outcome: string; readonly at: number }[] = [];
    const answered: string[][] = Array.from({ length: ANALYSTS }, () => []);
    let grew = true;
    let isOver = false;

    const note = (status: number, code?: unknown) => {
      if (status >= 500) seen.push({ outcome: `${status} ${String(code)}`, at: performance.now() });
    };
    const release = async (service: ServiceProcess, analyst: number, key: string) => {
      const asked = datasetFor(key, "mixed");
      const reply = await service.release(asked, team.keys[analyst]!, key, formFor(key, PRICE));
      requests.push({ id: `${analystName(analyst)}.${key}`, reply });
      note(reply.status, reply.code);
      return reply;
    };
    const client = async (analyst: number) => {
      let head: { readonly sequence: number; readonly root: string } | undefined;
      for (let turn = 0; !isOver; turn++) {
        const service = services[turn % 2]!;
        const ask = async (path: string, body?: object) => {
          const answer = await service.ask(path, team.keys[analyst]!, body);
          note(answer.status, answer.body.code);
          return answer;
        };
        const mine = answered[analyst]!;
        const known = mine.at(-1);
        if (turn % 10 < 5 || known === undefined) {
          const { release: made } = await release(service, analyst, `r${turn}`);
          if (made !== undefined) mine.push(`r${turn}`);
          else await sleep(100);
        } else if (turn % 10 === 5) await release(service, analyst, mine[turn % mine.length]!);
        else if (turn % 10 === 6) await ask("/v1/datasets/mixed/cost", formFor(`c${turn}`, PRICE));
        else if (turn % 10 === 7) await ask("/v1/datasets/mixed/plan", formFor(`p${turn}`, PRICE));
        else if (turn % 10 === 8) await ask(`/v1/releases/${analystName(analyst)}.${known}/proof`);
        else if (head === undefined) {
          const { status, body } = await ask("/v1/ledger/head");
          if (status === 200) head = body as unknown as typeof head;
        } else {
          const { status, body } = await ask(`/v1/ledger/consistency?size=${head.sequence}`);
          const proof = body as unknown as ConsistencyProof;
          if (status === 200) grew &&= proof.first.root === head.root && (await verifyConsistency(proof));
        }
      }
    };

    const windows: { readonly from: number; to: number }[] = [];
    const faults: readonly (() => Promise<() => Promise<void> | void>)[] = [
      async () => {
        await services[1]!.kill();
        return async () => {
          services[1] = await team.start();
        };
      },
      async () => {
        await ledgers.run(
          "postgres",
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '${CHARGER}'`,
        );
        return () => {};
      },
      async () => {
        await ledgers.server.crash();
        return () => ledgers.server.restart();
      },
      async () => ledgers.server.freeze(),
      async () => {
        proxy.delay = 50;
        return () => {
          proxy.delay = 0;
        };
      },
    ];

    // All clients and the way to the database are in this process: while it stands still, the database is away.
    const stalls = monitorEventLoopDelay({ resolution: 100 });
    stalls.enable();
    const clients = Array.from({ length: ANALYSTS }, (_, analyst) => client(analyst));
    await sleep(PAUSE);
    const memory = [steady.memory];
    for (let fault = 0; fault < FAULTS; fault++) {
      const window = { from: performance.now(), to: Infinity };
      windows.push(window);
      const end = await faults[fault % faults.length]!();
      await sleep(LASTS);
      await end();
      while ((await steady.ask("/ready", "")).status !== 200) await sleep(20);
      window.to = performance.now() + AFTERWARDS;
      await sleep(PAUSE);
      memory.push(steady.memory);
    }
    isOver = true;
    await Promise.all(clients);
    if (MINUTES > 0)
      console.log({
        faults: FAULTS,
        requests: requests.length,
        releases: (await ledger.account("mixed")).releases,
        refused: seen.length,
        megabytes: memory.map((bytes) => Math.round(bytes / 1e6)),
        longestStall: Math.round(stalls.max / 1e6),
      });

    const isExplained = ({ outcome, at }: (typeof seen)[number]) =>
      EXPLAINED.includes(outcome) && windows.some(({ from, to }) => from <= at && at <= to);
    expect(seen.filter((each) => !isExplained(each))).toEqual([]);
    expect(grew).toBe(true);
    const { faults: found, unseen } = await findFaults(ledger, BUDGETS, requests);
    expect(found).toEqual([]);
    for (const id of unseen) {
      const [, analyst = "", key = ""] = /^analyst-(\d+)\.(.+)$/.exec(id) ?? [];
      await release(steady, Number(analyst), key);
    }
    expect(await findFaults(ledger, BUDGETS, requests)).toEqual({ faults: [], unseen: [] });
    const [first, last] = [memory[Math.ceil(memory.length / 3)]!, memory.at(-1)!];
    expect(last).toBeLessThan(1.25 * first + 64e6);
  });
});
