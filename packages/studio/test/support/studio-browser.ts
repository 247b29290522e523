/**
 * The built page in a real Chromium, served by `winnow studio`. Where there is no browser the tests are skipped and say so;
 * where everything should be there (CI) they fail.
 * @module
 */
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  devices,
  type Page,
} from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import { launchChromium, locateChromium, NO_CHROMIUM } from "../../scripts/chromium.js";
import { type ServedPage, servePage } from "../../scripts/serve-page.js";
import { captureWorker } from "./call-worker.js";
import { PATIENTLY } from "./patiently.js";

export const PHONE = devices["iPhone 13"];

export interface StudioBrowser {
  readonly address: string;
  /** A fresh profile: no ledger, no memory. It is gone after the test, with whatever still runs in it. */
  context(options?: BrowserContextOptions): Promise<BrowserContext>;
  /** The page, ready to be used, in a fresh profile or in the given one. */
  open(options?: { context?: BrowserContext; prelude?: string }): Promise<Page>;
  /**
   * The page as on a first visit, in the one tab that the tests of a file share: a browser takes as long to make a tab as
   * the page takes to start. For tests that change nothing about the tab itself.
   */
  visit(): Promise<Page>;
}

/** To be called at the top of a test file. `folder` gives the page; by default it is the one that is shipped. */
export function studioBrowser(folder?: () => Promise<string>): StudioBrowser {
  let browser: Browser | undefined;
  let served: ServedPage | undefined;
  let shared: Page | undefined;
  const contexts: BrowserContext[] = [];
  beforeAll(async () => {
    const executable = await locateChromium();
    if (executable === undefined) return;
    const page = async () => servePage(await folder?.());
    [browser, served] = await Promise.all([launchChromium(executable), page()]);
  });
  beforeEach((test) => {
    if (browser !== undefined) return;
    if (process.env.CI) throw new Error(NO_CHROMIUM);
    test.skip(NO_CHROMIUM);
  });
  afterEach(() => Promise.all(contexts.splice(0).map((context) => context.close())));
  afterAll(() => Promise.all([browser?.close(), served?.close()]));
  const studio: StudioBrowser = {
    get address() {
      return served!.address;
    },
    context: async (options = {}) => {
      const context = await browser!.newContext({ acceptDownloads: true, ...options });
      context.setDefaultTimeout(PATIENTLY.timeout);
      contexts.push(context);
      return context;
    },
    open: async ({ context, prelude } = {}) => {
      const page = await (context ?? (await studio.context())).newPage();
      await captureWorker(page, prelude);
      await Promise.all([page.waitForEvent("worker"), page.goto(studio.address)]);
      return page;
    },
    visit: async () => {
      shared ??= await newTab(browser!);
      await forgetEverything(shared, studio.address);
      await Promise.all([shared.waitForEvent("worker"), shared.goto(studio.address)]);
      return shared;
    },
  };
  return studio;
}

/** Of a profile that lasts until the browser is closed. */
async function newTab(browser: Browser): Promise<Page> {
  const context = await browser.newContext({ acceptDownloads: true });
  context.setDefaultTimeout(PATIENTLY.timeout);
  const page = await context.newPage();
  await captureWorker(page);
  return page;
}

/** Leaves the page, and the browser keeps nothing of it. */
async function forgetEverything(page: Page, address: string): Promise<void> {
  await page.goto("about:blank");
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Storage.clearDataForOrigin", {
    origin: new URL(address).origin,
    storageTypes: "all",
  });
  await devtools.detach();
}
