import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { statSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import type { Release, ReleaseEntry } from "winnow-release";
import { amount } from "../../../core/test/support/amount.js";
import { all } from "../../../release/test/ledger/laws/place.js";
import { openLedger } from "../../src/ledger/open-ledger.js";
import { spread } from "../support/spread.js";
import { AREAS, VISITS } from "../support/visits.js";
import { ended, type Folder, folder } from "../support/winnow.js";

const RUNS = amount(8, 40);
const TOP = "top visits.csv --item area --user user -k 2 --epsilon 1/100 --domain areas.txt --json".split(
  " ",
);

const MOMENTS = {
  reading: (_child: ChildProcess, _here: Folder, run: number) => sleep(spread(run) * 500),
  /** The first bytes of the charge are in the write-ahead log. */
  charging: async (child: ChildProcess, here: Folder, run: number) => {
    const written = () => statSync(here.file("winnow.ledger-wal"), { throwIfNoEntry: false })?.size ?? 0;
    while (written() === 0 && child.exitCode === null) await sleep(1);
    await sleep(spread(run) * 10);
  },
  printing: (child: ChildProcess) => Promise.race([once(child.stdout!, "data"), once(child, "close")]),
};

/** `winnow top`, killed at such a moment; what it has printed. */
async function killedTop(here: Folder, run: number, moment: keyof typeof MOMENTS): Promise<string> {
  const child = here.start([...TOP, "--release-id", `run ${run}`]);
  const end = ended(child);
  await MOMENTS[moment](child, here, run);
  child.kill("SIGKILL");
  return (await end).stdout;
}

it(`${RUNS} runs of winnow top killed around their charge print nothing that is not charged`, async () => {
  const here = folder({ "visits.csv": VISITS, "areas.txt": AREAS });
  const printed: string[] = [];
  for (let run = 0; run < RUNS; run++) {
    const moment = (["reading", "charging", "charging", "printing"] as const)[run % 4];
    printed.push(await killedTop(here, run, moment));
    // Whatever the killed run left in the write-ahead log is taken over, so that the next charge can be seen coming.
    (await openLedger(here.file("winnow.ledger"), { create: true })).close();
  }

  const ledger = await openLedger(here.file("winnow.ledger"));
  expect((await ledger.verify()).findings).toEqual([]);
  const published = printed.filter((text) => text !== "").map((text) => JSON.parse(text) as Release);
  expect(published).toEqual(await Promise.all(published.map(({ id }) => ledger.find(id))));
  const charged = (await all(ledger.entries())).map((entry) => (entry as ReleaseEntry).release);
  expect(charged.length).toBeGreaterThanOrEqual(RUNS / 4);

  // What was charged and not printed can be printed again, and costs nothing.
  const silent = charged.filter(({ id }) => !published.some((release) => release.id === id)).slice(0, 3);
  for (const release of silent) {
    const again = await here.winnow([...TOP, "--release-id", release.id]);
    expect(JSON.parse(again.stdout)).toMatchObject(release);
  }
  expect((await ledger.account("visits.csv")).releases).toBe(charged.length);
  ledger.close();
});
