import { describe, expect, it } from "vitest";
import { type ChainRow, chain, EMPTY_CHAIN, hashText, type LedgerEntry } from "../../src/index.js";
import { verifyChain } from "../../src/ledger/hash-chain.js";
import { budgetEntry, chained, exampleRelease, releaseEntry } from "./examples.js";

const ROWS = await chained(
  budgetEntry({ measure: "pure", epsilon: "10" }),
  ...["a", "b", "c", "d"].map((id) => releaseEntry(id)),
);
const HEAD = ROWS[4];

const published = (row: ChainRow, id: string) => ({
  ...exampleRelease(id),
  ledger: { sequence: row.sequence, head: row.hash },
});

async function kinds(
  rows: readonly ChainRow[],
  head: ChainRow | typeof EMPTY_CHAIN = HEAD,
): Promise<string[]> {
  const { findings } = await verifyChain(rows, { head });
  return findings.map(({ kind, sequence }) => `${kind} ${sequence}`);
}

describe("verifyChain", () => {
  it("finds nothing in a whole ledger, and tells its head and its entries", async () => {
    const entries: LedgerEntry[] = [];
    const report = await verifyChain(ROWS, { head: HEAD, onEntry: (entry) => entries.push(entry) });
    expect(report).toEqual({ head: { sequence: 5, hash: HEAD.hash }, findings: [] });
    expect(entries.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5]);
    expect(await verifyChain([], { head: EMPTY_CHAIN })).toEqual({ head: EMPTY_CHAIN, findings: [] });
  });

  it("goes on after what is known", async () => {
    expect((await verifyChain(ROWS.slice(3), { after: ROWS[2], head: HEAD })).findings).toEqual([]);
    const { findings } = await verifyChain(ROWS.slice(3), { after: { ...ROWS[2], hash: "0" }, head: HEAD });
    expect(findings).toMatchObject([{ kind: "changed", sequence: 3 }]);
  });

  it("finds a changed character at every place of every row", async () => {
    for (const [place, row] of ROWS.entries()) {
      for (let at = 0; at < row.text.length; at += 13) {
        const text = `${row.text.slice(0, at)}${row.text[at] === "0" ? "1" : "0"}${row.text.slice(at + 1)}`;
        expect(await kinds(ROWS.with(place, { ...row, text }))).toEqual([`changed ${place + 1}`]);
      }
    }
  });

  it("finds a row that was changed together with its hash", async () => {
    for (const [place, row] of ROWS.entries()) {
      const text = row.text.replace('"epsilon":"1', '"epsilon":"2');
      expect(text).not.toBe(row.text);
      const changed = { ...row, text, hash: await hashText(text) };
      expect(await kinds(ROWS.with(place, changed))).toEqual([`changed ${place + 1}`]);
    }
  });

  it("finds every removed row", async () => {
    for (let place = 0; place < 4; place++)
      expect(await kinds(ROWS.toSpliced(place, 1))).toEqual([`missing ${place + 1}`]);
  });

  it("finds every two rows that changed places, whether or not they were numbered again", async () => {
    for (let a = 0; a < 5; a++) {
      for (let b = a + 1; b < 5; b++) {
        const swapped = ROWS.with(a, ROWS[b]).with(b, ROWS[a]);
        expect(await kinds(swapped)).not.toEqual([]);
        const renumbered = swapped.map((row, place) => ({ ...row, sequence: place + 1 }));
        expect(await kinds(renumbered)).toContain(`reordered ${a + 1}`);
        expect(await kinds(renumbered)).toContain(`reordered ${b + 1}`);
      }
    }
  });

  it("finds a row that is there twice", async () => {
    expect(await kinds(ROWS.toSpliced(2, 0, ROWS[1]))).not.toEqual([]);
  });

  it("finds a ledger cut off at any place by its head", async () => {
    for (let rows = 0; rows < 5; rows++) expect(await kinds(ROWS.slice(0, rows))).toEqual(["truncated 5"]);
  });

  it("finds a head that is not the last entry", async () => {
    expect(await kinds(ROWS, ROWS[3])).toEqual(["changed 4"]);
    expect(await kinds(ROWS, { ...HEAD, hash: ROWS[3].hash })).toEqual(["changed 5"]);
  });

  it("does not find, by itself, an older copy: it is a whole ledger", async () => {
    expect(await kinds(ROWS.slice(0, 3), ROWS[2])).toEqual([]);
  });

  it("finds an older copy by a release that was published after it", async () => {
    const { findings } = await verifyChain(ROWS.slice(0, 3), {
      head: ROWS[2],
      against: [published(ROWS[3], "c")],
    });
    expect(findings).toMatchObject([{ kind: "rolled-back", sequence: 4 }]);
    expect(findings[0].sentence).toBe(
      'Release "c" was recorded as entry 4, but the ledger ends at entry 3: it was rolled back to an older copy, or is another one.',
    );
  });

  it("finds an older copy that went on with other releases", async () => {
    const other = await chain(releaseEntry("x"), ROWS[2]);
    const later = await chain(releaseEntry("y"), other);
    const { findings } = await verifyChain([...ROWS.slice(0, 3), other, later], {
      head: later,
      against: [published(ROWS[3], "c"), published(ROWS[1], "a")],
    });
    expect(findings).toMatchObject([{ kind: "rolled-back", sequence: 4 }]);
  });

  it("finds a published release that was altered, and accepts one that was not", async () => {
    const whole = { head: HEAD, against: [published(ROWS[1], "a"), published(ROWS[4], "d")] };
    expect((await verifyChain(ROWS, whole)).findings).toEqual([]);
    for (const altered of [
      { ...published(ROWS[1], "a"), loss: { measure: "pure", epsilon: "1/2" } as const },
      { ...published(ROWS[1], "a"), notes: [] },
      published(ROWS[0], "a"),
    ]) {
      const { findings } = await verifyChain(ROWS, { head: HEAD, against: [altered] });
      expect(findings).toMatchObject([{ kind: "altered-release" }]);
    }
  });

  it.each([0, -1, 1.5, 6, Number.NaN])(
    "finds a release at a place that no ledger has: %d",
    async (sequence) => {
      const against = [{ ...published(ROWS[1], "a"), ledger: { sequence, head: ROWS[1].hash } }];
      const { findings } = await verifyChain(ROWS, { head: HEAD, against });
      expect(findings).toMatchObject([{ kind: "rolled-back" }]);
    },
  );
});
