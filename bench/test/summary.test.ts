import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { DETAILS, HEADLINES, PICTURE, rowsIn, speed, summarised, summaryPicture } from "../src/summary.js";

const DOCS = new URL("../../docs/", import.meta.url);
const page = readFileSync(new URL("benchmarks.md", DOCS), "utf8");

describe("the summary of the benchmarks", () => {
  it("is what the tables below it say: otherwise run npm run bench -- --summary", () => {
    expect(summarised(page)).toBe(page);
    expect(readFileSync(new URL(`public/${PICTURE}`, DOCS), "utf8")).toBe(summaryPicture(page));
  });

  it("has every headline, in the table and in the picture", () => {
    const top = page.slice(0, page.indexOf(DETAILS));
    for (const { name } of HEADLINES) {
      expect(top).toContain(`| ${name} |`);
      expect(summaryPicture(page)).toContain(`>${name}</text>`);
    }
  });

  it("fits on one screen", () => {
    expect(page.slice(0, page.indexOf(DETAILS)).split("\n").length).toBeLessThan(30);
  });

  it("changes with a figure of the tables", () => {
    const row = rowsIn(page).find(({ work }) => work === HEADLINES[0].work)!;
    const slower = page.replaceAll(`${row.ours.toFixed(1)} ns/sample`, "999 ns/sample");
    expect(summarised(slower)).toContain("| Laplace noise | 1000 ns per sample |");
    expect(rowsIn(page.slice(0, page.indexOf(DETAILS)))).toEqual([]);
  });

  it.each([
    [0.5, "2.0 × faster"],
    [0.029, "34 × faster"],
    [0.99, "as fast"],
    [1.6, "1.6 × slower"],
  ])("a ratio of %d is %s", (ratio, words) => {
    expect(speed(ratio)).toBe(words);
  });
});
