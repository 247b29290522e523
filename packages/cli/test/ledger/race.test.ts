import { join } from "node:path";
import { expect, it } from "vitest";
import { amount } from "../../../core/test/support/amount.js";
import { openLedger } from "../../src/ledger/open-ledger.js";
import { type Order, type Printed, Recorder } from "./support/recorder.js";
import { temporaryFolder } from "./support/temporary-folder.js";

/** So many processes open the ledger, wait for each other, and record at once. */
async function race(path: string, processes: number, order: (process: number) => Order): Promise<Printed[]> {
  const recorders = Array.from({ length: processes }, () => new Recorder(path));
  await Promise.all(recorders.map(({ ready }) => ready));
  for (const [process, recorder] of recorders.entries()) recorder.order(order(process));
  const printed = await Promise.all(recorders.map((recorder) => recorder.finish()));
  return printed.flat();
}

const PROCESSES = amount(30, 50);

it(`${PROCESSES} processes that race for a budget of twenty charges make exactly twenty`, async () => {
  const path = join(temporaryFolder(), "l");
  const ledger = await openLedger(path, { create: true });
  await ledger.setBudget("visits", { measure: "pure", epsilon: "20/3" });
  const printed = await race(path, PROCESSES, (process) => ({ id: `r${process}`, epsilon: "1/3" }));
  expect(printed).toHaveLength(PROCESSES);
  const released = printed.filter(({ refused }) => refused === undefined);
  expect(released).toHaveLength(20);
  expect(new Set(released.map(({ sequence }) => sequence)).size).toBe(20);
  expect(new Set(printed.map(({ refused }) => refused))).toEqual(new Set([undefined, "over-budget"]));
  for (const { id = "", sequence, head } of released)
    expect((await ledger.find(id))?.ledger).toEqual({ sequence, head });
  expect(await ledger.verify()).toMatchObject({ findings: [], head: { sequence: 21 } });
  ledger.close();
});

it("ten processes that make the ledger at once, under one release id, make one ledger and give one answer", async () => {
  const path = join(temporaryFolder(), "l");
  const printed = await race(path, 10, () => ({ id: "the one" }));
  expect(printed).toHaveLength(10);
  expect(new Set(printed.map((line) => JSON.stringify(line))).size).toBe(1);
  expect(printed[0]).toMatchObject({ id: "the one", sequence: 1 });
  const ledger = await openLedger(path);
  expect((await ledger.account("visits")).releases).toBe(1);
  ledger.close();
});
