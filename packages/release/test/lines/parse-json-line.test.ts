import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseJsonLine } from "../../src/lines/parse-line.js";

const read = (line: string) => parseJsonLine(line, ["item", "user"]);

describe("parseJsonLine", () => {
  it.each([
    ['{"item":"a","user":"b"}', ["a", "b"]],
    [' {"user" : "b" , "item" : "a" } ', ["a", "b"]],
    ['{"item":17,"user":17.0}', ["17", "17.0"]],
    ['{"item":1.7e1,"user":90071992547409931234}', ["1.7e1", "90071992547409931234"]],
    ['{"item":-0,"user":0}', ["-0", "0"]],
    ['{"item":true,"user":false}', ["true", "false"]],
    ['{"item":null,"user":""}', ["", ""]],
    ["{}", ["", ""]],
    ['{"item":"\\u00e9\\n\\"","user":"\\ud83d\\ude00"}', ['é\n"', "😀"]],
    ['{"item":1,"user":"x","item":2}', ["2", "x"]],
    ['{"item":"1","user":"x","item":2}', ["2", "x"]],
    ['{"\\u0069tem":3,"user":"x"}', ["3", "x"]],
    ['{"more":{"item":5},"list":[{"item":6}],"item":7,"user":"x"}', ["7", "x"]],
    ['{"a":"}\\"{","item":7,"user":"x"}', ["7", "x"]],
    ['{"__proto__":1,"item":"a","user":"b"}', ["a", "b"]],
  ])("reads %s", (line, texts) => {
    expect(read(line)).toEqual(texts);
  });

  it.each([
    "",
    "17",
    '"item"',
    "null",
    '[{"item":"a","user":"b"}]',
    '{"item":"a","user":"b"',
    '{"item":"a","user":"b"} x',
    '{"item":"a","user":"b",}',
    '{"item":NaN,"user":"b"}',
    '{"item":017,"user":"b"}',
    '{"item":"a\tb","user":"b"}',
    '{"item":{},"user":"b"}',
    '{"item":["a"],"user":"b"}',
    '{"item":"\\ud800","user":"b"}',
    "{'item':'a'}",
    '\uFEFF{"item":"a","user":"b"}',
  ])("gives nothing for %s, which counts for nobody", (line) => {
    expect(read(line)).toBeUndefined();
  });

  it("does not find members that an object only inherits", () => {
    expect(parseJsonLine("{}", ["constructor", "toString"])).toEqual(["", ""]);
  });

  it("reads back what was written, whatever else the object holds", () => {
    const text = fc.string({ unit: "grapheme" });
    fc.assert(
      fc.property(text, text, fc.json(), (item, user, other) => {
        const line = `{"other":${other},"user":${JSON.stringify(user)},"item":${JSON.stringify(item)}}`;
        expect(read(line)).toEqual([item, user]);
      }),
    );
  });

  it("gives every number as it is written", () => {
    const number = fc.stringMatching(/^-?(0|[1-9]\d{0,30})(\.\d{1,20})?([eE][-+]?\d{1,3})?$/);
    fc.assert(
      fc.property(number, fc.json(), (number, other) => {
        expect(read(`{"other":${other},"item":${number},"user":"x"}`)).toEqual([number, "x"]);
      }),
    );
  });
});
