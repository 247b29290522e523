import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readStrictJson } from "../../src/index.js";

describe("JSON of which nothing is lost", () => {
  it.each<[string, string]>([
    ['{"k": 1, "k": 2}', "k must be given once; it is there twice."],
    ['{"k": 1, "\\u006b": 2}', "k must be given once; it is there twice."],
    ['{"a": [{"b": {}}, {"b": 1, "c": 2, "b": 3}]}', "a.1.b must be given once; it is there twice."],
    ['{"__proto__": 1, "__proto__": 2}', "__proto__ must be given once; it is there twice."],
    [
      '{"epsilon": 1e400}',
      "epsilon must be a number that a computer keeps as it is written, or text; got 1e400.",
    ],
    [
      '{"epsilon": -1E999}',
      "epsilon must be a number that a computer keeps as it is written, or text; got -1E999.",
    ],
    [
      '{"q": [0.5, 1e-400]}',
      "q.1 must be a number that a computer keeps as it is written, or text; got 1e-400.",
    ],
    ["1e400", "The body must be a number that a computer keeps as it is written, or text; got 1e400."],
  ])("%s is refused by name", (text, fault) => {
    expect(readStrictJson(text)).toEqual({ fault });
  });

  it.each([
    '{"a": {"k": 1}, "b": {"k": 1}}',
    '[{"k": 1}, {"k": 1}]',
    '{"k": "k", "l": "{\\"k\\": 1e400}"}',
    "[0, -0, 0e5, 0.000, 1e308, 5e-324]",
    '{"": 1, "a": ""}',
  ])("%s is read", (text) => {
    expect(readStrictJson(text)).toEqual({ value: JSON.parse(text) });
  });

  it("reads whatever JSON.stringify writes, and finds a field that is repeated anywhere in it", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string(), (value, name) => {
        const text = JSON.stringify(value);
        expect(readStrictJson(text)).toEqual({ value: JSON.parse(text) });
        const field = `${JSON.stringify(name)}:${text}`;
        expect(readStrictJson(`[{${field},${field}}]`).fault).toContain("must be given once");
      }),
    );
  });

  it("throws for what isn't JSON", () => {
    expect(() => readStrictJson('{"k": 1,}')).toThrow(SyntaxError);
  });
});
