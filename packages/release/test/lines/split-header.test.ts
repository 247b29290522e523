import { describe, expect, it } from "vitest";
import { MOST_COLUMNS, splitHeader } from "../../src/lines/parse-line.js";

describe("splitHeader", () => {
  it.each([
    ["user,item", ","],
    ["user\titem", "\t"],
    ["user;item", ";"],
    ["user|item", "|"],
  ])("takes the delimiter of %j from the line itself", (line, delimiter) => {
    expect(splitHeader(line)).toEqual({ columns: ["user", "item"], delimiter, quote: '"' });
  });

  it("takes what is given", () => {
    expect(splitHeader("a,b;'c;d'", { delimiter: ";", quote: "'" }).columns).toEqual(["a,b", "c;d"]);
  });

  it("drops a byte order mark", () => {
    expect(splitHeader("\uFEFFuser,item").columns).toEqual(["user", "item"]);
  });

  it.each([
    ["", "a name for each column"],
    ["a,,b", "a name for each column"],
    ["a,b,a", "distinct names"],
    ['a,"b', "every quote is closed"],
    ["a\u0000,b", "without control characters"],
    [Array.from({ length: MOST_COLUMNS + 1 }, (_, i) => `c${i}`).join(","), "at most 1000 columns"],
  ])("refuses a header that starts with %.10j", (line, expected) => {
    expect(() => splitHeader(line)).toThrow(expected);
    expect(() => splitHeader(line)).toThrow(expect.objectContaining({ field: "header" }));
  });

  it.each([
    ["delimiter", { delimiter: "" }],
    ["delimiter", { delimiter: ",," }],
    ["delimiter", { delimiter: "\n" }],
    ["quote", { quote: "''" }],
    ["quote", { quote: ",", delimiter: "," }],
  ])("refuses a %s that is none", (field, given) => {
    expect(() => splitHeader("a,b", given)).toThrow(expect.objectContaining({ field }));
  });
});
