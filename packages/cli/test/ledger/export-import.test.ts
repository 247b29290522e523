import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { chain, EMPTY_CHAIN } from "winnow-release";
import { openLedger, readLedgerText } from "../../src/ledger/open-ledger.js";
import { temporaryFolder } from "./support/examples.js";

const release = (id: string) => ({
  id,
  dataset: "visits",
  time: "2026-01-02T03:04:05.678Z",
  software: { name: "test", version: "0" },
  question: { k: 1 },
  loss: { measure: "pure", epsilon: "1/3" } as const,
});

async function ledgerWith(path: string, ids: readonly string[]) {
  const ledger = await openLedger(path, { create: true });
  await ledger.setBudget("visits", { measure: "pure", epsilon: "2" });
  for (const id of ids) await ledger.record("visits", release(id));
  return ledger;
}

it("goes out as text and comes back entry by entry, in either store the same", async () => {
  const folder = temporaryFolder();
  const ledger = await ledgerWith(join(folder, "a"), ["one", "two"]);
  const file = join(folder, "a.jsonl");
  writeFileSync(file, (await ledger.exported()).join(""));
  expect(readFileSync(file, "utf8").split("\n")).toHaveLength(5);

  const copy = await openLedger(join(folder, "b"), { create: true });
  expect(await copy.takeOver(await readLedgerText(file))).toBe(3);
  expect(await copy.takeOver(await readLedgerText(file))).toBe(0);
  expect(await copy.exported()).toEqual(await ledger.exported());
  expect(await copy.verify()).toMatchObject({ findings: [] });
  expect(await copy.find("two")).toEqual(await ledger.find("two"));
  const looked = await openLedger(file, { readOnly: true });
  expect(await looked.status("visits")).toMatchObject({ releases: 2 });
  expect(await looked.verify([(await ledger.find("two"))!])).toMatchObject({ findings: [] });

  // The original goes on: its file extends the copy, and not the other way round.
  await ledger.record("visits", release("three"));
  const older = await readLedgerText(file);
  await expect(ledger.takeOver(older)).rejects.toMatchObject({ code: "other-ledger" });
  writeFileSync(file, (await ledger.exported()).join(""));
  expect(await copy.takeOver(await readLedgerText(file))).toBe(1);
  for (const one of [ledger, copy, looked]) one.close();
});

it("refuses another ledger, a file that was cut off or changed, and what is no ledger", async () => {
  const folder = temporaryFolder();
  const [a, b] = [
    await ledgerWith(join(folder, "a"), ["one"]),
    await ledgerWith(join(folder, "b"), ["other"]),
  ];
  const lines = await a.exported();
  const written = (text: string) => {
    const path = join(folder, "file.jsonl");
    writeFileSync(path, text);
    return path;
  };
  await expect(b.takeOver(await readLedgerText(written(lines.join(""))))).rejects.toMatchObject({
    code: "other-ledger",
  });
  for (const text of [
    lines.slice(0, -1).join(""),
    lines.join("").replace('"1/3"', '"1/9"'),
    [lines[0], lines[2], lines[1]].join(""),
    "",
    "{}\n",
    "hello\n",
  ])
    await expect(readLedgerText(written(text))).rejects.toMatchObject({ code: "ledger-broken" });
  await expect(readLedgerText(join(folder, "none"))).rejects.toMatchObject({ code: "missing-source" });
  expect((await b.verify()).findings).toEqual([]);
  for (const one of [a, b]) one.close();
});

it("refuses a file whose charges do not fit its budget", async () => {
  const folder = temporaryFolder();
  const copy = await openLedger(join(folder, "b"), { create: true });
  const row = await chain(
    {
      kind: "budget",
      dataset: "visits",
      time: "2026-01-01T00:00:00.000Z",
      software: { name: "test", version: "0" },
      budget: { measure: "pure", epsilon: "1/3" },
    },
    EMPTY_CHAIN,
  );
  const rows = [row];
  for (const id of ["one", "two"])
    rows.push(await chain({ kind: "release", release: release(id) }, rows.at(-1)!));
  await expect(copy.takeOver(rows)).rejects.toMatchObject({ code: "ledger-broken" });
  expect(await copy.entries()).toEqual([]);
  copy.close();
});
