/**
 * axe, in the page.
 * @module
 */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import type { Page } from "playwright-core";
import { expect } from "vitest";

const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

/** It finds nothing to fix; `step` says where, if it does. */
export async function expectAccessible(page: Page, step: string): Promise<void> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(await readFile(AXE, "utf8"));
  const { violations } = await page.evaluate<AxeResults>("axe.run()");
  const found = violations.map(
    ({ id, nodes }) => `${step}: ${id} at ${nodes.map(({ target }) => target).join(", ")}`,
  );
  expect(found).toEqual([]);
}
