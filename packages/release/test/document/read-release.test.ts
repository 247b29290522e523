import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { pure, WinnowError, zcdp } from "winnow-dp";
import { PACKAGES } from "../../src/document/new-release.js";
import {
  listedDomain,
  newRelease,
  newReleaseId,
  type Release,
  readRelease,
  releaseLoss,
  toJson,
} from "../../src/index.js";
import { selectInGroups } from "../../src/mechanisms/of-question.js";
import { PAYLOADS } from "../render/payloads.js";
import { ask, listed, numbered, releaseOf } from "../support/ask.js";
import { isValid } from "../support/json-schema.js";
import { RELEASES, release } from "../support/releases.js";

const read = (path: string) =>
  JSON.parse(readFileSync(new URL(`../../../../${path}`, import.meta.url), "utf8"));
const SCHEMA = read("docs/public/release.schema.json");
const LEDGER = { sequence: 3, head: "0f".repeat(32) };

/** A copy with one field changed; undefined removes it. */
function changed(original: object, path: string, value: unknown): string {
  const copy = JSON.parse(JSON.stringify(original));
  const names = path.split(".");
  const last = names.pop() as string;
  const parent = names.reduce((part, name) => part[name], copy);
  if (value === undefined) delete parent[last];
  else parent[last] = value;
  return JSON.stringify(copy);
}

