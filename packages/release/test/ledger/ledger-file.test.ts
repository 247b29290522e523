import { describe, expect, it } from "vitest";
import {
  type ChainRow,
  chain,
  compareChains,
  EMPTY_CHAIN,
  ledgerFileLines,
  type PublishedRelease,
  readLedgerFile,
} from "../../src/index.js";
import { verifyChain } from "../../src/ledger/hash-chain.js";
import { release } from "../support/releases.js";

const budget = (dataset: string) =>
  ({
    kind: "budget",
    dataset,
    time: "2026-01-31T12:00:00.000Z",
    software: { name: "test", version: "1" },
    budget: { measure: "approx", epsilon: "9", delta: "1/1000" },
  }) as const;

async function rowsOf(...datasets: readonly string[]): Promise<ChainRow[]> {
  const rows: ChainRow[] = [];
  for (const dataset of datasets) rows.push(await chain(budget(dataset), rows.at(-1) ?? EMPTY_CHAIN));
  return rows;
}

const textOf = (rows: readonly ChainRow[]) => [...ledgerFileLines(rows.at(-1) ?? EMPTY_CHAIN, rows)].join("");
const read = (text: string) => readLedgerFile(text.split("\n"));

describe("a ledger as a file", () => {
  it("reads back as the rows that were written, and an empty one as none", async () => {
    const rows = await rowsOf("visits", "line\nbreak \ud800", "shop");
    expect(await read(textOf(rows))).toEqual(rows);
    expect(textOf(rows).trim().split("\n")).toHaveLength(4);
    expect(await read(textOf([]))).toEqual([]);
  });

  it("is noticed where it was cut off, changed, reordered, or is another file", async () => {
    const text = textOf(await rowsOf("visits", "shop", "films"));
    const [head, first, second, third] = text.trim().split("\n");
    const broken = [
      [head, first, second],
      [head, first, third],
      [head, second, first, third],
      [head, first, second?.replace("shop", "shoq"), third],
      [first, second, third],
      ["user,item", "u1,a"],
      ["null"],
      [""],
    ];
    for (const lines of broken)
      await expect(read(lines.join("\n"))).rejects.toMatchObject({ code: "ledger-broken" });
  });

  it("verifies against a release that was published from it", async () => {
    const document = release("gaps");
    const rows = await rowsOf(document.dataset);
    const row = await chain({ kind: "release", release: document }, rows[0]);
    const published: PublishedRelease = { ...document, ledger: { sequence: 2, head: row.hash } };
    const back = await read(textOf([...rows, row]));
    expect((await verifyChain(back, { against: [published] })).findings).toEqual([]);
    const cut = await verifyChain(back.slice(0, 1), { against: [published] });
    expect(cut.findings).toMatchObject([{ kind: "rolled-back" }]);
  });

  it("relates to another ledger as equal, longer, older or another", async () => {
    const [rows, other] = [await rowsOf("a", "b", "c"), await rowsOf("x", "b", "c")];
    const relation = (file: readonly ChainRow[], known: readonly ChainRow[]) =>
      compareChains(file, known.at(-1) ?? EMPTY_CHAIN, (sequence) => known[sequence - 1]?.hash);
    expect(relation(rows, rows)).toBe("same");
    expect(relation(rows, rows.slice(0, 2))).toBe("ahead");
    expect(relation(rows, [])).toBe("ahead");
    expect(relation(rows.slice(0, 2), rows)).toBe("behind");
    expect(relation([], rows)).toBe("behind");
    expect(relation(rows, other)).toBe("other");
    expect(relation(rows.slice(0, 1), other)).toBe("other");
  });
});
