import { execFileSync } from "node:child_process";
import { beforeAll, describe, expect, it } from "vitest";
import { type BuiltPage, brokenLinks, builtPages, rawMathematics } from "./built-pages.js";
import { ROOT, read } from "./project.js";

const BUILT = "docs/.vitepress/dist";

describe("the documentation site", () => {
  beforeAll(() => {
    execFileSync("npm", ["run", "build", "--workspace", "docs"], { cwd: ROOT, stdio: "pipe" });
  }, 900_000); // a minute on a quiet machine

  it("has rendered mathematics in its proofs", () => {
    const page = read(`${BUILT}/proofs/permute-and-flip.html`);
    expect(page).toContain("<mjx-container");
    expect(page).not.toMatch(/\$q_1|\$\$/);
  });

  /** What a check finds on each page, by its path. */
  function findings(check: (page: BuiltPage) => string[]): Record<string, string[]> {
    const found = builtPages(ROOT + BUILT).map((page) => [page.path, check(page)] as const);
    return Object.fromEntries(found.filter(([, list]) => list.length > 0));
  }

  it("has no link that leads nowhere, also within pages", () => {
    expect(findings((page) => brokenLinks(ROOT + BUILT, page))).toEqual({});
  });

  it("would not pass with a link to a page or a place that is not there", () => {
    const html =
      '<a href="choosing.html#the-table"/><a href="choosing.html#nowhere"/><a href="/nowhere"/><a href="/start"/>';
    expect(brokenLinks(ROOT + BUILT, { path: "/guide/a.html", html })).toEqual([
      "choosing.html#nowhere",
      "/nowhere",
    ]);
    expect(rawMathematics({ path: "/", html: "<h1>Top-$k$</h1><code>$HOME$</code>" })).toEqual(["$k$"]);
  });

  it("shows no mathematics as TeX, in titles and references either", () => {
    expect(findings(rawMathematics)).toEqual({});
  });

  it("leads from a citation to the paper", () => {
    expect(read(`${BUILT}/proofs/permute-and-flip.html`)).toContain('href="/references.html#ms20"');
    expect(read(`${BUILT}/references.html`)).toContain('id="ms20"');
  });

  it.each([
    ["api/winnow-dp", "topKWithGap"],
    ["api/winnow-dp/sample", "discreteLaplace"],
    ["api/winnow-dp/audit", "likelihoodRatio"],
    ["api/winnow-dp/testing", "bitTree"],
  ])("%s documents %s", (page, name) => {
    expect(read(`${BUILT}/${page}.html`)).toContain(name);
  });
});
