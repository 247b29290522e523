import { describe, expect, it } from "vitest";
import { approx, pure, zcdp } from "winnow-dp";
import { caption, headline, type NewRelease, statement, unitInWords } from "../../src/index.js";
import { RELEASES, release } from "../support/releases.js";

describe("the statement", () => {
  it("of a release with gaps, with what is left of the budget", () => {
    const budget = { limit: pure(2), spent: pure("1/2"), remaining: pure("3/2"), more: 3 };
    const recorded = { ...release("gaps"), ledger: { sequence: 1, head: "0f".repeat(32) } };
    expect(statement(recorded, budget).text).toMatchSnapshot();
  });

  it("of an answer that names nobody, without a budget", () => {
    expect(statement(release("nothing"), { spent: approx("1/10", "1e-6") }).text).toMatchSnapshot();
  });

  it("of a concentrated loss", () => {
    expect(statement(release("adaptive"), { spent: zcdp("1/4", "1e-6") }).paragraph).toMatchSnapshot();
  });

  it.each(RELEASES)("has every field that a privacy officer files: %s", (_, document) => {
    const names = statement(document, { limit: pure(2), remaining: pure(1), more: 1 }).fields.map(
      ([name]) => name,
    );
    for (const name of [
      "Unit of privacy",
      "Neighbouring data sets",
      "Mechanism",
      "Parameters",
      "Privacy loss",
      "Privacy loss, exactly",
      "Budget left",
      "Software",
    ])
      expect(names).toContain(name);
  });

  it("rounds what was spent up and what is left down", () => {
    const { fields } = statement(release("gaps"), {
      limit: pure("5/3"),
      spent: pure("1/3"),
      remaining: pure("4/3"),
    });
    expect(Object.fromEntries(fields)).toMatchObject({
      Budget: "ε = 1.666",
      "Spent so far": "ε = 0.3334",
      "Budget left": "ε = 1.333",
    });
  });

  it("has one line for each field, whatever the names are", () => {
    const original = release("gaps");
    const hostile: NewRelease = { ...original, dataset: "a\nb\u001b[2J\u202e", notes: ["one\r\ntwo"] };
    const { text, fields } = statement(hostile);
    expect(text.split("\n")).toHaveLength(fields.length + 3);
    expect(text.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  });
});

describe("the caption", () => {
  it.each(RELEASES)("is one sentence: %s", (_, document) => {
    expect(caption(document)).toMatchSnapshot();
    expect(caption(document)).not.toContain("\n");
    expect(caption(document)).toMatch(/^[A-Z\d].*\.$/);
  });
});

describe("the headline", () => {
  it("counts as one does", () => {
    expect(RELEASES.map(([, document]) => headline(document))).toEqual([
      "The 4 items with the most users",
      "The 2 items with the most users",
      "The 2 items with the most users",
      "The 3 items with the most users",
      "The item with the most users",
      "The 3 items with the most users",
      "The 3 items with the most users",
      "The 4 items with the most users",
      expect.stringMatching(/^The \d items with the most users$/),
      expect.stringMatching(/^The \d items with the most users$/),
      "The 3 items with the most users",
      expect.stringMatching(/^The \d items with the most users \(each counted for at most 1 item\)$/),
      expect.stringMatching(/^\d items with enough users \(each counted for at most 2 items\)$/),
      expect.stringMatching(/^\d items with enough users \(each counted for at most 5 items\)$/),
      "No name could be published safely",
      "The 4 items with the most users",
      expect.stringMatching(/^\d items? that stands? out$/),
      "Nothing can be released",
      "The median and the 90 % quantile of area (over one value of each user, chosen at random)",
      "45 quantiles of area (over at most 2 values of each user, chosen at random)",
      "How many users (each counted for at most 2 items) the items of area have",
    ]);
  });
});

describe("the unit of privacy", () => {
  it.each([
    ["one value of column user", "add-remove", "per user (added or removed)"],
    ['one value of the column "visitor id"', "add-remove", "per visitor id (added or removed)"],
    ["one value of column 3", "replace", "per value of column 3 (replaced by any other)"],
    ["one customer", "replace", "per customer (replaced by any other)"],
    [
      "everything in the data of one teacher",
      "replace",
      "for everything in the data of one teacher (replaced by any other)",
    ],
  ] as const)("%s, %s: %s", (unit, neighbours, words) => {
    expect(unitInWords({ unit, neighbours })).toBe(words);
  });
});