describe("a release", () => {
  it.each(RELEASES)("goes to JSON and back: %s", (_, document) => {
    expect(readRelease(toJson(document))).toEqual(document);
    const recorded: Release = { ...document, ledger: LEDGER };
    expect(readRelease(toJson(recorded))).toEqual(recorded);
    expect(toJson(readRelease(toJson(recorded)))).toBe(toJson(recorded));
  });

  it.each(RELEASES)("is what the published schema describes: %s", (_, document) => {
    expect(isValid(SCHEMA, JSON.parse(toJson(document)))).toBe(true);
    expect(isValid(SCHEMA, { ...document, ledger: LEDGER })).toBe(true);
  });

  it("may name the analyst who asked, by a short visible name", () => {
    const named: Release = { ...release("gaps"), analyst: "alice" };
    expect(readRelease(toJson(named))).toEqual(named);
    expect(isValid(SCHEMA, JSON.parse(toJson(named)))).toBe(true);
    for (const analyst of ["", " a", "a\nb", "\u200b", "x".repeat(101), 1, null])
      expect(() => readRelease(changed(named, "analyst", analyst))).toThrow("release.analyst must be");
    for (const schema of ["winnow-release/1", "winnow-release/4"])
      expect(() => readRelease(changed(named, "schema", schema))).toThrow("release.schema must be");
  });

  it("says what it is counted as, where that is less", () => {
    const [reserved, settled] = [zcdp("1/4", "1e-6"), zcdp("1/8", "1e-6")].map(releaseLoss);
    const counted: Release = {
      ...release("limited, stopped"),
      charge: { reserved, settled },
      ledger: LEDGER,
    };
    expect(readRelease(toJson(counted))).toEqual(counted);
    expect(isValid(SCHEMA, JSON.parse(toJson(counted)))).toBe(true);
    const other = { ...counted, charge: { reserved, settled: releaseLoss(pure(1n)) } };
    expect(() => readRelease(JSON.stringify(other))).toThrow("release.charge.settled must be");
  });

  it("may be about some rows, computed items, a period and groups", async () => {
    const promise = { unit: "person", period: "week", first: "2026-11-16", horizon: 52 } as const;
    const about = {
      ...{ k: 1, domain: listed(3), epsilon: 1, items: ["lower(page)", "area"] },
      ...{ map: { size: 2, hash: "ab".repeat(32) }, where: "date(day) >= '2026-11-16'" },
      period: { name: "2026-W47", promise: { ...promise, maxPeriodsPerUser: 8 }, key: "0f".repeat(16) },
    };
    const one = { ...(await releaseOf(ask(about), numbered([9, 5, 1]))), ledger: LEDGER };
    const list = await listedDomain(["DE", "FR"]);
    const budgets = [{ group: ["DE"], part: "3/4" }];
    const question = ask({ ...about, groups: { by: ["country"], list, maxGroupsPerUser: 2, budgets } });
    const counted = { listed: [["DE"], ["FR"]], items: ["0", "1", "2"], people: () => [] };
    const answer = await selectInGroups(question, {
      ...counted,
      async *counts() {
        yield { group: "DE", items: ["0", "1"], users: [9, 5] };
      },
    });
    const grouped = newRelease({ ...one, time: new Date(one.time), question, answer });
    for (const document of [one, { ...grouped, ledger: LEDGER }]) {
      expect(readRelease(toJson(document))).toEqual(document);
      expect(isValid(SCHEMA, JSON.parse(toJson(document)))).toBe(true);
      const other = { ...document.question, land: "DE" };
      expect(isValid(SCHEMA, { ...JSON.parse(toJson(document)), question: other })).toBe(false);
    }
  });

  it.each(RELEASES)("has one text, in whatever order a storage gives its fields back: %s", (_, document) => {
    const turned: typeof document = JSON.parse(JSON.stringify(document), (_, value) =>
      value !== null && typeof value === "object" && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).reverse())
        : value,
    );
    expect(JSON.stringify(turned)).not.toBe(JSON.stringify(document));
    expect(toJson(turned)).toBe(toJson(document));
  });

  it("keeps hostile names as they are", () => {
    const document = release("gaps");
    fc.assert(
      fc.property(fc.uniqueArray(fc.constantFrom(...PAYLOADS), { minLength: 4, maxLength: 4 }), (items) => {
        const winners = items.map((item) => ({ item, gap: "5" }));
        const hostile = { ...document, answer: { ...document.answer, winners } };
        expect(readRelease(toJson(hostile))).toEqual(hostile);
      }),
    );
  });

  it("names the packages that computed it, in their versions", () => {
    for (const [name, folder] of [
      ["winnow-dp", "core"],
      ["winnow-release", "release"],
    ])
      expect(PACKAGES[name]).toBe(read(`packages/${folder}/package.json`).version);
    expect(release("gaps").software).toEqual({ name: "winnow-cli", version: "0.1.0", packages: PACKAGES });
  });

  it("can be given a name that nobody else will choose", () => {
    expect(newReleaseId()).toMatch(/^[\da-f]{32}$/);
    expect(newReleaseId()).not.toBe(newReleaseId());
  });
});

