import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { FIGURES } from "../src/figures/index.js";

const docs = new URL("../../docs/", import.meta.url);
const pages = readdirSync(new URL("mechanisms/", docs))
  .filter((name) => name !== "index.md")
  .map((name) => name.replace(".md", ""));

describe("the figures of the mechanisms' pages", () => {
  it("are one for each page", () => {
    expect(Object.keys(FIGURES).sort()).toEqual(pages.sort());
  });

  it.each(pages)("%s has its figure and a formula", (page) => {
    const text = readFileSync(new URL(`mechanisms/${page}.md`, docs), "utf8");
    expect(text).toContain(`](../public/figures/${page}.svg)`);
    expect(text).toMatch(/^\$\$$/m);
  });

  it.each(pages)("%s is drawn as it stands in the documents", (page) => {
    const drawn = FIGURES[page]();
    expect(drawn).not.toContain("NaN");
    expect(drawn).toBe(readFileSync(new URL(`public/figures/${page}.svg`, docs), "utf8"));
  });
});
