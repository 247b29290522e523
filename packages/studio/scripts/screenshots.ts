/**
 * `npm run screenshots --workspace packages/studio`: pictures of the page for the README and the site, made of the built page
 * with the example's data.
 * @module
 */
import { stat } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { type BrowserContextOptions, devices } from "playwright-core";
import { launchChromium, locateChromium, NO_CHROMIUM } from "./chromium.js";
import { folderOfScripts, servePage } from "./serve-page.js";
import { countExample, releaseOnce, setBudget } from "./steps.js";

const TARGET = new URL("../../../docs/public/", folderOfScripts());
const LARGEST = 250_000; // bytes

const DESKTOP = { width: 1360, height: 1120 };

const VIEWS: Readonly<Record<string, BrowserContextOptions>> = {
  "studio-desktop": { viewport: DESKTOP, colorScheme: "light" },
  "studio-dark": { viewport: DESKTOP, colorScheme: "dark" },
  "studio-phone": { ...devices["iPhone 13"], deviceScaleFactor: 2, colorScheme: "light" },
};

async function main(): Promise<void> {
  const executable = await locateChromium();
  if (executable === undefined) throw new Error(NO_CHROMIUM);
  const [browser, served] = await Promise.all([launchChromium(executable), servePage()]);
  try {
    for (const [name, options] of Object.entries(VIEWS)) {
      const context = await browser.newContext({ ...options, reducedMotion: "reduce" });
      const page = await context.newPage();
      await page.goto(served.address);
      await countExample(page);
      await setBudget(page, "3");
      await releaseOnce(page); // a phone then shows the answer, a wide screen has room for all from the top
      if (options.viewport === DESKTOP) await page.evaluate(() => scrollTo(0, 0));
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

await main();
