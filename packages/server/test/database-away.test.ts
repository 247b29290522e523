/**
 * A service whose database is away in every way that we can provoke: what an analyst sees, what is charged, and that it works again
 * by itself. The faults are the rows of the table in docs/guide/running-faults.md.
 */
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { openLedger } from "../../cli/src/ledger/open-ledger.js";
import { describeOnPooledPostgres } from "../../cli/test/servers/support/installed.js";
import { LedgerServer } from "../../cli/test/servers/support/postgres-ledgers.js";
import { type RunningService, startService } from "../src/listen.js";
import { DATABASE_FAULTS, type DatabaseFault } from "./support/database-faults.js";
import { DatabaseProxy } from "./support/database-proxy.js";
import { findFaults, type Request } from "./support/find-faults.js";
import { BUDGETS, countedInMemory, KEYS, serviceFolder } from "./support/service-folder.js";
import { formFor, type Reply, Team, TOP } from "./support/team.js";

const EPSILON = "1/1000";
const AT_ONCE = 8;
const AFTERWARDS = 12;

it("the guide's table has these faults", () => {
  const guide = readFileSync(new URL("../../../docs/guide/running-faults.md", import.meta.url), "utf8");
  const rows = guide.split("\n").filter((line) => line.startsWith("| ") && line.split(" | ").length === 3);
  for (const { title, sees, charged } of DATABASE_FAULTS)
    expect(rows).toContain(`| ${title} | ${sees} | ${charged} |`);
});

describeOnPooledPostgres("a service whose database is away", () => {
  let ledgers: LedgerServer;
  let proxy: DatabaseProxy;
  beforeAll(async () => {
    ledgers = await LedgerServer.start();
    proxy = await DatabaseProxy.start(ledgers.server.port);
  });
  afterAll(async () => {
    proxy?.stop();
    await ledgers?.stop();
  });

  it.each(DATABASE_FAULTS.map((fault) => [fault.title, fault] as const))("%s", async (_, fault) => {
    const { seen, ready, after, whole, reconnects } = await run(fault, ledgers, proxy);
    expect(seen.filter((outcome) => !fault.outcomes.includes(outcome))).toEqual([]);
    expect(seen.includes("201")).toBe(!fault.refusesAll);
    expect(ready).toEqual(
      fault.refusesAll
        ? [503, { status: "failing", reason: "The ledger doesn't answer, or can't be used." }]
        : [200, { status: "ok" }],
    );
    expect(after).toEqual(fault.recovers ? [] : expect.arrayContaining(["503 ledger-unavailable"]));
    expect(whole).toEqual({ faults: [], unseen: [] });
    if (fault.recovers && !fault.keepsConnection) expect(reconnects).toBeGreaterThan(0);
  });

  it("ends on SIGTERM while its database is frozen, with a release on its way", async () => {
    const location = await ledgers.fresh();
    const owner = await openLedger(location);
    await owner.setBudget("visits", BUDGETS.visits);
    await owner.close();
    await ledgers.run("postgres", `CREATE TABLE visits AS SELECT 'p' AS "user", 'mail' AS area`);
    const ledger = ledgers.asCharger(location);
    const source = ledgers.at("postgres");
    const team = new Team({
      ledger,
      source,
      analysts: 1,
      budgets: { visits: "20" },
      tick: 5,
      maxAge: 86_400,
    });
    onTestFinished(() => team.stop());
    const service = await team.start();
    const thaw = ledgers.server.freeze();
    const reply = service.release("visits", team.keys[0], "late", TOP("1"));
    const exit = await service.terminate();
    thaw();
    expect(exit).toBe(0);
    expect((await reply).release).toBeUndefined();
    expect(service.log).toContain('"event":"stopping"');
  });
});

async function run(fault: DatabaseFault, ledgers: LedgerServer, proxy: DatabaseProxy) {
  const location = await ledgers.fresh();
  const owner = await openLedger(location);
  for (const [dataset, budget] of Object.entries(BUDGETS)) await owner.setBudget(dataset, budget);
  const undo = await fault.prepare?.({ ledgers, proxy, location });
  const folder = await serviceFolder({
    ledger: proxy.through(ledgers.asCharger(location)),
    listen: { port: 0 },
    "limits/concurrent": AT_ONCE,
    "limits/time": 30,
    tick: 5,
  });
  const host = { ...folder.host, openRows: countedInMemory(folder) };
  const service = await startService(folder.config, host);
  await service.ready;
  const requests: Request[] = [];
  const ask = async (key: string): Promise<string> => {
    const reply = await release(service, key);
    requests.push({ id: `bob.${key}`, reply });
    return outcomeOf(reply);
  };
  const charge = async (key = "first") => expect(await ask(key)).toBe("201");
  const lost = fault.recovers ? undefined : "lost";
  await charge();
  const { end, cleanUp } = await fault.provoke({
    ledgers,
    proxy,
    location,
    charge: () => charge(lost ?? "second"),
  });
  const keys = Array.from({ length: AT_ONCE + AFTERWARDS }, (_, at) => `k${at}`);
  const seen = await Promise.all(keys.slice(0, AT_ONCE).map(ask));
  // One after the other: none of them waits for the database once the service knows that it is away.
  for (const key of keys.slice(AT_ONCE)) seen.push(await ask(key));
  const probe = await fetch(`${service.address}ready`);
  const ready = [probe.status, await probe.json()];
  await end();
  if (fault.recovers) while ((await fetch(`${service.address}ready`)).status !== 200) await sleep(20);
  const again = await Promise.all(keys.map(ask));
  const metrics = await (await fetch(`${service.operatorAddress}metrics`)).text();
  const reconnects = Number(/^winnow_ledger_reconnects_total (\d+)$/m.exec(metrics)?.[1]);
  await service.close();
  await owner.close();
  const ledger = await openLedger(fault.prepare ? location : proxy.through(location));
  // What a standby didn't have is gone with the primary, and no one was promised more; what is there must be whole.
  const kept = lost === undefined ? requests : requests.filter(({ id }) => id !== `bob.${lost}`);
  const whole = await findFaults(ledger, { visits: "20" }, kept);
  await ledger.close();
  await cleanUp?.();
  await undo?.();
  folder.remove();
  return { seen, ready, after: again.filter((outcome) => !/^20[01]$/.test(outcome)), whole, reconnects };
}

async function release({ address }: RunningService, key: string): Promise<Reply> {
  const response = await fetch(`${address}v1/datasets/visits/releases`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${KEYS.bob.key}`,
      "content-type": "application/json",
      "idempotency-key": key,
    },
    body: JSON.stringify(formFor(key, EPSILON)),
  });
  const body = await response.json();
  const { status, ok } = response;
  return { status, code: ok ? undefined : body.code, release: ok ? body : undefined };
}

function outcomeOf({ status, code }: Reply): string {
  return code === undefined ? String(status) : `${status} ${code}`;
}
