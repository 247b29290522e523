/** What leaves the page by hand: the ledger as a file, and the picture. */
import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { type PublishedRelease, readLedgerFile } from "winnow-release";
import { verifyChain } from "../../../release/src/ledger/hash-chain.js";
import {
  button,
  chooseFile,
  countPeople,
  countVisits,
  region,
  releaseOnce,
  setBudget,
} from "../../scripts/steps.js";
import { evictLedger } from "../support/evict-ledger.js";
import { PATIENTLY } from "../support/patiently.js";
import { studioBrowser } from "../support/studio-browser.js";

const studio = studioBrowser();
const OTHER = {
  name: "shop.csv",
  content: ["user,item", ...Array.from({ length: 50 }, (_, u) => `u${u},tea`)].join("\n"),
};

it("the ledger is saved, verifies a release, and is the way back when the browser has lost it; other data sets go on", async () => {
  const page = await studio.open();
  await countVisits(page);
  await setBudget(page, "5");
  await releaseOnce(page);
  const release: PublishedRelease = JSON.parse(String(await download(page, "Download JSON")));
  const saved = await download(page, "Save the ledger");
  const rows = await readLedgerFile(String(saved).split("\n"));
  expect(rows).toHaveLength(2);
  expect((await verifyChain(rows, { against: [release] })).findings).toEqual([]);

  await evictLedger(page);
  await page.reload();
  const costs = () => region(page, "What it costs").innerText();
  await countVisits(page);
  await expect
    .poll(costs, PATIENTLY)
    .toContain("The ledger of visits (2 entries) is gone from this browser, or was changed.");
  await expect.poll(costs, PATIENTLY).toContain("The budget is unknown, so nothing can be released.");
  expect(await button(page, "Release…").isDisabled()).toBe(true);

  await button(page, "Choose another file").click();
  await chooseFile(page, OTHER);
  await countPeople(page);
  await expect.poll(costs, PATIENTLY).toContain("Other data sets continue.");
  await setBudget(page, "1");

  const older = saved.toString().split("\n").slice(0, 2).join("\n");
  await restore(page, older);
  await region(page, "Ledger").getByText("The ledger was cut off").waitFor();
  await restore(page, saved);
  await region(page, "Ledger").getByText("Restored the ledger of visits.").waitFor();
  expect(await costs()).toMatch(/Budget\s+ε = 1, δ = 0.00001/);
  await button(page, "Choose another file").click();
  await countVisits(page);
  await expect.poll(costs, PATIENTLY).toMatch(/Spent\s+ε = 1/);
  expect(await costs()).not.toContain("is gone");
});

it("a newcomer gets from a file to a picture with six clicks, and paper keeps the picture", async () => {
  const page = await studio.open();
  let clicks = 0;
  const click = async (name: string) => {
    clicks++;
    await button(page, name).click();
  };
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), click("Choose a file")]);
  const rows = Array.from({ length: 30_000 }, (_, row) => `u${row % 3000},film ${Math.floor(row / 3000)}`);
  const content = ["userId,film", ...rows].join("\n");
  await chooser.setFiles({ name: "films.csv", mimeType: "", buffer: Buffer.from(content) });
  await countPeople(page);
  await click("Set the budget…");
  await click("Set the budget");
  await click("Release…");
  await click("Charge and release");
  const picture = page.getByRole("img", { name: /^The answer as a picture\. The 10 items/ });
  await picture.waitFor();
  const [file] = await Promise.all([page.waitForEvent("download"), click("Download PNG")]);
  expect(file.suggestedFilename()).toMatch(/\.png$/);
  expect(clicks).toBe(6);
  expect(await picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(720);
  await page.emulateMedia({ media: "print" });
  expect(await picture.isVisible()).toBe(true);
  expect(await picture.evaluate((image) => getComputedStyle(image).printColorAdjust)).toBe("exact");
  expect(await region(page, "Your question").isVisible()).toBe(false);
});

async function download(page: Page, name: string): Promise<Buffer> {
  const [file] = await Promise.all([page.waitForEvent("download"), button(page, name).click()]);
  return readFile(await file.path());
}

async function restore(page: Page, text: string | Buffer): Promise<void> {
  const file = { name: "winnow-ledger.jsonl", mimeType: "", buffer: Buffer.from(text) };
  await page.getByLabel("Ledger file").setInputFiles(file);
}
