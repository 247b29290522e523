/**
 * What a team relies on, with real processes: budgets hold between machines, retries cost nothing, and whatever is killed at any
 * moment, nothing is answered that isn't charged.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { openLedger } from "../../cli/src/ledger/open-ledger.js";
import { describeOnPostgres } from "../../cli/test/servers/support/installed.js";
import { LedgerServer } from "../../cli/test/servers/support/postgres-ledgers.js";
import { spread } from "../../cli/test/support/spread.js";
import { analystName, type Reply, type ServiceProcess, Team, TOP } from "./support/team.js";

/** More of them at night: WINNOW_RETRIES=10000, WINNOW_FAULTS=200. */
const RETRIES = Number(process.env.WINNOW_RETRIES ?? 300);
const FAULTS = Number(process.env.WINNOW_FAULTS ?? 12);

describeOnPostgres("a team over one ledger on PostgreSQL", () => {
  let ledgers: LedgerServer;
  beforeAll(async () => {
    ledgers = await LedgerServer.start();
  });
  afterAll(() => ledgers?.stop());

  /** A ledger with a budget, a team over it, and so many processes. */
  async function team(epsilon: string, { analysts, processes }: { analysts: number; processes: number }) {
    const location = await ledgers.fresh();
    const ledger = await openLedger(location);
    onTestFinished(() => ledger.close());
    await ledger.setBudget("visits", { measure: "pure", epsilon });
    const made = new Team({ ledger: ledgers.asCharger(location), analysts, epsilon, tick: 5 });
    onTestFinished(() => made.stop());
    const services = await Promise.all(Array.from({ length: processes }, () => made.start()));
    return { ledger, team: made, services };
  }

  it("64 clients of two processes race for a budget of twenty releases and get exactly twenty", async () => {
    const { ledger, team: made, services } = await team("20", { analysts: 64, processes: 2 });
    const replies = await Promise.all(
      made.keys.map((key, at) => services[at % 2].release("visits", key, "mine", TOP("1"))),
    );
    expect(tally(replies)).toEqual({ "201": 20, "403 over-budget": 44 });
    const sequences = replies.flatMap(({ release }) => release?.ledger.sequence ?? []);
    expect(sequences.sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, at) => at + 2));
    expect(await ledger.verify()).toMatchObject({ findings: [], head: { sequence: 21 } });
    expect((await ledger.status("visits")).releases).toBe(20);
    // Asked again, winners get their answers and the others are still refused.
    const again = await Promise.all(
      made.keys.map((key, at) => services[(at + 1) % 2].release("visits", key, "mine", TOP("1"))),
    );
    expect(tally(again)).toEqual({ "200": 20, "403 over-budget": 44 });
    expect(again.map(({ release }) => release)).toEqual(replies.map(({ release }) => release));
  });

  it(`${RETRIES} retries with one key are one charge and one answer`, async () => {
    const { ledger, team: made, services } = await team("20", { analysts: 1, processes: 2 });
    let left = RETRIES;
    const replies: Reply[] = [];
    const client = async (at: number) => {
      while (left-- > 0)
        replies.push(await services[at % 2].release("visits", made.keys[0], "once", TOP("1")));
    };
    await Promise.all(Array.from({ length: 32 }, (_, at) => client(at)));
    expect(replies).toHaveLength(RETRIES);
    expect(replies.filter(({ status }) => status !== 200 && status !== 201)).toEqual([]);
    expect(new Set(replies.map(({ release }) => JSON.stringify(release))).size).toBe(1);
    expect(await ledger.verify()).toMatchObject({ findings: [], head: { sequence: 2 } });
    const other = await services[0].release("visits", made.keys[0], "once", TOP("1/2"));
    expect(other).toMatchObject({ status: 409, code: "release-id-taken" });
    expect((await ledger.status("visits")).releases).toBe(1);
  });

  it(`${FAULTS} services, servers and connections killed at all moments: nothing answered without a charge, chain whole`, async () => {
    const { ledger, team: made, services } = await team("1000", { analysts: 4, processes: 3 });
    const ask = TOP("1/1000");
    const asked: { readonly key: string; readonly analyst: number; readonly reply: Reply }[] = [];
    let isOver = false;
    let number = 0;
    const client = async (analyst: number) => {
      for (let turn = analyst; !isOver; turn++) {
        const key = `r${number++}`;
        const reply = await services[turn % services.length].release("visits", made.keys[analyst], key, ask);
        asked.push({ key, analyst, reply });
        if (reply.release === undefined) await sleep(10);
      }
    };
    const clients = made.keys.map((_, analyst) => client(analyst));
    const replacing: Promise<void>[] = [];
    const answered = () => asked.filter(({ reply }) => reply.release !== undefined).length;
    for (let fault = 0; fault < FAULTS; fault++) {
      for (const before = answered(); answered() === before; ) await sleep(2); // someone was answered since the last
      await sleep(spread(fault) * 20);
      if (fault % 12 === 11) {
        await ledgers.server.crash();
        await ledgers.server.restart();
      } else if (fault % 3 === 0) replacing.push(replace(services, (fault / 3) % services.length, made));
      else await terminateSessions();
    }
    for (const before = answered(); answered() === before; ) await sleep(2);
    isOver = true;
    await Promise.all([...clients, ...replacing]);

    const outcomes = tally(asked.map(({ reply }) => reply));
    expect(outcomes).not.toHaveProperty("500 unexpected");
    const known = ["201", "0", "503 ledger-unavailable", "503 charge-unknown"];
    expect(Object.keys(outcomes).filter((outcome) => !known.includes(outcome))).toEqual([]);
    const { findings, head } = await ledger.verify();
    expect(findings).toEqual([]);
    expect(answered()).toBeGreaterThan(FAULTS);
    for (const { key, analyst, reply } of asked)
      if (reply.release !== undefined)
        expect(await ledger.find(`${analystName(analyst)}.${key}`)).toEqual(reply.release);
    const { releases } = await ledger.status("visits");
    expect(releases).toBe(head.sequence - 1);

    // Charges that no one saw are seen when they are asked for again, and cost nothing more.
    const unseen = asked.filter(({ reply }) => reply.release === undefined);
    let isNew = 0;
    for (const { key, analyst } of unseen) {
      const stored = await ledger.find(`${analystName(analyst)}.${key}`);
      const reply = await services[0].release("visits", made.keys[analyst], key, ask);
      expect(reply.status).toBe(stored === undefined ? 201 : 200);
      if (stored === undefined) isNew++;
      else expect(reply.release).toEqual(stored);
    }
    expect((await ledger.status("visits")).releases).toBe(releases + isNew);
  });

  /** Every session of the services, at once. */
  function terminateSessions(): Promise<unknown> {
    return ledgers.run(
      "postgres",
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'charger'",
    );
  }
});

/** Kills a process of the service and puts a new one in its place as soon as that is ready. */
async function replace(services: ServiceProcess[], at: number, made: Team): Promise<void> {
  await services[at].kill();
  services[at] = await made.start();
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
