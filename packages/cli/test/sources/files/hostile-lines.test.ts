import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LONGEST_LINE } from "winnow-release";
import { amount } from "../../../../core/test/support/amount.js";
import { type Counted, useEngine } from "./engine-folder.js";
import { referenceCounts } from "./reference-counts.js";

const bytes = (text: string) => [...new TextEncoder().encode(text)];
const piece = (...texts: readonly string[]) => fc.constantFrom(...texts.map(bytes));
const noText = fc.constantFrom<number[]>(
  [0xff],
  [0xc3],
  [0xed, 0xa0, 0x80],
  [0xef, 0xbb],
  [0xf4, 0x90, 0x80, 0x80],
);
const fields = piece(
  "a",
  "b",
  "17",
  "17.0",
  " ",
  "é",
  "e\u0301",
  "\uFEFF",
  "\\",
  "\\n",
  "\\r",
  "#",
  "\u0000",
  "'",
  "\u{1F600}",
);
const signs = piece(",", ",", ",", '"', '"', '""', "\t", ";", "'", "\n", "\n", "\r", "\r\n");
const document = (more: fc.Arbitrary<number[]>, between = signs) =>
  fc
    .array(
      fc.oneof(
        { weight: 5, arbitrary: fields },
        { weight: 6, arbitrary: between },
        { weight: 1, arbitrary: more },
      ),
      { maxLength: 60 },
    )
    .map((pieces) => pieces.flat());

/** Long names by their length: a failure shall be readable. */
function shortened({ counts, unread }: Counted): Counted {
  const short = (name: string) => (name.length > 99 ? `${name[0]} × ${name.length}` : name);
  return {
    counts: Object.fromEntries(Object.entries(counts).map(([name, users]) => [short(name), users])),
    unread,
  };
}

