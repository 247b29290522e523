import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
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

  it("names its version, its source and where to edit a page that a person wrote", () => {
    const { version } = JSON.parse(read("docs/package.json"));
    const page = read(`${BUILT}/guide/choosing.html`);
    expect(page).toContain(`v${version}`);
    expect(page).toMatch(/href="https:\/\/github\.com\/[\w/-]+"[^>]*aria-label="Source code"/);
    expect(page).toMatch(/href="https:\/\/github\.com\/[\w/-]+\/edit\/main\/docs\/guide\/choosing\.md"/);
    expect(read(`${BUILT}/api/winnow-dp/functions/topK.html`)).not.toContain("/edit/main/docs/api");
    expect(read(`${BUILT}/benchmarks.html`)).not.toContain("/edit/main/docs/benchmarks.md");
  });

  it("has a small index for its search, of guides in full and of the reference by name", () => {
    const chunks = readdirSync(`${ROOT}${BUILT}/assets/chunks`).filter((name) =>
      /localSearchIndex/.test(name),
    );
    expect(chunks).toHaveLength(1);
    const index = read(`${BUILT}/assets/chunks/${chunks[0]}`);
    expect(index.length).toBeLessThan(500_000);
    expect(index).toContain("/guide/reading.html#lines");
    expect(index).toContain("/api/winnow-dp/functions/topKWithGap.html#topkwithgap");
    expect(index).not.toContain("/api/winnow-dp/functions/topKWithGap.html#parameters");
  });

  it.each([
    ["winnow-dp", "functions/topKWithGap", "The k largest", "Errors"],
    [
      "winnow-dp/sample",
      "functions/discreteLaplace",
      "One draw at any rational parameter",
      "Real numbers, revealed as far as a decision needs",
    ],
    ["winnow-audit", "functions/likelihoodRatio", "What laws prove", "Unsafe: what textbooks do"],
    ["winnow-dp/testing", "functions/bitTree", "Exact laws by exhaustion", "Bits that repeat"],
  ])("the index of %s has its sections in order and leads to %s", (entryPoint, page, first, last) => {
    const index = read(`${BUILT}/api/${entryPoint}/index.html`);
    const sections = [...index.matchAll(/<h2 id[^>]*>([^<]*)/g)].map(([, title]) => title.trim());
    expect(sections.at(0)).toContain(first);
    expect(sections.at(-1)).toBe(last);
    expect(index).toContain(`href="/api/${entryPoint}/${page}.html"`);
  });

  const reference = () => builtPages(ROOT + BUILT).filter(({ path }) => path.startsWith("/api/"));

  it("has a page for each export, whose parameters all have names", () => {
    expect(reference().length).toBeGreaterThan(250);
    expect(reference().filter(({ html }) => html.includes("__namedParameters"))).toEqual([]);
  });

  it("says a sentence about each export in its index", () => {
    const indexes = reference().filter(({ path }) => path.endsWith("/index.html"));
    expect(indexes).toHaveLength(5);
    expect(indexes.filter(({ html }) => /<td[^>]*>-<\/td>/.test(html)).map(({ path }) => path)).toEqual([]);
  });

  it("leads from what the sources name to the pages", () => {
    const page = read(`${BUILT}/api/winnow-dp/interfaces/NoisyTopK.html`);
    expect(page).toMatch(/<a href="\/mechanisms\/noisy-top-k.html">[^<]*<\/a>/);
    expect(page).toMatch(/<a href="\/api\/winnow-dp\/functions\/makeNoisyTopK.html"><code>/);
    expect(
      reference().filter(({ html }) => html.replace(/<script.*?<\/script>/gs, "").includes("docs/proofs/")),
    ).toEqual([]);
  });
});
