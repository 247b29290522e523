/**
 * The page in another language: each text in brackets and a third longer, as in German. What isn't in brackets is data, a number, or what the
 * library says in every front end.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { build, type Plugin } from "vite";
import { afterAll, expect, it } from "vitest";
import { translation } from "../../scripts/translation.js";
import config from "../../vite.config.js";
import { PATIENTLY } from "../support/patiently.js";
import { studioBrowser } from "../support/studio-browser.js";

const longer = (text: string) => `⟦${text}${"~".repeat(Math.ceil(text.length / 3))}⟧`;

const folders: string[] = [];
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))));

const studio = studioBrowser(async () => {
  const outDir = await mkdtemp(join(tmpdir(), "winnow-translated-"));
  folders.push(outDir);
  const plugins = (config.plugins as Plugin[]).filter(({ name }) => !ELSEWHERE.includes(name));
  await build({
    ...config,
    ...{ configFile: false, logLevel: "error", root: fileURLToPath(new URL("../..", import.meta.url)) },
    plugins: [translation(longer), ...plugins],
    build: { ...config.build, outDir, minify: false },
  });
  return outDir;
});

/** These write into the package that is shipped. */
const ELSEWHERE = ["winnow-translation", "winnow-into-command-line", "winnow-single-file"];

it("shows every text of its own translated, and fits on a phone", async () => {
  const page = await studio.open({
    context: await studio.context({ viewport: { width: 390, height: 844 }, reducedMotion: "reduce" }),
  });
  await page.getByRole("button", { name: /^⟦Try the example~+⟧$/ }).click();
  await page.getByRole("button", { name: /^⟦Change the columns~+⟧$/ }).waitFor();
  await expect.poll(() => page.locator(".verdict").first().innerText(), PATIENTLY).toContain("⟦At ε = ");
  await page.locator("details").evaluateAll((all) => {
    for (const details of all) details.setAttribute("open", "");
  });
  expect(await untranslated(page)).toEqual([]);
  const { scroll, width } = await page.evaluate(() => ({
    scroll: document.documentElement.scrollWidth,
    width: document.documentElement.clientWidth,
  }));
  expect(scroll).toBeLessThanOrEqual(width);
});

/** Blocks of words that have no bracket. */
function untranslated(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const blocks = document.querySelectorAll<HTMLElement>(
      "h1, h2, h3, label, legend, summary, button, th, p, footer span, .hint",
    );
    const texts = [...blocks].map(({ innerText }) => innerText.trim());
    return texts.filter((text) => /\p{L}{3}/u.test(text) && !text.includes("⟦"));
  });
}
