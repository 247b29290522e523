import { randomInt } from "node:crypto";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { openLedger } from "../../src/ledger/open-ledger.js";
import { temporaryFolder } from "./support/examples.js";
import { type Printed, Recorder } from "./support/recorder.js";

const RUNS = 200;
/** Several at a time: a killed run must not harm the others either. */
const LANES = 4;
const ORDERS = 20;
/** In milliseconds: after the start of the process, or after its ledger is open. */
const LATEST = { start: 400, ready: 40 };

/** A run that is killed at a random moment: while it starts, or between its orders or within one. */
async function killedRun(path: string, run: number): Promise<readonly Printed[]> {
  const recorder = new Recorder(path);
  recorder.order(
    ...Array.from({ length: ORDERS }, (_, order) => ({ id: `${run}-${order}`, epsilon: "1/1000" })),
  );
  const moment = run % 4 === 0 ? "start" : "ready";
  if (moment === "ready") await recorder.ready;
  await sleep(randomInt(LATEST[moment]));
  recorder.process.kill("SIGKILL");
  await recorder.ended;
  return recorder.printed;
}

it(`${RUNS} runs killed at random moments print nothing that is not charged, and lose and break nothing`, async () => {
  const folder = temporaryFolder();
  const path = join(folder, "l");
  const printed: Printed[] = [];
  let kills = 0;
  const lane = async () => {
    while (kills < RUNS) printed.push(...(await killedRun(path, kills++)));
  };
  await Promise.all(Array.from({ length: LANES }, lane));

  const ledger = await openLedger(path);
  const { findings, head } = await ledger.verify();
  expect(findings).toEqual([]);
  expect(printed.filter(({ refused }) => refused !== undefined)).toEqual([]);
  for (const { id = "", winners, sequence, head: hash } of printed)
    expect(await ledger.find(id)).toMatchObject({ answer: { winners }, ledger: { sequence, head: hash } });
  const { releases } = await ledger.status("visits");
  expect(releases).toBe(head.sequence);
  ledger.close();

  // The moments were such that some runs were killed early, and some between the charge and the print.
  expect(printed.length).toBeGreaterThan(RUNS / 4);
  expect(printed.length).toBeLessThan(RUNS * ORDERS);
  expect(
    readdirSync(folder).filter((name) => !/^l(-wal|-shm)?$|^l\.[\da-f-]{36}\.new(-\w+)?$/.test(name)),
  ).toEqual([]);
});
