import { existsSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { seededEntropy } from "winnow-dp/testing";
import {
  type ChainRow,
  chain,
  EMPTY_CHAIN,
  ledgerFileLines,
  type NewEntry,
  newRelease,
  type Release,
  readQuestion,
  select,
} from "winnow-release";
import { exampleRelease } from "../../../release/test/ledger/laws/place.js";
import { winnowHere } from "../support/in-process.js";
import { folder } from "../support/winnow.js";

const LISTED = { kind: "listed", size: 2, hash: "ab".repeat(32) } as const;

describe("winnow budget import", () => {
  /** The text of a ledger with these releases, in which every hash is right. */
  const textOf = async (...releases: readonly object[]) => {
    const rows: ChainRow[] = [];
    for (const release of releases)
      rows.push(await chain({ kind: "release", release } as NewEntry, rows.at(-1) ?? EMPTY_CHAIN));
    return [...ledgerFileLines(rows.at(-1)!, rows)].join("");
  };

  it.each<[string, (honest: Release) => readonly object[], RegExp]>([
    [
      "a release below its price",
      (honest) => [{ ...honest, loss: { ...honest.loss, epsilon: "0.001", readable: "ε = 0.001" } }],
      /Entry 1, about "visits": its noise costs ε = 0\.5, and it states ε = 0\.001\./,
    ],
    [
      "an id twice",
      (honest) => [honest, honest],
      /Entry 2, about "visits": its id is that of another release\./,
    ],
    [
      "a negative loss",
      () => [exampleRelease("r", { loss: { measure: "pure", epsilon: "-1" } })],
      /Entry 1, about "visits": loss\.epsilon must be a rational >= 0, or Infinity/,
    ],
  ])("refuses %s, and adds nothing", async (_, releases, sentence) => {
    const here = folder();
    const question = readQuestion({ k: 1, domain: LISTED, epsilon: "1/2", unit: "one person" });
    const counts = { items: ["a", "b"], users: [9, 1] };
    const answer = await select(question, [counts], { entropy: seededEntropy("import") });
    const honest = newRelease({
      id: "r",
      dataset: "visits",
      time: new Date(0),
      software: { name: "winnow-cli", version: "0" },
      question,
      answer,
      source: { item: "area", user: "user", dialect: {} },
    });
    writeFileSync(here.file("honest.jsonl"), await textOf(honest));
    expect((await winnowHere(here, ["budget", "import", "honest.jsonl", "--ledger", "kept"])).exit).toBe(0);
    writeFileSync(here.file("ledger.jsonl"), await textOf(...releases(honest as never)));
    expect(await winnowHere(here, ["budget", "import", "ledger.jsonl", "--ledger", "made"])).toMatchObject({
      exit: 4,
      stdout: "",
      stderr: expect.stringMatching(sentence),
    });
    expect(existsSync(here.file("made"))).toBe(false);
  });
});
