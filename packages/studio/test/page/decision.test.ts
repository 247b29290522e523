/** From a file to a decision one can defend: what the page says before anything is spent. */
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { amount } from "../../../core/test/support/amount.js";
import {
  button,
  type Chosen,
  chooseFile,
  countExample,
  countPeople,
  region,
  releaseOnce,
  setBudget,
} from "../../scripts/steps.js";
import { expectProblem } from "../support/expect-problem.js";
import { PATIENTLY } from "../support/patiently.js";
import { studioBrowser } from "../support/studio-browser.js";

const studio = studioBrowser();

const lines = (count: number, line: (row: number) => string) =>
  Array.from({ length: count }, (_, row) => line(row));
const csv = (...rows: readonly string[]) => ["user,area", ...rows].join("\n");

/** A hundred people in each of ten areas: too few to be named at ε = 1, and enough at a larger one. */
const THIN = {
  name: "thin.csv",
  content: csv(...lines(1000, (row) => `u${row},area ${row % 10}`)),
};

describe("a plan never speaks about nothing", () => {
  it("but says what is wrong with the file, the likely cause and the fix", async () => {
    const page = await studio.visit();
    const files: readonly (readonly [Chosen, string, string])[] = [
      [
        { name: "rows.csv", content: csv(...lines(20, (row) => `u${row};a`)) },
        "All of the lines were skipped, so no one was counted.",
        "The delimiter of the header is probably not that of the rows.",
      ],
      [
        { name: "rows.csv", content: csv(...lines(20, (row) => (row % 5 ? `u${row},a` : `u${row},"a`))) },
        "20 % of the lines were skipped.",
        "fields hold line breaks",
      ],
      [
        { name: "rows.csv", content: csv(...lines(20, () => ",a")) },
        "No one was counted",
        "Choose other columns.",
      ],
      [
        { name: "rows.csv", content: csv() },
        "The file has a header and no rows.",
        "Choose a file with rows.",
      ],
    ];
    for (const [file, sentence, cause] of files) {
      await chooseFile(page, file);
      await expectProblem(page, sentence);
      await expectProblem(page, cause);
      expect(await button(page, "Release…").isDisabled()).toBe(true);
      expect(await region(page, "What it buys").innerText()).toContain("Once people are counted");
      await button(page, "Choose another file").first().click();
    }
    await chooseFile(page, { name: "rows.ndjson", content: '{"user":"u1","area":"a"}\n' });
    await page.getByLabel("Item column").fill("areas");
    await page.getByLabel("Person column").fill("users");
    await button(page, "Count people").click();
    await expectProblem(page, "No one was counted: one of the two columns is empty in every row.");
    await button(page, "Choose another file").first().click();
    await drop(page, ["one.csv", "two.csv"]);
    await expectProblem(page, "You dropped 2 files.");
  });

  it("reads Latin-1 and UTF-16 when asked or told, and offers fewer winners where there are too few items", async () => {
    const page = await studio.visit();
    const rows = csv(...lines(40, (row) => `u${row},${row % 2 ? "Mühle" : "Allee"}`));
    await chooseFile(page, { name: "rows.csv", content: Buffer.from(rows, "latin1") });
    await expectProblem(page, "50 % of the lines were skipped.");
    await button(page, "Read it as Windows-1252 (Latin-1)").click();
    await countPeople(page);
    const data = () => region(page, "Your data").innerText();
    expect(await data()).toContain("40 people · 2 items · 40 rows");
    await region(page, "Your question")
      .getByText(
        "Your data has 2 items, so a top 10 does not exist. Check the item column, or ask for fewer.",
      )
      .waitFor();
    expect(await button(page, "Release…").isDisabled()).toBe(true);
    await button(page, "Ask for 2").click();
    await expect
      .poll(() => region(page, "What it buys").innerText(), PATIENTLY)
      .toContain("in the true top 2");
    await button(page, "Choose another file").click();
    await chooseFile(page, { name: "rows.csv", content: Buffer.from(`\ufeff${rows}`, "utf16le") });
    await countPeople(page);
    expect(await data()).toContain("40 people · 2 items · 40 rows");
    await button(page, "Change the columns").click();
    expect(await page.getByLabel("Encoding").inputValue()).toBe("utf-16le");
  });

  const CANDIDATES = amount(100_000, 1_000_000);

  it(`takes a list of ${CANDIDATES.toLocaleString("en")} candidates`, async () => {
    const page = await studio.visit();
    await chooseFile(page, THIN);
    await countPeople(page);
    await page.getByRole("radio", { name: "Public list" }).check();
    const list = Buffer.from(lines(CANDIDATES, (row) => `area ${row}`).join("\n"));
    await page
      .getByLabel("File of candidates")
      .setInputFiles({ name: "list.txt", mimeType: "", buffer: list });
    await page.getByText(`${CANDIDATES.toLocaleString("en")} candidates from list.txt`).waitFor();
    await expect
      .poll(() => region(page, "What it buys").innerText(), PATIENTLY)
      .toContain("in the true top 10");
  });
});

