import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { readRelease } from "winnow-release";
import {
  button,
  chooseFile,
  countExample,
  countPeople,
  region,
  releaseOnce,
  setBudget,
  tryExample,
  useList,
} from "../../scripts/steps.js";
import { evictLedger } from "../support/evict-ledger.js";
import { PATIENTLY } from "../support/patiently.js";
import { studioBrowser } from "../support/studio-browser.js";

const studio = studioBrowser();

const ROWS = "user,area\nu1,a\nu2,a\nu3,b\n";

describe("a person at the page", () => {
  it("opens a file, is told how the columns were guessed, and counts people", async () => {
    const page = await studio.open();
    await chooseFile(page, { name: "visits.csv", content: ROWS });
    expect(await page.getByLabel("Item column").inputValue()).toBe("area");
    expect(await page.getByLabel("Person column").inputValue()).toBe("user");
    expect(await region(page, "Your data").innerText()).toContain("By their names");
    await countPeople(page);
    const data = await region(page, "Your data").innerText();
    expect(data).toMatch(/people\s+3/i);
    expect(data).toMatch(/items\s+2/i);
    expect(data).toMatch(/rows\s+3/i);
  });

  it("drops a file on the page instead", async () => {
    const page = await studio.open();
    const dropped = await page.evaluateHandle(
      (text) => {
        const transfer = new DataTransfer();
        transfer.items.add(new File([text], "dropped.tsv"));
        return transfer;
      },
      ROWS.replaceAll(",", "\t"),
    );
    await page.dispatchEvent(".drop", "drop", { dataTransfer: dropped });
    expect(await page.getByLabel("Item column").inputValue()).toBe("area");
  });

  it("types the names of the members of JSON lines", async () => {
    const page = await studio.open();
    await chooseFile(page, {
      name: "visits.ndjson",
      content: '{"who":1,"what":"a"}\n{"who":2,"what":"a"}\n',
    });
    await page.getByLabel("Item column").fill("what");
    await page.getByLabel("Person column").fill("who");
    await countPeople(page);
    expect(await region(page, "Your data").innerText()).toMatch(/people\s+2/i);
  });

  it("cancels a count and starts again", async () => {
    const page = await studio.open();
    const rows = Array.from({ length: 700_000 }, (_, row) => `u${row},a${row % 1000}`);
    await chooseFile(page, { name: "visits.csv", content: ["user,area", ...rows].join("\n") });
    await button(page, "Count people").click();
    await page.getByRole("progressbar", { name: "Counting people" }).waitFor();
    await button(page, "Cancel").click();
    await button(page, "Count people").waitFor();
    await countPeople(page);
    expect(await region(page, "Your data").innerText()).toMatch(/people\s+700,000/i);
  });

  it("asks about a public list and sees what ε buys as it moves", async () => {
    const page = await studio.open();
    await countExample(page);
    const chart = page.getByRole("img", { name: /^The expected share of true winners/ });
    await chart.waitFor();
    await page.getByText("Show the numbers").click();
    const table = page.getByRole("table", { name: "What ε buys, in numbers" });
    await table.waitFor();
    const before = await table.innerText();
    await page.getByRole("textbox", { name: "Number of winners" }).fill("3");
    await expect.poll(() => table.innerText(), PATIENTLY).not.toBe(before);
  });

  it("sees the price before it is paid, and pays nothing for “Not now”", async () => {
    const page = await studio.open();
    await countExample(page);
    await setBudget(page, "2");
    await button(page, "Release…").click();
    const dialog = page.getByRole("dialog", { name: /^Spend ε = 1 on this answer\?/ });
    await dialog.waitFor();
    await button(page, "Not now").click();
    await dialog.waitFor({ state: "hidden" });
    expect(await region(page, "Budget").innerText()).toContain("ε = 0");
  });

  it("leaves the question by Escape and asks it again at once", async () => {
    const page = await studio.open();
    await countExample(page);
    await setBudget(page, "2");
    await button(page, "Release…").click();
    await page.getByRole("dialog").waitFor();
    const ask = await button(page, "Release…").elementHandle();
    await page.evaluate((again) => {
      document.querySelector("dialog")?.requestClose(); // what Escape does; its close event comes later
      (again as HTMLElement).click();
    }, ask);
    await button(page, "Not now").click();
    await page.getByRole("dialog").waitFor({ state: "hidden" });
  });

  it("releases, and reads a ranked table with leads", async () => {
    const page = await studio.open();
    await countExample(page);
    await setBudget(page, "2");
    const answer = await releaseOnce(page);
    const table = page.getByRole("table", { name: "Released winners" });
    expect(await table.getByRole("row").count()).toBe(11);
    expect(await table.innerText()).toContain("search");
    expect(await answer.innerText()).toContain("ε = 1");
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("published-title");
    expect(await region(page, "Budget").innerText()).toMatch(/Spent\s+ε = 1, δ = 0\s+Left\s+ε = 1/);
  });

  it("asks about unknown candidates and gets a set without leads", async () => {
    const page = await studio.open();
    await tryExample(page);
    await countPeople(page);
    await page.getByRole("radio", { name: "Unknown" }).check({ force: true });
    await page.getByRole("textbox", { name: "Number of winners" }).fill("3");
    await page.getByLabel("Budget, epsilon").fill("10");
    await page.getByLabel("Budget, delta").fill("1e-5");
    await button(page, "Set the budget").click();
    const answer = await releaseOnce(page);
    expect(await answer.innerText()).not.toContain("leads");
  });

  it("is refused what the budget has no room for", async () => {
    const page = await studio.open();
    await countExample(page);
    await setBudget(page, "1");
    await releaseOnce(page);
    await expect.poll(() => button(page, "Release…").isDisabled(), PATIENTLY).toBe(true);
    expect(await page.locator("#release-obstacle").innerText()).toMatch(/budget/i);
  });

  it("is told that the budget is unknown when the browser has lost the ledger, and can release nothing", async () => {
    const page = await studio.open();
    await countExample(page);
    await setBudget(page, "5");
    await releaseOnce(page);
    await evictLedger(page);
    await page.reload();
    await countExample(page);
    await expect
      .poll(() => region(page, "Budget").innerText(), PATIENTLY)
      .toContain("The budget is unknown, so nothing can be released.");
    expect(await button(page, "Release…").isDisabled()).toBe(true);
  });

  it("changes one question into another after the answer, and the answer stays", async () => {
    const page = await studio.open();
    await countExample(page);
    await setBudget(page, "5");
    await releaseOnce(page);
    await useList(page, ["search", "news", "maps"]);
    await page.getByRole("textbox", { name: "Number of winners" }).fill("1");
    await releaseOnce(page);
    await expect
      .poll(() => page.getByRole("table", { name: "Released winners" }).getByRole("row").count(), PATIENTLY)
      .toBe(2);
  });
});