describe("what is no release is refused by the path of what is wrong:", () => {
  const gaps = release("gaps");
  const unknown = release("unknown");
  const counts = release("limited with counts");
  const above = release("threshold");
  const cases: [field: string, text: string][] = [
    ["release", "{"],
    ["release", "[]"],
    ["release", "null"],
    ["release", '"release"'],
    ["release", changed(gaps, "notes", undefined)],
    ["release", changed(gaps, "extra", 1)],
    ["release.schema", changed(gaps, "schema", "winnow-release/3")],
    ["release.id", changed(gaps, "id", "")],
    ["release.dataset", changed(gaps, "dataset", 7)],
    ["release.time", changed(gaps, "time", "yesterday")],
    ["release.time", changed(gaps, "time", "2026-01-31")],
    ["release.software", changed(gaps, "software", [])],
    ["release.software.packages", changed(gaps, "software.packages", { a: 1 })],
    ["release.question", changed(gaps, "question.epsilon", "1/2")],
    ["release.question", changed(gaps, "question.extra", 1)],
    ["release.question", changed(gaps, "question.domain.extra", 1)],
    ["epsilon", changed(gaps, "question.epsilon", "-1")],
    ["k", changed(gaps, "question.k", 7)],
    ["release.mechanism.name", changed(gaps, "mechanism.name", "top-k")],
    ["release.mechanism.parameters", changed(gaps, "mechanism.parameters", "none")],
    ["release.loss.measure", changed(gaps, "loss.measure", "none")],
    ["release.loss.epsilon", changed(gaps, "loss.epsilon", 0.5)],
    ["release.loss.epsilon", changed(gaps, "loss.epsilon", "half")],
    ["release.loss", changed(gaps, "loss.rho", "1")],
    ["release.loss.readable", changed(gaps, "loss.readable", "ε = 0.1")],
    ["release.answer.k", changed(gaps, "answer.k", 3)],
    ["release.answer.k", changed(release("adaptive"), "answer.k", 7)],
    ["release.answer.released", changed(gaps, "answer.released", false)],
    ["release.answer.released", changed(gaps, "answer.released", "yes")],
    ["release.answer.ordered", changed(gaps, "answer.ordered", false)],
    ["release.answer.ordered", changed(unknown, "answer.ordered", true)],
    ["release.answer.winners", changed(gaps, "answer.winners", gaps.answer.winners.slice(1))],
    [
      "release.answer.winners",
      changed(gaps, "answer.winners", [...gaps.answer.winners, gaps.answer.winners[0]]),
    ],
    ["release.answer.winners", changed(gaps, "answer.winners.1.item", gaps.answer.winners[0].item)],
    ["release.answer.winners", changed(gaps, "answer.winners.0.users", 3200)],
    ["release.answer.winners", changed(unknown, "answer.winners", unknown.answer.winners.toReversed())],
    ["release.answer.winners", changed(unknown, "answer.winners.0.gap", "5")],
    ["release.answer.winners", changed(gaps, "answer.winners.0", { item: "a" })],
    ["release.answer.winners.gap", changed(gaps, "answer.winners.0.gap", "0.5")],
    ["release.answer.winners.gap", changed(gaps, "answer.winners.0.gap", "-1")],
    ["release.answer.winners.gap", changed(gaps, "answer.winners.0.gap", "5.0")],
    ["release.answer.winners.count", changed(counts, "answer.winners.0.count", "1.5")],
    ["release.answer.winners.count", changed(counts, "answer.winners.0.count", "-0")],
    ["release.answer.winners", changed(counts, "answer.winners.0", { item: "a" })],
    ["release.answer.winners", changed(gaps, "answer.winners.0.count", "5")],
    ["release.answer.stopped", changed(counts, "answer.stopped", !counts.answer.stopped)],
    ["release.answer", changed(counts, "answer.stopped", undefined)],
    ["release.answer", changed(gaps, "answer.stopped", false)],
    ["release.answer.winners", changed(above, "answer.winners", above.answer.winners.toReversed())],
    ["release.charge", changed(counts, "charge", { reserved: counts.loss })],
    ["release.source.user", changed(gaps, "source.user", 1)],
    ["release.ledger", changed(gaps, "ledger", "lost")],
    ["release.ledger.head", changed(gaps, "ledger", { sequence: 1, head: "x" })],
    ["release.ledger.sequence", changed(gaps, "ledger", { ...LEDGER, sequence: 0 })],
    ["release.notes", changed(gaps, "notes", [1])],
  ];

  it.each(cases)("%s (%#)", (field, text) => {
    const reading = () => readRelease(text);
    expect(reading).toThrow(WinnowError);
    expect(reading).toThrow(expect.objectContaining({ code: "invalid-parameter", field }));
  });

  it("and the schema refuses most of them too", () => {
    const documents = cases.slice(4).map(([, text]) => JSON.parse(text));
    expect(documents.filter((document) => isValid(SCHEMA, document)).length).toBeLessThan(
      documents.length / 2,
    );
  });

  it("without ever failing otherwise", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(() => readRelease(JSON.stringify(value))).toThrow(WinnowError);
      }),
    );
  });
});
