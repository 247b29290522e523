/**
 * What the page says when it refuses.
 * @module
 */
import type { Page } from "playwright-core";
import { expect } from "vitest";

export async function expectProblem(page: Page, sentence: string): Promise<void> {
  const alert = page.getByRole("alert").filter({ hasText: sentence });
  await alert.first().waitFor();
  expect(await alert.first().innerText()).toContain(sentence);
}
