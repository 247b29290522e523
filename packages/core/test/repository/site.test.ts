import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type BuiltPage,
  brokenLinks,
  builtPages,
  clippedParts,
  inaccessibleParts,
  linksOf,
  rawMathematics,
} from "./built-pages.js";
import { ROOT, read as readProject } from "./project.js";

describe("the documentation site", () => {
  const built = mkdtempSync(join(tmpdir(), "winnow-site-"));
  const read = (path: string) => readFileSync(join(built, path), "utf8");
  let pages: readonly BuiltPage[];

  // The pages as `npm run docs` renders them, without the scripts that turn pages in a browser: those take half of the time.
  beforeAll(() => {
    const build = ["run", "build", "--workspace", "docs", "--", "--mpa", "--outDir", built];
    execFileSync("npm", build, { cwd: ROOT, stdio: "pipe" });
    pages = builtPages(built);
  }, 900_000); // half a minute on a quiet machine

  afterAll(() => rmSync(built, { recursive: true }));

  it("has rendered mathematics in its proofs", () => {
    const page = read("proofs/permute-and-flip.html");
    expect(page).toContain("<mjx-container");
    expect(page).not.toMatch(/\$q_1|\$\$/);
  });

  /** What a check finds on each page, by its path. */
  function findings(check: (page: BuiltPage) => string[]): Record<string, string[]> {
    const found = pages.map((page) => [page.path, check(page)] as const);
    return Object.fromEntries(found.filter(([, list]) => list.length > 0));
  }

  it("has no link that leads nowhere, also within pages", () => {
    expect(findings((page) => brokenLinks(built, page))).toEqual({});
  });

  it("would not pass with a link to a page or a place that is not there", () => {
    const html =
      '<a href="choosing.html#the-table"/><a href="choosing.html#nowhere"/><a href="/nowhere"/><a href="/start"/>';
    expect(brokenLinks(built, { path: "/guide/a.html", html })).toEqual([
      "choosing.html#nowhere",
      "/nowhere",
    ]);
    expect(rawMathematics({ path: "/", html: "<h1>Top-$k$</h1><code>$HOME$</code>" })).toEqual(["$k$"]);
  });

  it("shows no mathematics as TeX, in titles and references either", () => {
    expect(findings(rawMathematics)).toEqual({});
  });

  it("leads from a citation to the paper", () => {
    expect(read("proofs/permute-and-flip.html")).toContain('href="/references.html#ms20"');
    expect(read("references.html")).toContain('id="ms20"');
  });

  it("names its version, its source and where to edit a page that a person wrote", () => {
    const { version } = JSON.parse(readProject("docs/package.json"));
    const page = read("guide/choosing.html");
    expect(page).toContain(`v${version}`);
    expect(page).toMatch(/href="https:\/\/github\.com\/[\w/-]+"[^>]*aria-label="Source code"/);
    expect(page).toMatch(/href="https:\/\/github\.com\/[\w/-]+\/edit\/main\/docs\/guide\/choosing\.md"/);
    expect(read("proofs/race.html")).toContain("/edit/main/packages/core/src/race/race.proof.md");
    expect(read("api/winnow-dp/functions/topK.html")).not.toContain("/edit/main/docs/api");
    expect(read("benchmarks.html")).not.toContain("/edit/main/docs/benchmarks.md");
  });

  it("keeps options of commands whole where a line wraps, and copies them as they are", () => {
    const [line] = /<span class="line">(?:(?!\n).)*--epsilon.*/.exec(read("guide/recipes.html")) ?? [""];
    expect(line).toMatch(/ <span [^>]*class="option">--epsilon<\/span>/);
    expect(line.replaceAll(/<[^>]+>/g, "")).toMatch(/^winnow budget init visits --epsilon 6 --delta 1e-5/);
  });

  const LAYOUTS = ["/", "/start.html", "/guide/command-line.html", "/guide/errors.html", "/proofs/race.html"];
  const OTHERS = [
    "/mechanisms/top-k.html",
    "/benchmarks.html",
    "/references.html",
    "/api/winnow-dp/index.html",
  ];
  const WIDTHS = [320, 390, 768, 960, 1280, 1440, 1480, 1535, 1920];

  it("cuts nothing off and doesn't scroll sideways, from 320 to 1920 pixels", async () => {
    const paths = [...LAYOUTS, ...OTHERS, "/api/winnow-dp/functions/topKWithGap.html"];
    expect(await clippedParts(built, paths, WIDTHS)).toEqual([]);
  }, 600_000); // seconds on a quiet machine

  it("would not pass with a wide page or a sidebar that is cut", async () => {
    const wide = '<p style="width: 500px">wide</p>';
    const cut =
      '<div class="VPSidebar" style="width: 90px"><p style="width: 99px">cut</p></div><p style="width: 40px; overflow: hidden">Incomprehensibilities</p>';
    writeFileSync(join(built, "layout.html"), `<!DOCTYPE html><body>${wide}${cut}</body>`);
    expect(await clippedParts(built, ["/layout.html"], [320, 900])).toEqual([
      expect.stringContaining("the page is"),
      expect.stringContaining("is cut off: Incomprehensibilities"),
      expect.stringContaining("leaves the sidebar: cut"),
      expect.stringContaining("is cut off: Incomprehensibilities"),
      expect.stringContaining("leaves the sidebar: cut"),
    ]);
  }, 600_000);

  it("gives axe nothing to fix on ten pages, in the light and in the dark", async () => {
    const paths = [...LAYOUTS, ...OTHERS, "/guide/which-epsilon.html"];
    expect(paths).toHaveLength(10);
    expect(await inaccessibleParts(built, paths)).toEqual([]);
  }, 600_000); // seconds on a quiet machine

  it("would not pass with a picture that says nothing and grey text", async () => {
    const page = '<main><h1 style="color: #999">Title</h1><img src="/icon.svg"></main>';
    writeFileSync(
      join(built, "bare.html"),
      `<!DOCTYPE html><html lang="en"><title>Bare</title><body>${page}</body></html>`,
    );
    const found = await inaccessibleParts(built, ["/bare.html"]);
    expect(found.join()).toMatch(/color-contrast at h1.*image-alt at img/);
  }, 600_000);

  it.each([
    ["an analyst", "How do I publish a top ten of a file?", "/start.html", "winnow top visits.csv"],
    ["an analyst", "Which ε do I take?", "/guide/which-epsilon.html", "How to choose"],
    ["an analyst", "Why are there fewer names than I asked for?", "/guide/faq.html", "fewer names"],
    ["a developer", "How do I call it from TypeScript?", "/guide/library.html", "topK"],
    ["a developer", "And from a frame of pandas?", "/guide/python.html", "pandas"],
    ["a team", "How do several people share one budget?", "/guide/team.html", "budget"],
    [
      "a team",
      "What happens while the database is away?",
      "/guide/running-faults.html",
      "When the database is away",
    ],
    ["a privacy officer", "Is a release anonymous in the sense of the GDPR?", "/guide/faq.html", "GDPR"],
    ["a reader of a release", "Why believe it?", "/guide/trusting-a-release.html", "winnow verify"],
    ["a researcher", "How do I check a claim myself?", "/guide/checking.html", "npm run audit"],
  ])("answers %s within two clicks: %s", (_, __, target, answer) => {
    expect(read(target).replaceAll(/<[^>]+>/g, "")).toContain(answer);
    const first = linksOf("/index.html", read("index.html"));
    const second = [...first].flatMap((path) => [...linksOf(path, read(path))]);
    expect([...first, ...second]).toContain(target);
  });

  it.each([
    ["winnow-dp", "functions/topKWithGap", "From a public list", "Errors, and how parameters are read"],
    [
      "winnow-dp/sample",
      "functions/discreteLaplace",
      "One draw at any rational parameter",
      "Real numbers, revealed as far as a decision needs",
    ],
    ["winnow-audit", "functions/likelihoodRatio", "What laws prove", "Unsafe: what textbooks do"],
    ["winnow-release", "functions/makeRelease", "The question", "Example data"],
    ["winnow-dp/testing", "functions/bitTree", "Exact laws by exhaustion", "Bits that repeat"],
  ])("the index of %s has its sections in order and leads to %s", (entryPoint, page, first, last) => {
    const index = read(`api/${entryPoint}/index.html`);
    const sections = [...index.matchAll(/<h2 id[^>]*>([^<]*)/g)].map(([, title]) => title.trim());
    expect(sections.at(0)).toContain(first);
    expect(sections.at(-1)).toBe(last);
    expect(index).toContain(`href="/api/${entryPoint}/${page}.html"`);
  });

  const reference = () => pages.filter(({ path }) => path.startsWith("/api/"));

  it("has a page for each export, whose parameters all have names", () => {
    expect(reference().length).toBeGreaterThan(250);
    expect(reference().filter(({ html }) => html.includes("__namedParameters"))).toEqual([]);
  });

  it("has an example on the page of each function and class of the library", () => {
    const values = reference().filter(({ path }) => /^\/api\/winnow-dp\/.*(functions|classes)\//.test(path));
    expect(values.length).toBeGreaterThan(90);
    expect(
      values.filter(({ html }) => !/<h[2-6] id="examples?[-\d"]/.test(html)).map(({ path }) => path),
    ).toEqual([]);
  });

  it("says a sentence about each export in its index", () => {
    const indexes = reference().filter(({ path }) => path.endsWith("/index.html"));
    expect(indexes).toHaveLength(7);
    expect(indexes.filter(({ html }) => /<td[^>]*>-<\/td>/.test(html)).map(({ path }) => path)).toEqual([]);
  });

  it("leads from what the sources name to the pages", () => {
    const page = read("api/winnow-dp/interfaces/NoisyTopK.html");
    expect(page).toMatch(/<a href="\/mechanisms\/noisy-top-k.html">[^<]*<\/a>/);
    expect(page).toMatch(/<a href="\/api\/winnow-dp\/functions\/makeNoisyTopK.html"><code>/);
    expect(
      reference().filter(({ html }) => html.replace(/<script.*?<\/script>/gs, "").includes("docs/proofs/")),
    ).toEqual([]);
  });
});

describe("the search of the site", () => {
  const html =
    "<h1>Title</h1><p>First <mjx-container>x</mjx-container></p><h2>Parameters</h2><p>Second</p><h2>Returns</h2>";

  async function indexed(relativePath: string): Promise<string> {
    const { searchOptions } = await import(
      new URL("../../../../docs/.vitepress/search.ts", import.meta.url).href
    );
    return searchOptions()._render("", { relativePath }, { render: () => html });
  }

  it("has guides in full, without the drawings of formulas", async () => {
    expect(await indexed("guide/reading.md")).toBe(html.replace("<mjx-container>x</mjx-container>", ""));
  });

  it("has proofs by their headings and the reference by its names, each with the first paragraph", async () => {
    const brief = "<h1>Title</h1>\n<p>First </p>";
    expect(await indexed("api/winnow-dp/functions/topK.md")).toBe(brief);
    expect(await indexed("proofs/race.md")).toBe(`${brief}\n<h2>Parameters</h2>\n<h2>Returns</h2>`);
  });
});
