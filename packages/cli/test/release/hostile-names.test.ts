/** Item names come from strangers: none of them may act where it is shown. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { winnowHere } from "../support/in-process.js";
import { visitsOf } from "../support/visits.js";
import { type Ended, folder } from "../support/winnow.js";

const NAMES = [
  "\x1b[2J\x1b]0;owned\x07red\x1b[31m",
  "\x9b31mC1",
  "back\bspace\x00nul\x7fdel",
  "abc\u202Egpj.exe",
  "zero\u200Bwidth\uFEFF",
  "separated\u2028lines\u2029here",
  '=HYPERLINK("http://example.org";"x")',
  "+1+cmd|' /C calc'!A0",
  "@SUM(1+1)",
  "-2+3",
  "<script>alert(1)</script>",
  '"><img src=x onerror=alert(1)>',
  "]]><svg onload=alert(1)>",
  "& &amp; <b>",
];
const COUNTS = Object.fromEntries(NAMES.map((name, i) => [name, 2000 - 100 * i]));
const FILES = { "visits.csv": visitsOf(COUNTS), "names.txt": [...NAMES, "nobody"].join("\n") };
const ASKED = ["top", "visits.csv", "--item", "area", "--user", "user", "-k", String(NAMES.length)];
const LISTED = [...ASKED, "--epsilon", "10", "--domain", "names.txt"];

/** Everything but the newline that could move a cursor, change a colour, hide or turn text around. */
const ACTIVE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

function expectQuiet({ exit, stdout, stderr }: Ended): void {
  expect(exit, stderr).toBe(0);
  for (const text of [stdout, stderr]) expect(text.replaceAll("\n", "")).not.toMatch(ACTIVE);
}

describe("names that would act", () => {
  it("do nothing on a terminal", async () => {
    const place = folder(FILES);
    const ended = await winnowHere(place, [...LISTED, "--statement"]);
    expectQuiet(ended);
    expect(ended.stdout).toContain("\\u{1b}[2J");
    expectQuiet(await winnowHere(place, [...ASKED, "--epsilon", "20", "--delta", "1e-3", "--yes"]));
  });

  it("are no formulas in CSV", async () => {
    const { stdout } = await winnowHere(folder(FILES), [...LISTED, "--csv"]);
    expect(stdout.replaceAll("\r\n", "")).not.toMatch(ACTIVE);
    const fields = stdout
      .split("\r\n")
      .slice(1, -1)
      .map((line) => /^\d+,(?:"((?:[^"]|"")*)"|([^",]*)),/.exec(line)!);
    expect(fields).toHaveLength(NAMES.length);
    for (const [, quoted, plain] of fields) expect(quoted ?? plain).not.toMatch(/^\s*[=+\-@]/);
  });

  it("are text in JSON, exactly", async () => {
    const { stdout } = await winnowHere(folder(FILES), [...LISTED, "--json"]);
    expect(stdout.replaceAll("\n", "")).not.toMatch(ACTIVE);
    expect(stdout).not.toContain("<script");
    const { winners } = JSON.parse(stdout).answer;
    expect(winners.map(({ item }: { item: string }) => item).toSorted()).toEqual(NAMES.toSorted());
  });

  it("are text in a picture", async () => {
    const place = folder(FILES);
    expect((await winnowHere(place, [...LISTED, "--plot", "names.svg"])).exit).toBe(0);
    const svg = readFileSync(place.file("names.svg"), "utf8");
    expect(svg.replaceAll("\n", "")).not.toMatch(ACTIVE);
    const tags = [...svg.matchAll(/<[^>]*>/g)].map(([tag]) => tag);
    const named = tags.filter((tag) => /^<\/?(?:svg|title|desc|style|rect|text|g|path)\b/.test(tag));
    expect(named).toEqual(tags);
    expect(tags.filter((tag) => /\son\w+\s*=|href/i.test(tag))).toEqual([]);
  });

  it("of data sets, columns and units do nothing either", async () => {
    const evil = "\x1b[31mevil\u202E<script>";
    const place = folder({ "visits.csv": `user,"${evil.replaceAll("\x1b", "")}"\na,mail\nb,mail\n` });
    const args = [
      "top",
      "visits.csv",
      "--item",
      evil.replaceAll("\x1b", ""),
      "--user",
      "user",
      "-k",
      "1",
      "--epsilon",
      "1",
      "--domain-size",
      "5",
    ];
    expectQuiet(
      await winnowHere(place, [
        ...args,
        "--dataset",
        evil,
        "--unit",
        evil,
        "--release-id",
        "june",
        "--statement",
        "--yes",
      ]),
    );
    const refused = await winnowHere(place, [
      "top",
      `${evil}.csv`,
      "-k",
      "1",
      "--epsilon",
      "1",
      "--domain-size",
      "5",
    ]);
    expect(refused.stderr.replaceAll("\n", "")).not.toMatch(ACTIVE);
  });
});
