/**
 * A service over a ledger in a file, killed again and again while many analysts wait for releases that share commits: whatever a commit
 * was doing, nothing is answered that isn't charged, nothing is charged twice, and the chain is whole. On PostgreSQL race.test.ts does
 * the same.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { openLedger } from "../../cli/src/ledger/open-ledger.js";
import { spread } from "../../cli/test/support/spread.js";
import { FAR_APART, visitsOf } from "../../cli/test/support/visits.js";
import { amount } from "../../core/test/support/amount.js";
import { findFaults, type Request } from "./support/find-faults.js";
import { analystName, formFor, Team } from "./support/team.js";

const KILLS = amount(2, 60);
const ANALYSTS = 64;
const BUDGETS = { visits: "1000" };
const PRICE = "1/1000";

it(`a service with ${ANALYSTS} analysts is killed ${KILLS} times: nothing answered without a charge, chain whole`, {
  timeout: 120_000 + 20_000 * KILLS,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), "winnow-killed-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [location, source] = [join(folder, "team.ledger"), join(folder, "visits.csv")];
  writeFileSync(source, visitsOf(FAR_APART));
  const owner = await openLedger(location, { create: true });
  await owner.setBudget("visits", { measure: "pure", epsilon: BUDGETS.visits });
  await owner.close();
  const known = { ledger: location, source, analysts: ANALYSTS, budgets: BUDGETS };
  const team = new Team({ ...known, tick: 20, maxAge: 86_400 });
  onTestFinished(() => team.stop());

  let service = await team.start();
  const requests: Request[] = [];
  const outcomes = new Set<string>();
  let answered = 0;
  let isOver = false;
  const release = async (analyst: number, key: string) => {
    const reply = await service.release("visits", team.keys[analyst]!, key, formFor(key, PRICE));
    requests.push({ id: `${analystName(analyst)}.${key}`, reply });
    outcomes.add(reply.code === undefined ? String(reply.status) : `${reply.status} ${reply.code}`);
    if (reply.release !== undefined) answered++;
    else await sleep(20);
    return reply;
  };
  const client = async (analyst: number) => {
    // The same key until it is answered, as a program does.
    for (let turn = 0; !isOver; turn++) while (!isOver && !(await release(analyst, `r${turn}`)).release);
  };
  const clients = Array.from({ length: ANALYSTS }, (_, analyst) => client(analyst));
  const moreAnswers = async () => {
    for (const before = answered; answered < before + ANALYSTS; ) await sleep(2);
  };
  for (let kill = 0; kill < KILLS; kill++) {
    await moreAnswers();
    await sleep(spread(kill) * 60);
    await service.kill();
    service = await team.start();
  }
  await moreAnswers();
  isOver = true;
  await Promise.all(clients);

  expect([...outcomes].filter((outcome) => !["200", "201", "0"].includes(outcome))).toEqual([]);
  const reader = await openLedger(location, { readOnly: true });
  const { faults, unseen } = await findFaults(reader, BUDGETS, requests);
  expect(faults).toEqual([]);
  expect(outcomes).toContain("0"); // connections broke
  for (const id of unseen) {
    const [, analyst = "", key = ""] = /^analyst-(\d+)\.(.+)$/.exec(id) ?? [];
    await release(Number(analyst), key);
  }
  expect(await findFaults(reader, BUDGETS, requests)).toEqual({ faults: [], unseen: [] });
  await reader.close();
});
