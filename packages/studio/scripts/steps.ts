/**
 * What a person does on the page, step by step, by the names that a person sees.
 * @module
 */

import type { Locator, Page } from "playwright-core";

export const region = (page: Page, name: string): Locator => page.getByRole("region", { name, exact: true });
export const button = (page: Page, name: string): Locator => page.getByRole("button", { name, exact: true });

/** A file from the disk, or one made of its name and content. */
export type Chosen = string | { readonly name: string; readonly content: string | Buffer };

export async function chooseFile(page: Page, file: Chosen): Promise<void> {
  const input = page.getByLabel("Data file");
  if (typeof file === "string") return input.setInputFiles(file);
  return input.setInputFiles({ name: file.name, mimeType: "", buffer: Buffer.from(file.content) });
}

export async function tryExample(page: Page): Promise<void> {
  await button(page, "Try the example").click();
  await page.getByLabel("Item column").waitFor();
}

export async function countPeople(page: Page): Promise<void> {
  await button(page, "Count people").click();
  await button(page, "Count again").waitFor({ timeout: 120_000 });
}

/** The example, counted, with its public list of candidates. */
export async function countExample(page: Page): Promise<void> {
  await tryExample(page);
  await countPeople(page);
  await useList(page);
}

/** These candidates, or those of the example. */
export async function useList(page: Page, candidates?: readonly string[]): Promise<void> {
  await page.getByRole("radio", { name: "A public list" }).check();
  if (candidates === undefined) return button(page, "Use the example's list").click();
  await page.getByLabel("Candidates, one per line").fill(candidates.join("\n"));
}

export async function setBudget(page: Page, epsilon: string): Promise<void> {
  await page.getByLabel("Budget, epsilon").fill(epsilon);
  await button(page, "Set the budget").click();
  await page.getByRole("meter", { name: "Share of the budget that is spent" }).waitFor();
}

/** Presses the button, agrees to the price, and waits for the answer. */
export async function releaseOnce(page: Page): Promise<Locator> {
  await button(page, "Release…").click();
  await button(page, "Charge and release").click();
  await page.getByRole("dialog").waitFor({ state: "hidden" }); // the answer before may still be there
  const answer = region(page, "The answer").or(region(page, "Nothing stood out"));
  await answer.waitFor();
  return answer;
}
