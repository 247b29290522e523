import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { readRelease } from "winnow-release";
import { button, countExample, releaseOnce, setBudget } from "../../scripts/steps.js";
import { studioBrowser } from "../support/studio-browser.js";

const studio = studioBrowser();

describe("what is taken away from the page", () => {
  it("is the release as JSON of the command line's schema, CSV, SVG and PNG", async () => {
    const page = await studio.open();
    await countExample(page);
    await setBudget(page, "1");
    await releaseOnce(page);
    const release = readRelease(String(await download(page, "Download JSON")));
    expect(release).toMatchObject({ schema: "winnow-release/2", software: { name: "winnow-studio" } });
    expect(release.answer.winners).toHaveLength(10);
    expect(String(await download(page, "Download CSV"))).toMatch(
      /^rank,item,gap,gap_low,gap_high,count,count_low,count_high,count_fitted,count_all_low,count_all_high,count_in_order_low,count_in_order_high\r\n1,/,
    );
    expect(String(await download(page, "Download SVG"))).toMatch(/^<svg .*<\/svg>\s*$/s);
    expect(String(await download(page, "Download Statement"))).toMatch(
      /^<!doctype html>.*<svg .*differentially private/s,
    );
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
    expect(await copied(page, "As TypeScript", "Copy the TypeScript")).toMatch(
      /^\/\/ Running this spends ε = 1 again on the people of "example".*const release = topKWithCounts\(counts, \{\n {2}k: 10,/s,
    );
    expect(await copied(page, "As a winnow command", "Copy the command")).toMatch(
      /^# Running this spends ε = 1 again on .*\nwinnow top example.csv -k 10 \\\n {2}--item area \\\n {2}--user user \\\n {2}--epsilon 1 \\\n {2}--domain candidates.txt.*--dataset example/s,
    );
    expect(await copied(page, "For the privacy officer", "Copy the statement")).toContain(
      "differentially private",
    );
  });
});

async function download(page: Page, name: string): Promise<Buffer> {
  const [file] = await Promise.all([page.waitForEvent("download"), button(page, name).click()]);
  return readFile(await file.path());
}

async function copied(page: Page, details: string, name: string): Promise<string> {
  const part = page.getByRole("group").filter({ hasText: details });
  await part.getByText(details, { exact: true }).click();
  await button(page, name).click();
  await part.getByText("Copied.").waitFor();
  return page.evaluate(() => navigator.clipboard.readText());
}
