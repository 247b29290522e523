/**
 * A backup and a restore, rehearsed: exports while a service charges are whole and prefixes of what the ledger becomes, and a service over
 * one of them starts only if the copy has the newest release that anyone holds.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { readLedgerText } from "../../cli/src/ledger/ledger-text.js";
import { openLedger } from "../../cli/src/ledger/open-ledger.js";
import { winnowHere } from "../../cli/test/support/in-process.js";
import type { Folder } from "../../cli/test/support/winnow.js";
import {
  ask,
  changedConfig,
  type OpenedService,
  openService,
  serviceFolder,
} from "./support/service-folder.js";

const SMALL = { kind: "top", k: 1, epsilon: "1/100" };

async function release(app: OpenedService["app"], key: string) {
  const response = await ask(app, "/v1/datasets/visits/releases", { as: "bob", key, body: SMALL });
  expect(response.status).toBe(201);
  return response.json();
}

it("an export while serving is whole; restored, it serves only if no charge that anyone knows is missing", async () => {
  const folder = await serviceFolder({ "limits/concurrent": 8 });
  onTestFinished(folder.remove);
  const place: Folder = { path: folder.path } as Folder;
  const winnow = (...given: string[]) => winnowHere(place, given);
  const { service, app } = await openService(folder);

  const charging = Promise.all(Array.from({ length: 24 }, (_, at) => release(app, `r${at}`)));
  const backups: string[] = [];
  for (let at = 0; at < 4; at++) {
    const file = `backup-${at}.jsonl`;
    expect((await winnow("budget", "export", "--ledger", "team.ledger", "--output", file)).exit).toBe(0);
    backups.push(file);
  }
  const releases = await charging;
  expect((await winnow("budget", "export", "--ledger", "team.ledger", "--output", "last.jsonl")).exit).toBe(
    0,
  );
  const late = await release(app, "late");
  await service.close();
  expect(releases).toHaveLength(24);

  // Every backup is the beginning of the whole.
  const linesOf = (file: string) => readFileSync(join(folder.path, file), "utf8").split("\n").slice(1, -1);
  const whole = linesOf("last.jsonl");
  expect(whole.length).toBe(3 + 24);
  for (const file of backups) {
    const lines = linesOf(file);
    expect(lines).toEqual(whole.slice(0, lines.length));
  }

  // The machine is lost; the last backup is put back under another name.
  const newest = releases.reduce((a, b) => (a.ledger.sequence > b.ledger.sequence ? a : b));
  writeFileSync(join(folder.path, "newest.json"), JSON.stringify(newest));
  writeFileSync(join(folder.path, "late.json"), JSON.stringify(late));
  expect((await winnow("budget", "import", "last.jsonl", "--ledger", "restored.ledger")).exit).toBe(0);
  const config = changedConfig({ ledger: "restored.ledger", tick: 60_000 });
  writeFileSync(join(folder.path, "service.json"), JSON.stringify(config));
  const fine = await winnow("serve", "service.json", "--check", "--against", "newest.json");
  expect([fine.exit, fine.stderr, fine.stdout]).toEqual([
    0,
    "",
    "The configuration, the ledger and the sources are fine.\n",
  ]);
  for (const options of [["--check"], []]) {
    const refused = await winnow(
      "serve",
      "service.json",
      ...options,
      "--against",
      "newest.json",
      "late.json",
    );
    expect(refused.exit).toBe(4);
    expect(refused.stderr).toContain("rolled back");
  }
  const copy = await openLedger(join(folder.path, "restored.ledger"));
  onTestFinished(() => copy.close());
  expect((await copy.account("visits")).spent).toMatchObject({ measure: "pure" });
  expect(await copy.find(newest.id)).toEqual(newest);
  expect(await copy.find(late.id)).toBeUndefined();

  // A newer backup is taken over by the older copy, entry by entry; an older one changes nothing.
  const first = await openLedger(join(folder.path, "first.ledger"), { create: true });
  onTestFinished(() => first.close());
  const text = async (file: string) => readLedgerText(join(folder.path, file));
  const early = (await text(backups[0]!)).head.sequence;
  expect(await first.takeOver(await text(backups[0]!))).toBe(early);
  expect(await first.takeOver(await text("last.jsonl"))).toBe(whole.length - early);
  await expect(first.takeOver(await text(backups[0]!))).rejects.toThrow();
});
