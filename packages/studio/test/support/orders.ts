/**
 * A file with numbers in it, and with a column that has none.
 * @module
 */
import type { Page } from "playwright-core";

const ROWS = Array.from({ length: 900 }, (_, i) => `u${i},${(i % 150) + 0.5},shop ${i % 7}`);

export const ORDERS = { name: "orders.csv", content: ["user,amount,shop", ...ROWS].join("\n") };

export async function fillRange(page: Page, lowest: string, highest: string): Promise<void> {
  await page.getByRole("textbox", { name: "Lowest" }).fill(lowest);
  await page.getByRole("textbox", { name: "Highest" }).fill(highest);
}
