import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseDelimitedLine } from "../../src/lines/parse-line.js";

const CSV = { delimiter: ",", quote: '"' };

describe("parseDelimitedLine", () => {
  it.each([
    ["a,b", ["a", "b"]],
    ["", [""]],
    [",", ["", ""]],
    [" a , b ", [" a ", " b "]],
    ['"a,b",c', ["a,b", "c"]],
    ['"a ""b""",c', ['a "b"', "c"]],
    ['"",""', ["", ""]],
    ['""""', ['"']],
    ["017,17.0", ["017", "17.0"]],
    ["\u0000,\uFEFF", ["\u0000", "\uFEFF"]],
  ])("reads %j", (line, fields) => {
    expect(parseDelimitedLine(line, CSV)).toEqual(fields);
  });

  it.each(['"a', 'a"', 'a"b,c', '"a"b,c', '"a" ,c', '"""', ' "a",b', 'a,"b""'])(
    "gives nothing for %j, which is malformed",
    (line) => {
      expect(parseDelimitedLine(line, CSV)).toBeUndefined();
    },
  );

  it("takes any delimiter and quote, also outside the basic plane, and none", () => {
    expect(parseDelimitedLine("'a|b'|c", { delimiter: "|", quote: "'" })).toEqual(["a|b", "c"]);
    expect(parseDelimitedLine('"a😀b"😀c', { delimiter: "😀", quote: '"' })).toEqual(["a😀b", "c"]);
    expect(parseDelimitedLine('"a,b"', { delimiter: ",", quote: "" })).toEqual(['"a', 'b"']);
  });

  it("reads back what is written with every field quoted", () => {
    const field = fc.string({ unit: fc.constantFrom("a", '"', ",", " ", "é", "\t") });
    fc.assert(
      fc.property(fc.array(field, { minLength: 1, maxLength: 5 }), (fields) => {
        const line = fields.map((text) => `"${text.replaceAll('"', '""')}"`).join(",");
        expect(parseDelimitedLine(line, CSV)).toEqual(fields);
      }),
    );
  });

  it("accepts exactly the lines of the grammar", () => {
    const grammar = /^(?:[^",]*|"(?:[^"]|"")*")(?:,(?:[^",]*|"(?:[^"]|"")*"))*$/;
    const line = fc.string({ unit: fc.constantFrom("a", '"', '"', ","), maxLength: 12 });
    fc.assert(
      fc.property(line, (line) => {
        expect(parseDelimitedLine(line, CSV) !== undefined).toBe(grammar.test(line));
      }),
      { numRuns: 5000 },
    );
  });
});
