/**
 * What a person does on the page, step by step, by the names that a person sees.
 * @module
 */

import type { Locator, Page } from "playwright-core";

export const region = (page: Page, name: string): Locator => page.getByRole("region", { name, exact: true });
export const button = (page: Page, name: string | RegExp): Locator =>
  page.getByRole("button", { name, exact: true });

/** A file from the disk, or one made of its name and content. */
export type Chosen = string | { readonly name: string; readonly content: string | Buffer };

export async function chooseFile(page: Page, file: Chosen): Promise<void> {
  const input = page.getByLabel("Data file");
  if (typeof file === "string") return input.setInputFiles(file);
  return input.setInputFiles({ name: file.name, mimeType: "", buffer: Buffer.from(file.content) });
}

/** Where the header names both columns, people are counted at once; otherwise the button does. */
export async function countPeople(page: Page): Promise<void> {
  const settled = button(page, "Change the columns");
  const press = button(page, "Count people");
  await settled.or(press).waitFor({ timeout: 120_000 });
  if (await press.isVisible()) await press.click();
  await settled.waitFor({ timeout: 120_000 });
}

/** The example, counted; its candidates are on its public list. */
export async function countExample(page: Page): Promise<void> {
  await button(page, "Try the example").click();
  await countPeople(page);
  await page.getByRole("radio", { name: "Public list" }).check();
}

/** A file of our own with as many people, whose ledger is kept; its candidates are on a public list. */
export async function countVisits(page: Page): Promise<void> {
  await chooseFile(page, VISITS);
  await countPeople(page);
  await useList(page, AREAS);
}

const AREAS = ["search", "news", "maps", "mail", "sports", "weather"];

const VISITS = {
  name: "visits.csv",
  content: [
    "user,area",
    ...AREAS.flatMap((area, place) =>
      Array.from({ length: 600 - 90 * place }, (_, user) => `u${user},${area}`),
    ),
  ].join("\n"),
};

/** These candidates. */
export async function useList(page: Page, candidates: readonly string[]): Promise<void> {
  await page.getByRole("radio", { name: "Public list" }).check();
  await page.getByLabel("Candidates, one per line").fill(candidates.join("\n"));
  const winners = page.getByRole("textbox", { name: "Number of winners" });
  if (Number(await winners.inputValue()) > candidates.length - 1)
    await winners.fill(String(candidates.length - 1));
}

export async function setBudget(page: Page, epsilon: string): Promise<void> {
  await page.getByLabel("Budget, epsilon").fill(epsilon);
  await button(page, "Set the budget…").click();
  if (Number(epsilon) > 10) await agree(page);
  await button(page, "Set the budget").click();
  await page.getByRole("meter", { name: "Share of the budget that is spent" }).waitFor();
}

/** To a loss that protects hardly anyone. */
export async function agree(page: Page): Promise<void> {
  await page.getByRole("checkbox", { name: "I agree to this." }).check();
}

/** Presses the button, agrees to the price, and waits for the answer. */
export async function releaseOnce(page: Page): Promise<Locator> {
  await button(page, "Release…").click();
  await button(page, "Charge and release").click();
  await page.getByRole("dialog").waitFor({ state: "hidden" }); // the answer before may still be there
  const answer = page.locator(".answer");
  await answer.waitFor();
  return answer;
}

/** The released numbers as a table. */
export async function winnersTable(page: Page): Promise<Locator> {
  const table = page.getByRole("table", { name: "Released winners" });
  const numbers = page.locator("details", { has: page.getByText("The numbers", { exact: true }) });
  // Not by a click: while the answer is drawn and scrolled to, it could miss, or close again what just opened.
  await numbers.evaluate((details) => details.setAttribute("open", ""));
  await table.waitFor();
  return table;
}
