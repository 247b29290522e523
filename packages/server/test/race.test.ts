/**
 * What a team relies on, with real processes: budgets hold between machines, retries cost nothing, and whatever is killed at any
 * moment, nothing is answered that isn't charged. One team of two processes serves all tests, each with a data set of its own. What
 * is wrong is found by `findFaults`, which is tried on broken services in find-faults.test.ts.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Ledger } from "winnow-release";
import { openLedger } from "../../cli/src/ledger/open-ledger.js";
import { describeOnPostgres } from "../../cli/test/servers/support/installed.js";
import { LedgerServer } from "../../cli/test/servers/support/postgres-ledgers.js";
import { spread } from "../../cli/test/support/spread.js";
import { amount } from "../../core/test/support/amount.js";
import { findFaults, type Request } from "./support/find-faults.js";
import {
  analystName,
  datasetFor,
  formFor,
  type Reply,
  type ServiceProcess,
  Team,
  TOP,
} from "./support/team.js";

const RETRIES = amount(300, 10_000);
const FAULTS = amount(12, 200);

/** In milliseconds: on a busy machine, and at night. */
const PATIENCE = 240_000 + 100 * RETRIES + 10_000 * FAULTS;

const BUDGETS = { raced: "20", retried: "20", faulty: "1000" };

