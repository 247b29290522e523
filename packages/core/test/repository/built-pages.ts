/**
 * The built site as a visitor sees it: its pages, their links, unrendered TeX, and their layout in a browser.
 * @module
 */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { posix } from "node:path";

export interface BuiltPage {
  /** From the root of the site. */
  readonly path: string;
  readonly html: string;
}

/** All pages of a built site. */
export function builtPages(root: string): BuiltPage[] {
  return readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".html"))
    .map((path) => ({ path: `/${path}`, html: readFileSync(`${root}/${path}`, "utf8") }));
}

const TARGET = /\b(?:href|src)="(?![a-z]+:|\/\/)([^"]*)"/g;

/** Links of a page to files that the site does not have, and to places that a page does not have. */
export function brokenLinks(root: string, { path, html }: BuiltPage): string[] {
  return [...html.matchAll(TARGET)]
    .map(([, target]) => target.replaceAll("&amp;", "&"))
    .filter((target) => !leadsSomewhere(root, path, target));
}

/** The pages of the site that a page leads to. */
export function linksOf(from: string, html: string): Set<string> {
  const targets = Array.from(html.matchAll(TARGET), ([, target]) => target.split("#")[0]);
  const pages = targets.filter((target) => target.endsWith(".html"));
  return new Set(pages.map((target) => posix.resolve(posix.dirname(from), target)));
}

function leadsSomewhere(root: string, from: string, target: string): boolean {
  const [file, place] = decodeURI(target).split("#");
  const path = file === "" ? from : posix.resolve(posix.dirname(from), file);
  const found = [path, `${path}.html`, `${path}/index.html`].find((name) => isFile(root + name));
  if (found === undefined) return false;
  return !place || readFileSync(root + found, "utf8").includes(`id="${place}"`);
}

function isFile(path: string): boolean {
  return existsSync(path) && statSync(path).isFile();
}

const NO_TEXT = /<(script|style|pre|code)\b.*?<\/\1>|<[^>]*>/gs;
const TEX = /\$[^$\n]{1,60}\$|\\[a-z]{2,}\{/g;

/** Mathematics that was not rendered. */
export function rawMathematics({ html }: BuiltPage): string[] {
  return html.replace(NO_TEXT, " ").match(TEX) ?? [];
}

/** What a browser finds on each page at each width: parts that are cut off, and pages that scroll sideways. */
export async function clippedParts(
  root: string,
  paths: readonly string[],
  widths: readonly number[],
): Promise<string[]> {
  const found: string[] = [];
  await visit(root, paths, async (page, path) => {
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 });
      const parts: string[] = await page.evaluate(`(${partsCutOff})()`);
      found.push(...parts.map((part) => `${path} at ${width}: ${part}`));
    }
  });
  return found;
}

/** The switch between light and dark gets its name from a script, which these pages don't have. */
const NAMED_BY_SCRIPT = ".VPSwitchAppearance";

/** What axe finds on each page, in the light and in the dark. */
export async function inaccessibleParts(root: string, paths: readonly string[]): Promise<string[]> {
  const axe = createRequire(new URL("../../../studio/package.json", import.meta.url)).resolve(
    "axe-core/axe.min.js",
  );
  const found: string[] = [];
  await visit(root, paths, async (page, path) => {
    await page.evaluate(readFileSync(axe, "utf8"));
    for (const isDark of [false, true]) {
      await page.evaluate(`document.documentElement.classList.toggle("dark", ${isDark})`);
      const { violations }: AxeResults = await page.evaluate(
        `axe.run({ exclude: [["${NAMED_BY_SCRIPT}"]] })`,
      );
      found.push(
        ...violations.flatMap(({ id, nodes }) =>
          nodes.map(({ target }) => `${path}${isDark ? " in the dark" : ""}: ${id} at ${target.join(" ")}`),
        ),
      );
    }
  });
  return found;
}

/** Opens each page of a built site in a browser. */
async function visit(
  root: string,
  paths: readonly string[],
  look: (page: Page, path: string) => Promise<void>,
): Promise<void> {
  const { launchChromium, locateChromium } = await import(
    new URL("../../../studio/scripts/chromium.ts", import.meta.url).href
  );
  const executable = await locateChromium();
  if (executable === undefined) throw new Error("the site's layout needs Chromium on the PATH");
  const server = createServer(({ url = "/" }, response) => {
    const path = root + decodeURI(url.split(/[?#]/)[0]).replace(/\/$/, "/index.html");
    if (isFile(path)) response.setHeader("Content-Type", TYPES[posix.extname(path)] ?? "text/plain");
    response.end(isFile(path) ? readFileSync(path) : "");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  const browser = await launchChromium(executable);
  try {
    const page = await browser.newPage({ reducedMotion: "reduce" });
    for (const path of paths) {
      await page.goto(`http://127.0.0.1:${port}${path}`);
      await look(page, path);
    }
  } finally {
    await browser.close();
    server.close();
  }
}

/** What is used of a page of playwright-core. */
interface Page {
  setViewportSize(size: { width: number; height: number }): Promise<void>;
  // biome-ignore lint/suspicious/noExplicitAny: what a script in the page answers
  evaluate(script: string): Promise<any>;
}

/** What is used of axe's results. */
interface AxeResults {
  readonly violations: readonly {
    readonly id: string;
    readonly nodes: readonly { readonly target: readonly string[] }[];
  }[];
}

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".css": "text/css",
  ".js": "text/javascript",
  ".svg": "image/svg+xml",
  ".png": "image/png",
};

/** Runs in the browser. A table, a formula or a listing may scroll by itself; nothing else may. */
const partsCutOff = `() => {
  const sheet = document.documentElement;
  const found = sheet.scrollWidth > sheet.clientWidth ? ["the page is " + sheet.scrollWidth + " wide"] : [];
  const named = (element, how) => element.tagName + "." + element.className + " " + how + ": " + element.textContent.trim().slice(0, 40);
  const elements = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT, (element) =>
    element.matches("svg, mjx-container, .visually-hidden") ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT,
  );
  while (elements.nextNode()) {
    const element = elements.currentNode;
    if (element.clientWidth > 1 && element.scrollWidth > element.clientWidth + 1 && element.textContent.trim()) {
      const { overflowX, visibility } = getComputedStyle(element);
      if (visibility !== "hidden" && ["hidden", "clip"].includes(overflowX)) found.push(named(element, "is cut off"));
    }
  }
  for (const bar of document.querySelectorAll(".VPSidebar")) {
    const box = bar.getBoundingClientRect();
    for (const element of box.left < 0 ? [] : bar.querySelectorAll("*")) {
      const { left, right, width } = element.getBoundingClientRect();
      if (width > 1 && (left < box.left || right > box.right + 1)) found.push(named(element, "leaves the sidebar"));
    }
  }
  return found;
}`;
