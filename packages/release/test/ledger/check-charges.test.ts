import { describe, expect, it } from "vitest";
import { zcdp } from "winnow-dp";
import {
  checkCharges,
  type LedgerEntry,
  type NewRelease,
  type RecordedRelease,
  unpricedSentence,
} from "../../src/index.js";
import { ask, listed, numbered, releaseOf, UNKNOWN } from "../support/ask.js";

const COUNTS = numbered([90, 50, 20, 3]);
const question = ask({ k: 2, domain: listed(4), epsilon: "1/2" });

type Part = RecordedRelease | { readonly budget: string };

/** A log of these, with places that are right. */
function logOf(...parts: Part[]): LedgerEntry[] {
  const chained = { format: "winnow-ledger/1", previous: "0".repeat(64) } as const;
  const written = { dataset: "visits.csv", time: "2026-01-31T12:00:00.000Z" };
  return parts.map((part, i) =>
    "budget" in part
      ? {
          ...chained,
          ...written,
          sequence: i + 1,
          kind: "budget",
          software: { name: "test", version: "0" },
          budget: { measure: "pure", epsilon: part.budget },
        }
      : { ...chained, sequence: i + 1, kind: "release", release: part },
  );
}

const problemsOf = async (...parts: Part[]) =>
  (await checkCharges(logOf(...parts))).findings.map(({ sequence, sentence }) => `${sequence}: ${sentence}`);

describe("the charges of a log", () => {
  it("are right as they were written", async () => {
    const first = await releaseOf(question, COUNTS);
    const second = await releaseOf(ask({ k: 3, domain: UNKNOWN, rho: "1/9", delta: "1e-6" }), COUNTS);
    expect(await checkCharges(logOf(first, { ...second, id: "other" }))).toEqual({
      findings: [],
      recomputed: 2,
      unpriced: [],
      open: [],
    });
  });

  it("are wrong if a loss isn't the price of its question, or the parameters are not those of its noise", async () => {
    const release = await releaseOf(question, COUNTS);
    const cheap = {
      ...release,
      loss: { measure: "pure", epsilon: "1/4", readable: "ε = 0.25" },
    } as NewRelease;
    expect(await problemsOf(release, { ...cheap, id: "cheap" })).toEqual([
      '2: Entry 2, about "visits.csv": its noise costs ε = 0.5, and it states ε = 0.25.',
    ]);
    const { mechanism } = release;
    const quiet = { ...mechanism, parameters: { ...mechanism.parameters, scale: "1" } };
    expect((await problemsOf({ ...release, mechanism: quiet } as NewRelease))[0]).toMatch(
      /parameters are not those/,
    );
  });

  it("are wrong if they exceed the budget in force, or an id is there twice", async () => {
    const release = await releaseOf(question, COUNTS);
    const again = { ...release, id: "again" };
    expect(await problemsOf({ budget: "1" }, release, again)).toEqual([]);
    expect((await problemsOf({ budget: "3/4" }, release, again))[0]).toMatch(/^3: .*The release costs/);
    expect((await problemsOf(release, again, { budget: "3/4" }))[0]).toMatch(/^3: .*More than the budget/);
    expect(await problemsOf(release, release)).toEqual([
      '2: Entry 2, about "visits.csv": its id is that of another release.',
    ]);
  });

  it("of other versions and of other documents are added up, and it says that they were not priced", async () => {
    const release = await releaseOf(question, COUNTS);
    const older = { ...release, software: { ...release.software, packages: { "winnow-dp": "0.0.1" } } };
    const { schema: _, ...foreign } = release;
    const log = logOf(older, { ...foreign, id: "foreign", loss: { measure: "pure", epsilon: "1/8" } });
    const { unpriced, ...rest } = await checkCharges(log);
    expect(rest).toEqual({ findings: [], recomputed: 0, open: [] });
    expect(unpricedSentence(unpriced)).toBe(
      "1 release was not priced, because another version of Winnow recorded it (entry 1). " +
        "1 release was not priced, because its document isn't one that Winnow knows (entry 2).",
    );
    const many = Array.from({ length: 12 }, (_, i) => ({ sequence: i + 1, reason: "version" as const }));
    expect(unpricedSentence(many)).toBe(
      "12 releases were not priced, because another version of Winnow recorded them (entries 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, …).",
    );
    expect(unpricedSentence([])).toBe("");
    const priced = await checkCharges(log, ({ id }) => (id === "foreign" ? zcdp("1/2") : undefined));
    expect(priced.findings[0]?.sentence).toMatch(/its noise costs ρ = 0.5, and it states ε = 0.125/);
  });
});
