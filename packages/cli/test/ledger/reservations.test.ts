import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { rational } from "winnow-dp";
import { amount } from "../../../core/test/support/amount.js";
import { openLedger } from "../../src/ledger/open-ledger.js";
import { spread } from "../support/spread.js";
import { type Printed, Recorder } from "./support/recorder.js";
import { temporaryFolder } from "./support/temporary-folder.js";

const LIMIT = { measure: "zcdp", rho: "2", delta: "1e-2" } as const;
const rhoOf = (loss: object) => rational(String((loss as { readonly rho?: unknown }).rho)).toNumber();
const sizeOf = (rho: string | undefined) => rational(rho ?? "0").toNumber();

async function newLedger() {
  const path = join(temporaryFolder(), "l");
  const ledger = await openLedger(path, { create: true });
  await ledger.setBudget("visits", LIMIT);
  return { path, ledger };
}

const PROCESSES = amount(20, 50);

it(`${PROCESSES} processes that race for a budget in rounds never charge and reserve more than it`, async () => {
  const { path, ledger } = await newLedger();
  const recorders = Array.from({ length: PROCESSES }, () => new Recorder(path));
  await Promise.all(recorders.map(({ ready }) => ready));
  const named = (process: number, order: number) => (process * 3 + order * 5) % 11;
  for (const [process, recorder] of recorders.entries())
    recorder.order(
      ...[0, 1, 2].map((order) => ({ id: `${process}-${order}`, names: named(process, order) })),
    );
  const seen: number[] = [];
  const watch = setInterval(() => ledger.account("visits").then(({ spent }) => seen.push(rhoOf(spent))), 50);
  const printed = (await Promise.all(recorders.map((recorder) => recorder.finish()))).flat();
  clearInterval(watch);

  const answers = printed.filter(({ settled }) => settled !== undefined);
  const refusals = printed.filter(({ refused }) => refused !== undefined);
  expect(answers.length + refusals.length).toBe(3 * PROCESSES);
  expect(new Set(refusals.map(({ refused }) => refused))).toEqual(new Set(["over-budget"]));
  for (const { id = "", settled } of answers) {
    const [process, order] = id.split("-").map(Number);
    expect(sizeOf(settled)).toBeCloseTo(Math.min(named(process!, order!) + 1, 10) / 100, 8);
  }
  const { spent, reservations } = await ledger.account("visits");
  expect(reservations).toBe(0);
  expect(rhoOf(spent)).toBeCloseTo(
    answers.reduce((sum, { settled }) => sum + sizeOf(settled), 0),
    8,
  );
  expect(Math.max(...seen, rhoOf(spent))).toBeLessThanOrEqual(2);
  expect((await ledger.verify()).findings).toEqual([]);
  ledger.close();
});

const KILLS = amount(12, 24);
const LANES = 4;

it(`${KILLS} runs killed around a reservation: what was never settled counts in full, and says so`, async () => {
  const { path, ledger } = await newLedger();
  const printed: Printed[] = [];
  let kills = 0;
  const killedRun = async (run: number) => {
    const recorder = new Recorder(path);
    recorder.order({ id: `run ${run}`, names: run % 11 });
    await recorder[run % 4 === 0 ? "ready" : "answered"];
    await sleep(spread(run) * 12);
    recorder.process.kill("SIGKILL");
    await recorder.ended;
    printed.push(...recorder.printed);
  };
  const lane = async () => {
    while (kills < KILLS) await killedRun(kills++);
  };
  await Promise.all(Array.from({ length: LANES }, lane));

  expect((await ledger.verify()).findings).toEqual([]);
  let [expected, open] = [0, 0];
  for (let run = 0; run < KILLS; run++) {
    const id = `run ${run}`;
    const [release, reservation] = [await ledger.find(id), await ledger.reservation(id)];
    const lines = printed.filter((line) => line.id === id && line.refused === undefined);
    if (lines.some(({ settled }) => settled !== undefined)) expect(release).toBeDefined();
    if (lines.length > 0) expect(reservation).toBeDefined();
    if (reservation === undefined) continue;
    if (release === undefined) open++;
    expected += release === undefined ? 0.1 : Math.min((run % 11) + 1, 10) / 100;
  }
  const { spent, reservations } = await ledger.account("visits");
  expect(reservations).toBe(open);
  expect(rhoOf(spent)).toBeCloseTo(expected, 8);
  expect(rhoOf(spent)).toBeLessThanOrEqual(2);
  ledger.close();
});

it("an id that was reserved is taken, and its reservation is not settled twice or by another question", async () => {
  const { path, ledger } = await newLedger();
  const recorder = new Recorder(path);
  recorder.order({ id: "one", names: 2 }, { id: "one", names: 2 }, { id: "one", epsilon: "1/10" });
  const [reserved, answer, again, other] = await recorder.finish();
  expect(reserved?.reserved).toBe(true);
  expect(sizeOf(answer?.settled)).toBeCloseTo(0.03, 8);
  expect(again?.refused).toBe("release-id-taken");
  expect(other?.refused).toBe("release-id-taken");
  ledger.close();
});
