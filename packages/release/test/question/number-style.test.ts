import { expect, it } from "vitest";
import { likelyStyle, NUMBER_PATTERN, NUMBER_STYLES, plainNumber } from "winnow-release";

it.each([
  ["650,25", { comma: "650.25" }],
  ["1.234,50", { comma: "1234.50" }],
  ["1,234.50", { point: "1234.50" }],
  ["1.234", { plain: "1.234", point: "1.234", comma: "1234" }],
  ["1,234", { point: "1234", comma: "1.234" }],
  ["1 234 567,5", { comma: "1234567.5" }],
  ["1\u{202f}234,5 €", { comma: "1234.5" }],
  ["1'234.50", { point: "1234.50" }],
  ["CHF 1’234.50", { point: "1234.50" }],
  ["$-12", { point: "-12", comma: "-12" }],
  ["-£12.5", { point: "-12.5" }],
  ["12", { plain: "12", point: "12", comma: "12" }],
  ["1e3", { plain: "1e3" }],
  [".5", { plain: ".5" }],
])("reads %s in each style by its rule alone", (text, expected) => {
  const read = NUMBER_STYLES.flatMap((style) => {
    const plain = plainNumber(text, style);
    return plain === undefined ? [] : [[style, plain]];
  });
  expect(Object.fromEntries(read)).toEqual(expected);
});

it.each([
  "",
  "n/a",
  "12,34,5",
  "1.23,5",
  "1.234.56,7",
  "1 234'567,5",
  "€ 5 €€",
  "chf 5",
  "5 %",
  "--5",
  "-€-5",
  "1,5\n",
  "1.000.00",
  "€",
])("%j is no number in the style comma", (text) => {
  expect(plainNumber(text, "comma")).toBeUndefined();
});

it("every number that a style reads is one that all engines read", () => {
  const plain = new RegExp(NUMBER_PATTERN);
  for (const style of NUMBER_STYLES)
    for (const sign of ["", "-", "+"])
      for (const before of ["", "€", "EUR "])
        for (const digits of [
          "7",
          "650",
          "1.234",
          "1,234",
          "1.234.567",
          "1,234,567",
          "12 345",
          "0,5",
          "0.5",
        ]) {
          const read = plainNumber(sign + before + digits, style);
          if (read !== undefined) expect(read).toMatch(plain);
        }
});

it("names the style that would read at least half of what was skipped, and no other", () => {
  expect(likelyStyle({ point: 3, comma: 60 }, 100)).toBe("comma");
  expect(likelyStyle({ point: 60, comma: 3 }, 100)).toBe("point");
  expect(likelyStyle({ point: 10, comma: 10 }, 100)).toBeUndefined();
  expect(likelyStyle(undefined, 100)).toBeUndefined();
});