describeOnPostgres("a team over one ledger on PostgreSQL", () => {
  let ledgers: LedgerServer;
  let ledger: Ledger;
  let team: Team;
  let services: ServiceProcess[];
  beforeAll(async () => {
    ledgers = await LedgerServer.start();
    const [location, source] = [await ledgers.fresh(), ledgers.at("postgres")];
    for (const table of Object.keys(BUDGETS))
      await ledgers.run(
        "postgres",
        `CREATE TABLE ${table} AS SELECT 'p' || person AS "user", area, (ARRAY['DE', 'FR'])[1 + person % 2] AS country
         FROM (VALUES ('mail', 400), ('news', 300), ('maps', 200)) AS visited (area, people), generate_series(1, people) AS person`,
      );
    ledger = await openLedger(location);
    for (const [dataset, epsilon] of Object.entries(BUDGETS))
      await ledger.setBudget(dataset, { measure: "pure", epsilon });
    const charging = ledgers.asCharger(location);
    const known = { source, analysts: 64, budgets: BUDGETS, grouped: "faulty" };
    team = new Team({ ledger: charging, ...known, tick: 5, maxAge: 86_400 });
    services = await Promise.all([team.start(), team.start()]);
  });
  afterAll(async () => {
    await team?.stop();
    await ledger?.close();
    await ledgers?.stop();
  });

  it("64 clients of two processes race for a budget of twenty releases and get exactly twenty", async () => {
    const race = (first: number) =>
      Promise.all(
        team.keys.map((key, at) => services[(at + first) % 2].release("raced", key, "mine", TOP("1"))),
      );
    const before = (await ledger.verify()).head.sequence;
    const replies = await race(0);
    expect(tally(replies)).toEqual({ "201": 20, "403 over-budget": 44 });
    const sequences = replies.flatMap(({ release }) => release?.ledger.sequence ?? []);
    expect(sequences.sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, at) => before + at + 1));
    expect((await ledger.account("raced")).releases).toBe(20);
    // Asked again, of the other process, winners get their answers and the others are still refused.
    const again = await race(1);
    expect(tally(again)).toEqual({ "200": 20, "403 over-budget": 44 });
    const requests = [replies, again].flatMap((round) =>
      round.map((reply, at) => ({ id: `${analystName(at)}.mine`, reply })),
    );
    expect(await findFaults(ledger, { raced: BUDGETS.raced }, requests)).toEqual({ faults: [], unseen: [] });
  });

  it(`${RETRIES} retries with one key are one charge and one answer`, { timeout: PATIENCE }, async () => {
    const ask = (at: number, epsilon: string) =>
      services[at % 2].release("retried", team.keys[0], "once", TOP(epsilon));
    const replies: Reply[] = [];
    let left = RETRIES;
    const client = async (at: number) => {
      while (left-- > 0) {
        do replies.push(await ask(at, "1"));
        while (replies.at(-1)?.status === 0); // the connection broke
      }
    };
    await Promise.all(Array.from({ length: 32 }, (_, at) => client(at)));
    expect(replies.filter(({ release }) => release !== undefined)).toHaveLength(RETRIES);
    expect(replies.filter(({ status }) => ![0, 200, 201].includes(status))).toEqual([]);
    expect(await ask(0, "1/2")).toMatchObject({ status: 409, code: "release-id-taken" });
    expect((await ledger.account("retried")).releases).toBe(1);
    const requests = replies.map((reply) => ({ id: `${analystName(0)}.once`, reply }));
    expect(await findFaults(ledger, { retried: BUDGETS.retried }, requests)).toEqual({
      faults: [],
      unseen: [],
    });
  });

  it(`${FAULTS} services, servers and connections killed at all moments: nothing answered without a charge, chain whole`, {
    timeout: PATIENCE,
  }, async () => {
    const asked: { readonly key: string; readonly analyst: number; readonly reply: Reply }[] = [];
    const ask = (at: number, analyst: number, key: string) =>
      services[at % services.length].release(
        datasetFor(key, "faulty"),
        team.keys[analyst],
        key,
        formFor(key, "1/1000"),
      );
    const answered = () => asked.filter(({ reply }) => reply.release !== undefined);
    let isOver = false;
    const client = async (analyst: number) => {
      for (let turn = analyst; !isOver; turn++) {
        const key = `r${turn}`;
        const reply = await ask(turn, analyst, key);
        asked.push({ key, analyst, reply });
        if (reply.release === undefined) await sleep(100);
      }
    };
    const clients = Array.from({ length: 6 }, (_, analyst) => client(analyst));
    const anotherAnswer = async () => {
      for (const before = answered().length; answered().length === before; ) await sleep(2);
    };
    let replacing = Promise.resolve();
    for (let fault = 0; fault < FAULTS; fault++) {
      await anotherAnswer();
      await sleep(spread(fault) * 20);
      if (fault % 12 === 11) {
        await ledgers.server.crash();
        await ledgers.server.restart();
      } else if (fault % 3 === 0) {
        await replacing;
        replacing = replace(services, (fault / 3) % 2, team);
      } else
        await ledgers.run(
          "postgres",
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'charger'",
        );
    }
    await anotherAnswer();
    isOver = true;
    await Promise.all([...clients, replacing]);

    const expected = ["201", "0", "503 ledger-unavailable", "503 charge-unknown"];
    const outcomes = tally(asked.map(({ reply }) => reply));
    expect(Object.keys(outcomes).filter((outcome) => !expected.includes(outcome))).toEqual([]);
    expect(outcomes["201"]).toBeGreaterThan(FAULTS);
    const { head } = await ledger.verify();
    const accounts = await Promise.all(Object.keys(BUDGETS).map((dataset) => ledger.account(dataset)));
    expect(accounts.reduce((sum, { releases }) => sum + releases, accounts.length)).toBe(head.sequence);
    const requests = (): Request[] =>
      asked.map(({ key, analyst, reply }) => ({ id: `${analystName(analyst)}.${key}`, reply }));
    const { faults, unseen } = await findFaults(ledger, { faulty: BUDGETS.faulty }, requests());
    expect(faults).toEqual([]);
    expect((await ledger.account("faulty")).releases).toBe(answered().length + unseen.length);

    // Charges that no one saw are seen when they are asked for again, and cost nothing more.
    for (const id of unseen) {
      const { key, analyst } = asked.find((one) => id === `${analystName(one.analyst)}.${one.key}`)!;
      asked.push({ key, analyst, reply: await ask(0, analyst, key) });
    }
    expect(await findFaults(ledger, { faulty: BUDGETS.faulty }, requests())).toEqual({
      faults: [],
      unseen: [],
    });
  });
});

/** Kills a process of the service and puts a new one in its place. One that starts while there is no ledger ends again. */
async function replace(services: ServiceProcess[], at: number, team: Team): Promise<void> {
  await services[at].kill();
  for (;;) {
    const started = await team.start().catch(() => undefined);
    if (started !== undefined) {
      services[at] = started;
      return;
    }
  }
}

/** How often each outcome came. */
function tally(replies: readonly Reply[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status, code } of replies) {
    const outcome = code === undefined ? String(status) : `${status} ${code}`;
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  }
  return counts;
}
