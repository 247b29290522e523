import { readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { amount } from "../../../core/test/support/amount.js";
import { openLedger } from "../../src/ledger/open-ledger.js";
import { spread } from "../support/spread.js";
import { type Printed, Recorder } from "./support/recorder.js";
import { temporaryFolder } from "./support/temporary-folder.js";

const RUNS = amount(24, 200);
/** Several at a time: a killed run must not harm the others either. */
const LANES = 4;
const ORDERS = 20;
/** While it starts, when its ledger is open, or when it has printed something: then at most so many milliseconds later. */
const MOMENTS = [
  ["start", 400],
  ["ready", 40],
  ["ready", 10],
  ["answered", 10],
] as const;

async function killedRun(path: string, run: number): Promise<readonly Printed[]> {
  const recorder = new Recorder(path);
  recorder.order(
    ...Array.from({ length: ORDERS }, (_, order) => ({ id: `${run}-${order}`, epsilon: "1/1000" })),
  );
  const [moment, latest] = MOMENTS[run % MOMENTS.length];
  if (moment !== "start") await recorder[moment];
  await sleep(spread(run) * latest);
  recorder.process.kill("SIGKILL");
  await recorder.ended;
  return recorder.printed;
}

it(`${RUNS} runs killed at moments of all kinds print nothing that is not charged, and lose and break nothing`, async () => {
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
  const { releases } = await ledger.account("visits");
  expect(releases).toBe(head.sequence);
  ledger.close();

  expect(printed.length).toBeGreaterThanOrEqual(RUNS / MOMENTS.length);
  expect(printed.length).toBeLessThan(RUNS * ORDERS);
  expect(
    readdirSync(folder).filter((name) => !/^l(-wal|-shm)?$|^l\.[\da-f-]{36}\.new(-\w+)?$/.test(name)),
  ).toEqual([]);
});