describe("what is taken away from the page", () => {
  it("is the release as JSON of the command line's schema, CSV, SVG and PNG", async () => {
    const page = await studio.open();
    await countExample(page);
    await setBudget(page, "1");
    await releaseOnce(page);
    const release = readRelease(String(await download(page, "Download JSON")));
    expect(release).toMatchObject({ schema: "winnow-release/1", software: { name: "winnow-studio" } });
    expect(release.answer.winners).toHaveLength(10);
    expect(String(await download(page, "Download CSV"))).toMatch(/^rank,item,gap,gap_low,gap_high\r\n1,/);
    expect(String(await download(page, "Download SVG"))).toMatch(/^<svg .*<\/svg>\s*$/s);
    const png = await download(page, "Download PNG");
    expect(png.subarray(1, 4).toString()).toBe("PNG");
    expect(png.readUInt32BE(16)).toBeGreaterThanOrEqual(720);
  });

  it("is copied as TypeScript, as a command, and as a statement", async () => {
    const context = await studio.context({ permissions: ["clipboard-read", "clipboard-write"] });
    const page = await studio.open({ context });
    await countExample(page);
    await setBudget(page, "1");
    await releaseOnce(page);
    expect(await copied(page, "As TypeScript", "Copy the TypeScript")).toContain(
      'const release = topKWithGap(counts, {\n  k: 10,\n  epsilon: "1",\n  resolution: "1",\n  monotone: true,\n});',
    );
    expect(await copied(page, "As a winnow command", "Copy the command")).toMatch(
      /^winnow top FILE -k 10 \\\n {2}--item area \\\n {2}--user user \\\n {2}--epsilon 1 \\\n {2}--domain candidates.txt/,
    );
    expect(await copied(page, "For the privacy officer", "Copy the statement")).toContain(
      "differentially private",
    );
  });
});

describe("the gallery", () => {
  it("runs an attack against textbook code and against ours", async () => {
    const page = await studio.open();
    await page.getByRole("link", { name: "See why" }).click();
    const attacks = region(page, "Small mistakes give people away");
    const verdicts = () =>
      attacks.locator(".success").evaluateAll((bars) => bars.map((bar) => bar.getAttribute("data-broken")));
    expect(await verdicts()).toEqual([]);
    await attacks.getByRole("button", { name: "Run the attack" }).click();
    await expect.poll(verdicts, PATIENTLY).toEqual(["true", "false"]);
    await expect.poll(() => attacks.getByRole("button", { name: "Stop" }).count(), PATIENTLY).toBe(0);
    expect(await verdicts()).toEqual(["true", "false"]);
  });

  it("shows what ε means for one person, and draws leads", async () => {
    const page = await studio.open();
    await page.getByRole("link", { name: "See why" }).click();
    const dots = page.getByRole("img", { name: /^A hundred dots/ });
    const before = await dots.getAttribute("aria-label");
    const slider = page.getByRole("slider", { name: "Epsilon of the release, slider" });
    await slider.focus();
    await page.keyboard.press("End");
    await expect.poll(() => dots.getAttribute("aria-label"), PATIENTLY).not.toBe(before);
    await region(page, "The lead comes free").getByRole("button", { name: "Draw again" }).click();
  });
});

async function download(page: Page, name: string): Promise<Buffer> {
  const [file] = await Promise.all([page.waitForEvent("download"), button(page, name).click()]);
  return readFile(await file.path());
}

async function copied(page: Page, details: string, name: string): Promise<string> {
  await page.getByText(details, { exact: true }).click();
  await button(page, name).click();
  return page.evaluate(() => navigator.clipboard.readText());
}
