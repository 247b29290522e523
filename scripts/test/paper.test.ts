/** The rules of the Journal of Open Source Software for a paper, as far as a program can check them. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const read = (name: string) => readFileSync(new URL(`../../paper/${name}`, import.meta.url), "utf8");
const [, header, body] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(read("paper.md")) ?? [];
const keys = [...read("paper.bib").matchAll(/^@\w+\{(\w+),/gm)].map(([, key]) => key);

const SECTIONS = [
  "Summary",
  "Statement of need",
  "State of the field",
  "Software design",
  "Research impact statement",
  "AI usage disclosure",
  "Acknowledgements",
  "References",
];

describe("the paper", () => {
  it("has the fields that the journal's template asks for", () => {
    for (const field of ["title", "tags", "authors", "affiliations", "date", "bibliography"])
      expect(header).toMatch(new RegExp(`^${field}:`, "m"));
  });

  it("has the sections that the journal asks for, and no others", () => {
    expect([...body.matchAll(/^# (.*)$/gm)].map(([, title]) => title)).toEqual(SECTIONS);
  });

  it("has 750 to 1,750 words", () => {
    const words = body.split(/\s+/).filter(Boolean).length;
    expect(words).toBeGreaterThanOrEqual(750);
    expect(words).toBeLessThanOrEqual(1750);
  });

  it("cites what its bibliography has, and nothing stands there uncited", () => {
    const cited = [...body.matchAll(/@(\w+)/g)].map(([, key]) => key);
    expect([...new Set(cited)].sort()).toEqual([...keys].sort());
  });

  it("shows no program: that is for the documentation", () => expect(body).not.toContain("```"));
});