describe("before anything is spent", () => {
  it("an answer that names no item is called useless in the plan, at the button and in the dialog, and a held key spends nothing", async () => {
    const page = await studio.visit();
    await chooseFile(page, THIN);
    await countPeople(page);
    const plan = region(page, "What it buys");
    const nothing = /Likely useless.*(every run names no item|\d+ of 100 runs name no item)/s;
    await expect.poll(() => plan.innerText(), PATIENTLY).toMatch(nothing);
    await plan.getByText("running the mechanism…").waitFor({ state: "hidden" });
    await holdEnter(page, "Set the budget…");
    await page.getByRole("dialog", { name: /^Never spend more than ε = 3/ }).waitFor();
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Not yet");
    await button(page, "Set the budget").click();
    await expect.poll(() => button(page, "Release…").isEnabled(), PATIENTLY).toBe(true);
    expect(await page.locator("#release-obstacle").innerText()).toMatch(nothing);
    await holdEnter(page, "Release…");
    const dialog = page.getByRole("dialog", { name: /^Spend ε = / });
    await dialog.waitFor();
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Not now");
    expect(await dialog.innerText()).toMatch(nothing);
    await dialog
      .getByRole("button", { name: /^Give a public list of candidates, if there is one: at best / })
      .waitFor();
    await dialog.getByRole("button", { name: /^Use ε = / }).click();
    await dialog.waitFor({ state: "hidden" });
    await expect
      .poll(() => plan.innerText(), PATIENTLY)
      .toMatch(/Good\. At ε = \S+, expect a list of about \S+ names, .* in the true top 10/);
    expect(await region(page, "What it costs").innerText()).toMatch(/Spent\s+ε = 0/);
  });

  it("a data-dependent k is planned by its length, and the example's ledger is thrown away", async () => {
    const page = await studio.visit();
    await countExample(page);
    await page.getByRole("radio", { name: "Winnow chooses k" }).check();
    const words = () => region(page, "What it buys").innerText();
    await expect.poll(words, PATIENTLY).toMatch(/At ε = 1, expect a list of about \d+ names?/);
    expect(await words()).not.toContain("true top");
    await page.getByRole("radio", { name: "All names" }).check();
    await expect.poll(words, PATIENTLY).toMatch(/At ε = 1, expect a list of about \d+ names/);
    await setBudget(page, "3");
    const answer = await releaseOnce(page);
    expect(await answer.innerText()).toContain("The answer");
    await button(page, "Choose another file").click();
    await chooseFile(page, THIN);
    await countPeople(page);
    await page.getByLabel("Budget, epsilon").waitFor();
    expect(await button(page, "example").count()).toBe(0);
    await page.reload();
    await button(page, "Try the example").waitFor();
    expect(await page.getByText("Your last release.").count()).toBe(0);
  });
});

/** As a hand that leans on the key: the first press and nineteen repeats. */
async function holdEnter(page: Page, name: string): Promise<void> {
  await button(page, name).focus();
  for (let press = 0; press < 20; press++) await page.keyboard.down("Enter");
  await page.keyboard.up("Enter");
}

async function drop(page: Page, names: readonly string[]): Promise<void> {
  const dropped = await page.evaluateHandle((all) => {
    const transfer = new DataTransfer();
    for (const name of all) transfer.items.add(new File(["user,area\nu1,a\n"], name));
    return transfer;
  }, names);
  await page.dispatchEvent(".drop", "drop", { dataTransfer: dropped });
}
