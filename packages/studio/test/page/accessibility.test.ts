import type { BrowserContextOptions, Page, ViewportSize } from "playwright-core";
import { describe, expect, it } from "vitest";
import { button, chooseFile, countExample, region, releaseOnce, setBudget } from "../../scripts/steps.js";
import { expectAccessible } from "../support/accessible.js";
import { expectProblem } from "../support/expect-problem.js";
import { fillRange, ORDERS } from "../support/orders.js";
import { PHONE, studioBrowser } from "../support/studio-browser.js";

const studio = studioBrowser();

const SCREEN = { width: 1280, height: 720 };
const NARROW = { width: 390, height: 844 };
const TABLET = { width: 768, height: 1024 };
const VIEWS: readonly (readonly [name: string, options: BrowserContextOptions, sizes: ViewportSize[]])[] = [
  ["dark, on a screen and on a tablet", { colorScheme: "dark", reducedMotion: "reduce" }, [TABLET, SCREEN]],
  ["on a phone", { ...PHONE, reducedMotion: "reduce" }, [PHONE.viewport]],
];

describe("axe finds nothing to fix", () => {
  it("from the first look to the release, step by step", async () => {
    const context = await studio.context({ colorScheme: "light", reducedMotion: "reduce" });
    const page = await studio.open({ context });
    await expectAccessible(page, "first look");
    await chooseFile(page, { name: "rows.csv", content: "" });
    await expectProblem(page, "The file is empty.");
    await expectAccessible(page, "problem");
    await countExample(page);
    await planIsDrawn(page);
    await button(page, "Show the true counts").click();
    await openEverything(page);
    await expectAccessible(page, "counted");
    await setBudget(page, "2");
    await button(page, "Release…").click();
    await page.getByRole("dialog").waitFor();
    await expectAccessible(page, "confirmation");
  });

  it.each(VIEWS)("once all is there, and in the gallery: %s", async (_, options, sizes) => {
    const page = await studio.open({ context: await studio.context(options) });
    await countExample(page);
    await setBudget(page, "2");
    await releaseOnce(page);
    await planIsDrawn(page);
    await page.getByText("Room for about 1 more release like this").waitFor(); // the price follows the charge
    await openEverything(page);
    await page.getByRole("table", { name: "Released winners" }).waitFor();
    await expectFit(page, "released", sizes);
    await page.getByRole("link", { name: "See why" }).click();
    await page.getByRole("button", { name: "Run the attack" }).click();
    await page.locator('.success[data-broken="true"]').waitFor();
    await button(page, "Stop").waitFor({ state: "hidden" });
    await expectFit(page, "gallery", sizes);
  });
});

it("axe finds nothing to fix in a question about numbers and its answer, in the dark and at 390 px", async () => {
  const page = await studio.open({ context: await studio.context({ colorScheme: "dark" }) });
  await chooseFile(page, ORDERS);
  await page.getByRole("radio", { name: "Median, quantiles" }).check();
  await page.getByLabel("Column of numbers").selectOption("amount");
  await fillRange(page, "9", "0");
  await expectFit(page, "reversed range", [NARROW]);
  await fillRange(page, "0", "200");
  await setBudget(page, "3");
  await releaseOnce(page);
  await openEverything(page);
  await page.getByRole("table", { name: "Released quantiles" }).waitFor();
  await expectFit(page, "quantiles", [NARROW, SCREEN]);
  await page.getByRole("radio", { name: "Frequencies" }).check();
  await releaseOnce(page);
  await openEverything(page);
  await page.getByRole("table", { name: "Released frequencies" }).waitFor();
  await expectFit(page, "frequencies", [NARROW]);
});

it("people who asked for less motion see nothing move", async () => {
  const page = await studio.open({ context: await studio.context({ reducedMotion: "reduce" }) });
  await countExample(page);
  const moving = await page.evaluate(
    () => document.getAnimations().filter(({ playState }) => playState === "running").length,
  );
  expect(moving).toBe(0);
});

/** At each of these sizes. */
async function expectFit(page: Page, step: string, sizes: readonly ViewportSize[]): Promise<void> {
  for (const size of sizes) {
    await page.setViewportSize(size);
    await expectAccessible(page, `${step} at ${size.width}`);
    await expectNoSidewaysScroll(page);
  }
}

async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const { scroll, width } = await page.evaluate(() => ({
    scroll: document.documentElement.scrollWidth,
    width: document.documentElement.clientWidth,
  }));
  expect(scroll).toBeLessThanOrEqual(width);
}

/** All of it: axe looks at one thing after the other, and what it looks at has to stay. */
async function planIsDrawn(page: Page): Promise<void> {
  const plan = region(page, "What it buys");
  await plan.getByText("expect a list of about").waitFor();
  await plan.getByText("running the mechanism…").waitFor({ state: "hidden" });
}

async function openEverything(page: Page): Promise<void> {
  await page.locator("details").evaluateAll((all) => {
    for (const details of all) details.setAttribute("open", "");
  });
}
