/**
 * `npm run screenshots --workspace packages/studio`: pictures of the page for the README and the site, made of the built page
 * with the example's data: the decision on a wide screen, the answer in the dark and on a phone.
 * @module
 */
import { stat } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { type BrowserContextOptions, devices, type Page } from "playwright-core";
import { launchChromium, locateChromium, NO_CHROMIUM } from "./chromium.js";
import { folderOfScripts, servePage } from "./serve-page.js";
import { button, countPeople, region, releaseOnce, setBudget } from "./steps.js";

const TARGET = new URL("../../../docs/public/", folderOfScripts());
const LARGEST = 250_000; // bytes

interface View {
  readonly options: BrowserContextOptions;
  readonly isReleased: boolean;
}

const DESKTOP = { width: 1440, height: 960 };

const VIEWS: Readonly<Record<string, View>> = {
  "studio-desktop": { options: { viewport: DESKTOP, colorScheme: "light" }, isReleased: false },
  "studio-dark": { options: { viewport: DESKTOP, colorScheme: "dark" }, isReleased: true },
  "studio-phone": {
    options: { ...devices["iPhone 13"], deviceScaleFactor: 2, colorScheme: "light" },
    isReleased: true,
  },
};

async function main(): Promise<void> {
  const executable = await locateChromium();
  if (executable === undefined) throw new Error(NO_CHROMIUM);
  const [browser, served] = await Promise.all([launchChromium(executable), servePage()]);
  try {
    for (const [name, { options, isReleased }] of Object.entries(VIEWS)) {
      const context = await browser.newContext({ ...options, reducedMotion: "reduce" });
      const page = await context.newPage();
      await page.goto(served.address);
      await decide(page);
      if (isReleased) await releaseOnce(page);
      else await page.evaluate(() => scrollTo(0, 0));
      await page.mouse.move(0, 0); // nothing is pointed at
      const path = fileURLToPath(new URL(`${name}.png`, TARGET));
      await page.screenshot({ path });
      const { size } = await stat(path);
      process.stdout.write(`${path} ${size}\n`);
      if (size > LARGEST) throw new Error(`the picture ${name} must have at most ${LARGEST} bytes`);
      await context.close();
    }
  } finally {
    await Promise.all([browser.close(), served.close()]);
  }
}

/** The example, its plan and a budget. */
async function decide(page: Page): Promise<void> {
  await button(page, "Try the example").click();
  await countPeople(page);
  await setBudget(page, "3");
  const plan = region(page, "What it buys");
  await plan.getByText("expect a list of about").waitFor();
  await plan.getByText("running the mechanism…").waitFor({ state: "hidden" });
}

await main();