describe("the engine and the reference read hostile lines alike", () => {
  const count = useEngine();

  const agree = async (format: "csv" | "tsv" | "ndjson", document: readonly number[], options = {}) => {
    const file = Uint8Array.from(document);
    expect(shortened(await count(format, file, options))).toEqual(
      shortened(referenceCounts(format, file, options)),
    );
  };

  it.each([
    ["CSV", "csv", {}, ","],
    ["TSV", "tsv", {}, "\t"],
    ["CSV with semicolons and apostrophes", "csv", { delimiter: ";", quote: "'" }, ";"],
    ["CSV without quotes", "csv", { quote: "" }, ","],
    ["CSV with a delimiter outside the basic plane", "csv", { delimiter: "\u{1F600}" }, "\u{1F600}"],
  ] as const)("in %s", async (_, format, options, delimiter) => {
    const header = fc.constantFrom(
      ["user", "item"],
      ["item", "user"],
      ["user", "other", "item"],
      ["item", "user", "other"],
    );
    const end = fc.constantFrom("\n", "\r\n", "\r");
    await fc.assert(
      fc.asyncProperty(header, end, document(noText), (header, end, document) =>
        agree(format, [...bytes(header.join(delimiter) + end), ...document], options),
      ),
      { numRuns: amount(30, 300) },
    );
  });

  // Without quotes the engine splits the lines itself.
  it.each([
    ["CSV", "csv", ","],
    ["TSV", "tsv", "\t"],
    ["CSV with another delimiter", "csv", "|"],
  ] as const)("in %s without a quote", async (_, format, delimiter) => {
    const header = fc.constantFrom(
      ["user", "item"],
      ["item", "other", "user"],
      ["a", "user", "b", "item", "c"],
    );
    const start = fc.constantFrom("", "\uFEFF", "\n", "\r\n\r\n");
    const end = fc.constantFrom("\n", "\r\n", "\r");
    const between = piece(delimiter, delimiter, delimiter, "\n", "\r", "\r\n", "\n\n");
    await fc.assert(
      fc.asyncProperty(
        start,
        header,
        end,
        document(piece("\u2028", "x".repeat(9)), between),
        (start, header, end, document) =>
          agree(format, [...bytes(start + header.join(delimiter) + end), ...document], { delimiter }),
      ),
      { numRuns: amount(40, 400) },
    );
  });

  it("in lines that hold a backslash and an n, which are no end of a line", async () => {
    const lines = [String.raw`DOMAIN\nancy,dir\new`, String.raw`DOMAIN\nick,dir\new`];
    expect(await count("csv", Uint8Array.from(bytes(`user,item\n${lines.join("\n")}\n`)))).toEqual({
      counts: { "dir\\new": 2 },
      unread: 0,
    });
    const object = String.raw`{"item":"a","user":"b","text":"one\ntwo"}`;
    expect((await count("ndjson", Uint8Array.from(bytes(object)))).counts).toEqual({ a: 1 });
  });

  it("in CSV whose lines are nearly right", async () => {
    const field = fc.constantFrom("a", "b", '"a"', '"a,b"', '"a""b"', '""', "", '"', 'a"b', '"a"b', " a");
    const line = fc.array(field, { minLength: 1, maxLength: 4 }).map((fields) => fields.join(","));
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 12 }), (lines) =>
        agree("csv", bytes(`user,item\n${lines.join("\n")}`)),
      ),
      { numRuns: amount(50, 500) },
    );
  });

  it("in NDJSON", async () => {
    const value = fc.constantFrom(
      '"a"',
      '"b"',
      "17",
      "17.0",
      "-0",
      "1e2",
      "null",
      "true",
      "[1]",
      "{}",
      '"\\u00e9"',
      '"a\\nb"',
      '"é"',
      '"\\ud800"',
      "NaN",
      "01",
      '"',
      "'a'",
      '"\uFEFF"',
      '"a\u0001"',
      '"\u0000"',
    );
    const name = fc.constantFrom('"item"', '"user"', '"other"', '"\\u0069tem"');
    const space = fc.constantFrom("", "", " ", "\t", "\v");
    const member = fc
      .tuple(space, name, space, fc.constantFrom(":", ":", ":", ","), space, value, space)
      .map((parts) => parts.join(""));
    const object = fc
      .tuple(fc.array(member, { maxLength: 4 }), fc.constantFrom("}", "}", "}", ",}", "", "}}", "} x"))
      .map(([members, end]) => `{${members.join(",")}${end}`);
    const plain = fc.tuple(value, value).map(([item, user]) => `{"item":${item},"user":${user}}`);
    const line = fc.oneof(object, plain, plain);
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 12 }), fc.constantFrom("", "\uFEFF"), (lines, mark) =>
        agree("ndjson", bytes(mark + lines.join("\n"))),
      ),
      { numRuns: amount(80, 800) },
    );
  });

  it("in NDJSON made of any bytes", async () => {
    const more = fc.oneof(noText, piece('{"item":"a","user":"b"}', '"item":', "{", "}", ":"));
    await fc.assert(
      fc.asyncProperty(document(more), (document) => agree("ndjson", document)),
      { numRuns: amount(30, 300) },
    );
  });

  it("around the longest line and across the engine's buffers", async () => {
    const line = (length: number) => `u,${"x".repeat(length - 2)}`;
    const lengths = [-2, -1, 0, 1, 2, 15, 16, 17, 1000].map((more) => LONGEST_LINE + more);
    const long = lengths.map((length, i) => line(length) + ["\n", "\r\n", "\r"][i % 3]);
    const short = Array.from({ length: 300_000 }, (_, i) => `user-${i},item-${i % 100}\n`).join("");
    await agree("csv", bytes(`user,item\n${long.join("a,b\n")}c,d`));
    const file = Buffer.from(`user,item\n${short}${long.join("")}"u,v\n${short}"`);
    const counted = await count("csv", file);
    expect(shortened(counted)).toEqual(shortened(referenceCounts("csv", file)));
    expect(counted.counts["item-7"]).toBe(3000);
  });
});
