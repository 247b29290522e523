import { describe, expect, it } from "vitest";
import { datasetOf, LEDGER_FORMAT, type LedgerEntry, readEntry } from "../../src/index.js";
import { entryText } from "../../src/ledger/entry.js";
import { Refusal } from "../../src/refusal/refusal.js";
import { budgetEntry, releaseEntry } from "./examples.js";

const LINK = { format: LEDGER_FORMAT, sequence: 1, previous: "00" } as const;
const RELEASE: LedgerEntry = { ...LINK, ...releaseEntry("r1") };
const BUDGET: LedgerEntry = { ...LINK, ...budgetEntry({ measure: "pure", epsilon: "3" }) };

describe("an entry of the ledger", () => {
  it.each([RELEASE, BUDGET])("is read back from its text as it was: $kind", (entry) => {
    expect(readEntry(entryText(entry))).toEqual(entry);
    expect(datasetOf(entry)).toBe("visits");
  });

  it("keeps the whole document of a release", () => {
    const text = entryText(RELEASE);
    expect(JSON.parse(text).release.answer.winners).toEqual(["é", "\ud800"]);
  });

  const text = entryText(RELEASE);
  it.each([
    ["not JSON", text.slice(1)],
    ["no object", "null"],
    ["a space more", text.replace(":", ": ")],
    ["a key twice", text.replace("{", '{"format":"x",')],
    ["another format", text.replace(LEDGER_FORMAT, "winnow-ledger/2")],
    ["another kind", text.replace('"kind":"release"', '"kind":"refund"')],
    ["a number that is no place", text.replace('"sequence":1', '"sequence":1.5')],
    ["no loss", text.replace(/"loss":\{[^}]*\},/, "")],
    ["no release", entryText(BUDGET).replace('"kind":"budget"', '"kind":"release"')],
    ["no budget", entryText(BUDGET).replace(/"budget":\{[^}]*\},/, "")],
    ["an analyst who is not named", text.replace('"release":{', '"release":{"analyst":"",')],
    ["too many brackets", "[".repeat(100_000)],
  ])("is refused if it has %s", (_, broken) => {
    expect(broken).not.toBe(text);
    expect(() => readEntry(broken)).toThrow(Refusal);
    expect(() => readEntry(broken)).toThrow(expect.objectContaining({ code: "ledger-broken" }));
  });
});
