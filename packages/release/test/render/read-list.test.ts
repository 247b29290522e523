import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ListError, readList, toCsv, toJson } from "../../src/index.js";
import { forSpreadsheet, fromSpreadsheet } from "../../src/words/neutralise.js";
import { ask, listed, releaseOf, UNKNOWN } from "../support/ask.js";
import { release } from "../support/releases.js";
import { PAYLOADS } from "./payloads.js";

/** Names that look like their own escapes, and the characters that they are made of. */
const TRICKY = [
  "@alice",
  "=1+1",
  "'=1+1",
  "''=1+1",
  "\\u{27}=1+1",
  "'\\u{27}=1",
  "+49 30",
  "'+49 30",
  "-5",
  "'-5",
  "-5 degrees",
  "\\u{1b}",
  "\\u{5c}u{1b}",
  "\\\\u{1b}",
  "\\",
  "\\\u001b",
  "\u001b[31mred",
  "\u202eevil",
  "\ud800",
  "\udc00\ud800",
  "a\ud83d",
  "\\u{d83d}\\u{de00}",
  "\\u{110000}",
  "\\u{}",
  'say "hi"',
  '",=1',
  "a,'=1",
  "a;'  =1",
  "x|@sum",
  "one\ntwo",
  "tab\t=",
  "\t=1",
  "\u00a0=1",
  "＝1",
  "'＝1",
  " lead",
  "trail ",
  "👩\u200d🚀",
  "\u200d",
  "item",
  "item_escaped",
  "\ufeffmark",
];

const PIECES = [
  "\\u{",
  "}",
  "'",
  "=",
  "-",
  "@",
  ",",
  ";",
  "|",
  " ",
  '"',
  "\\",
  "1",
  "b",
  "\u001b",
  "\ud800",
  "\u202e",
];
const names = fc.oneof(
  fc.constantFrom(...TRICKY, ...PAYLOADS),
  fc.array(fc.constantFrom(...PIECES), { maxLength: 8 }).map((pieces) => pieces.join("")),
  fc.string({ unit: "binary" }),
);

async function publishedAs(items: readonly string[]) {
  const question = ask({ k: items.length, domain: listed(items.length), epsilon: 1000, mechanism: "top-k" });
  return releaseOf(question, { items, users: items.map((_, i) => 1000 * (items.length - i)) });
}

describe("names that were published", () => {
  it("come back from what a spreadsheet shows, whatever they are", () => {
    fc.assert(
      fc.property(names, (name) => {
        expect(fromSpreadsheet(forSpreadsheet(name))).toBe(name);
      }),
      { numRuns: 5_000 },
    );
  });

  it("come back exactly from the JSON and the CSV of their release", async () => {
    const items = [...new Set([...TRICKY, ...PAYLOADS])].filter((name) => name !== "");
    const published = await publishedAs(items);
    const expected = published.answer.winners.map(({ item }) => item);
    expect(readList(toJson(published), { name: "names.json" })).toEqual(expected);
    const csv = toCsv(published);
    expect(csv).toMatch(/^rank,item_escaped\r\n/);
    for (const column of ["item", "item_escaped"])
      expect(readList(csv, { name: "names.csv", column })).toEqual(expected);
  });

  it("are in a column that says so only where a name had to be escaped", async () => {
    const plain = await publishedAs(["mail", "it's \\u0041", "-5", "news, world"]);
    expect(toCsv(plain)).toMatch(/^rank,item\r\n/);
    expect(readList(toCsv(plain), { name: "names.csv", column: "item" }).sort()).toEqual(
      ["mail", "it's \\u0041", "-5", "news, world"].sort(),
    );
  });

  it("come back from a release of names without counts", async () => {
    const question = ask({ kind: "names", domain: UNKNOWN, epsilon: 1, delta: "1e-6", maxItemsPerUser: 1 });
    const published = await releaseOf(question, { items: ["@alice", "bob"], users: [900, 900] });
    expect(readList(toCsv(published), { name: "names.csv", column: "item" })).toEqual(["@alice", "bob"]);
    expect(readList(toJson(published), { name: "names.JSON" })).toEqual(["@alice", "bob"]);
  });
});

describe("a list that isn't ours", () => {
  it("stays as it is, even if it looks escaped", () => {
    const odd = ["'=1+1", "\\u{1b}", "'@alice", "=2"];
    expect(readList(odd.join("\n"), { name: "list.txt" })).toEqual(odd);
    expect(readList(`name\n${odd.join("\n")}`, { name: "list.csv", column: "name" })).toEqual(odd);
    expect(
      readList(`item,n\n${odd.map((name) => `${name},1`).join("\n")}`, { name: "list.csv", column: "item" }),
    ).toEqual(odd);
  });

  it.each([
    ["a live formula", "=1+1"],
    ["a raw control character", "\u001b[31m"],
    ["an escape of nothing", "\\u{}"],
    ["an escape beyond Unicode", "\\u{110000}"],
    ["an escape of a plain letter", "\\u{61}"],
    ["an escape in capitals", "\\u{1B}"],
    ["a pair written as two halves", "\\u{d83d}\\u{de00}"],
  ])("is refused where a field of item_escaped is one that Winnow doesn't write: %s", (_, field) => {
    const read = () => readList(`item_escaped\nfine\n${field}\n`, { name: "names.csv", column: "item" });
    expect(read).toThrow(ListError);
    expect(read).toThrow("at line 3");
    expect(read).toThrow("Use the release as JSON");
  });

  it.each([
    [
      "JSON that isn't a release",
      '{"items":["a"]}',
      "names.json",
      undefined,
      "a release as Winnow writes it",
    ],
    ["text called JSON", "a\nb\n", "names.json", undefined, "a release as Winnow writes it"],
    [
      "a release of quantiles",
      toJson(release("quantiles")),
      "q.json",
      undefined,
      "a release that names items",
    ],
    [
      "a release of frequencies",
      toJson(release("frequencies")),
      "f.json",
      undefined,
      "a release that names items",
    ],
    ["a release that names nothing", toJson(release("nothing")), "n.json", undefined, "has no candidates"],
    ["a column of JSON", toJson(release("gaps")), "g.json", "item", "has no columns"],
    ["a column that isn't there", "rank,item\n1,a\n", "g.csv", "itme", 'Did you mean "item"?'],
  ])("is refused: %s", (_, text, name, column, message) => {
    expect(() => readList(text, { name, column })).toThrow(message);
  });
});
