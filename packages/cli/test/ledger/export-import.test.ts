import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { all } from "../../../release/test/ledger/laws/place.js";
import { readLedgerText } from "../../src/ledger/ledger-text.js";
import { openLedger } from "../../src/ledger/open-ledger.js";
import { temporaryFolder } from "./support/temporary-folder.js";

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

it("refuses another ledger, a file that was cut off or changed, and what is no ledger", async () => {
  const folder = temporaryFolder();
  const [a, b] = [
    await ledgerWith(join(folder, "a"), ["one"]),
    await ledgerWith(join(folder, "b"), ["other"]),
  ];
  const lines = await all(a.exported());
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

it("reads a pipe, which can be read once only", async () => {
  const folder = temporaryFolder();
  const [a, b] = [await ledgerWith(join(folder, "a"), ["one", "two"]), join(folder, "b")];
  const pipe = join(folder, "pipe");
  execFileSync("mkfifo", [pipe]);
  const writing = writeFile(pipe, (await all(a.exported())).join(""));
  const text = await readLedgerText(pipe);
  await writing;
  const copy = await openLedger(b, { create: true });
  expect(await copy.takeOver(text)).toBe(3);
  expect(await all(copy.exported())).toEqual(await all(a.exported()));
  for (const one of [a, copy]) await one.close();
});
