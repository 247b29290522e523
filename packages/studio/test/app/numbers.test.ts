import { describe, expect, it } from "vitest";
import {
  about,
  atLeast,
  atMost,
  bytes,
  counted,
  percent,
  short,
  whole,
} from "../../src/app/parts/in-words.js";

describe("about what was typed", () => {
  it.each([
    ["1", 1],
    ["0.5", 0.5],
    [" 1/4 ", 0.25],
    ["1 / 4", 0.25],
    ["1e-6", 1e-6],
  ])("%s is %d", (text, value) => expect(about(text)).toBe(value));

  it.each(["", " ", "0", "-1", "1/0", "1/-2", "/2", "1/2/3", "one", "Infinity", "NaN"])(
    '"%s" is no number above zero',
    (text) => expect(about(text)).toBeUndefined(),
  );
});

describe("numbers as people read them", () => {
  it.each([
    [whole(1234567), "1,234,567"],
    [short(0.123456), "0.123"],
    [atMost(403.1), "404"],
    [atMost(2), "2"],
    [atLeast(4.799), "4.79"],
    [percent(0.256), "26\u{a0}%"],
    [percent(0.256, 1), "25.6\u{a0}%"],
    [bytes(0), "0 bytes"],
    [bytes(999), "999 bytes"],
    [bytes(51_300), "51.3 kB"],
    [bytes(2e9), "2 GB"],
    [bytes(5e12), "5,000 GB"],
    [counted(1, "person", "people"), "1 person"],
    [counted(2000, "person", "people"), "2,000 people"],
  ])("%s is %s", (shown, expected) => expect(shown).toBe(expected));
});
