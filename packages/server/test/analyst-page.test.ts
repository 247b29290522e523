/**
 * The page for analysts in a real Chromium, over a real service: what it shows, what it asks, and where the key goes.
 */

import { writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { AxeResults } from "axe-core";
import { type Browser, type BrowserContextOptions, devices, type Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { launchChromium, locateChromium, NO_CHROMIUM } from "../../studio/scripts/chromium.js";
import { type RunningService, startService } from "../src/listen.js";
import {
  CANARY,
  countedInMemory,
  KEYS,
  type ServiceFolder,
  serviceFolder,
} from "./support/service-folder.js";

const AXE = createRequire(new URL("../../studio/package.json", import.meta.url)).resolve(
  "axe-core/axe.min.js",
);

let browser: Browser | undefined;
let folder: ServiceFolder;
let running: RunningService;

beforeAll(async () => {
  const executable = await locateChromium();
  if (executable === undefined) return;
  folder = await serviceFolder({
    listen: { port: 0 },
    "datasets/by-minute": {
      ...{ source: "visits.csv", user: "user", item: "area", account: "visits" },
      domain: { kind: "list", file: "areas.txt" },
      groups: { by: ["minutes"], file: "minutes.txt", maxGroupsPerUser: 1 },
      allow: { kinds: ["top"], k: 4, epsilon: "1" },
      maxAge: 3600,
    },
    "analysts/alice/caps/by-minute": { epsilon: "3" },
  });
  writeFileSync(join(folder.path, "minutes.txt"), "7\n8\n");
  running = await startService(folder.config, { ...folder.host, openRows: countedInMemory(folder) });
  await running.ready;
  browser = await launchChromium(executable);
});
beforeEach((test) => {
  if (browser !== undefined) return;
  if (process.env.CI) throw new Error(NO_CHROMIUM);
  test.skip(NO_CHROMIUM);
});
afterAll(async () => {
  await browser?.close();
  await running?.close();
  folder?.remove();
});

const pages: Page[] = [];
afterEach(() => Promise.all(pages.splice(0).map((page) => page.context().close())));

/** Where the page went, with what, and what went wrong. */
interface Watched {
  readonly page: Page;
  readonly requests: { readonly url: string; readonly key: string | undefined }[];
  readonly errors: string[];
}

async function opened(options: BrowserContextOptions = {}): Promise<Watched> {
  const context = await browser!.newContext({ reducedMotion: "reduce", ...options });
  const page = await context.newPage();
  pages.push(page);
  const requests: Watched["requests"] = [];
  const errors: string[] = [];
  page.on("request", (request) => {
    requests.push({ url: request.url(), key: request.headers().authorization });
  });
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("console", (line) => {
    if (/Content Security Policy/i.test(line.text())) errors.push(line.text());
  });
  await page.goto(`${running.address}analyst/`);
  return { page, requests, errors };
}

async function signedIn(options?: BrowserContextOptions, key: string = KEYS.alice.key): Promise<Watched> {
  const watched = await opened(options);
  await watched.page.getByLabel("Key or token").fill(key);
  await watched.page.getByRole("button", { name: "Open" }).click();
  return watched;
}

async function faults(page: Page): Promise<string[]> {
  await page.evaluate(await readFile(AXE, "utf8"));
  const { violations } = await page.evaluate<AxeResults>("axe.run()");
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
}

function price(page: Page, text = /^It costs/) {
  return page.getByRole("region", { name: "Price" }).getByText(text);
}

/** Asks for the best two areas, and agrees. */
async function release(page: Page): Promise<void> {
  await page.getByLabel("How many").fill("2");
  await price(page, /^It costs ε = 0\.1/).waitFor();
  await page.getByRole("button", { name: "Release…" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Release", exact: true }).click();
  await page.getByRole("heading", { name: "The answer" }).waitFor();
}

it("shows prices before asking, the answer with its picture and a proof that it has checked, and what is left", async () => {
  const { page, requests, errors } = await signedIn();
  await page.getByText("Of your cap of ε = 3, ε = 3 is left").waitFor();
  await price(page).waitFor();
  expect(requests.some(({ url }) => url.endsWith("/releases"))).toBe(false); // nothing was charged for the price
  await release(page);
  await page.getByText("Checked in this page.").waitFor();
  await page.getByText("Of your cap of ε = 3, ε = 2.9 is left").waitFor();
  await page.getByRole("img", { name: /The answer as a picture/ }).waitFor();
  await page.getByText("The numbers").click();
  const table = page.getByRole("table", { name: "Released winners" });
  await table.waitFor();
  expect(await table.getByRole("row").count()).toBe(3);
  await page.getByText(/The ledger has \d+ entries, and all \d+ that it had/).waitFor();
  const log = page.locator("section", { has: page.getByRole("heading", { name: "Your releases" }) });
  expect(await log.getByRole("listitem").count()).toBe(1);
  await log.getByRole("button", { name: /^Show/ }).click();
  await page.getByText("Checked in this page.").waitFor();

  // The page asks its own service only, under its own policy, and shows nothing of the rows.
  for (const { url } of requests)
    expect(url.startsWith(running.address) || url.startsWith("data:")).toBe(true);
  expect(errors).toEqual([]);
  const text = await page.evaluate(() => document.documentElement.outerHTML);
  expect(text).not.toContain(CANARY);
  expect(text).not.toContain("1001"); // rows of the file, people of the first area
  expect(text).not.toMatch(/\b400\b/);
});

it("shows a release in groups group by group", async () => {
  const { page, errors } = await signedIn();
  await page.getByLabel("Name").selectOption("by-minute");
  await page.getByText("one answer for each of 2 by minutes; each person counts in at most 1").waitFor();
  await release(page);
  await page.getByText("Checked in this page.").waitFor();
  await page.getByText("The numbers", { exact: true }).click();
  expect(await page.getByRole("table", { name: /^Released winners of/ }).count()).toBe(2);
  expect(await page.getByRole("table", { name: "Released winners of 7" }).getByRole("row").count()).toBe(3);
  expect(await faults(page)).toEqual([]);
  expect(errors).toEqual([]);
});

it("keeps the key in memory only, sends it to the service only, and forgets it when asked or reloaded", async () => {
  const { page, requests } = await signedIn();
  await page.getByLabel("Name", { exact: true }).waitFor();
  const kept = async () =>
    page.evaluate(() =>
      JSON.stringify([
        { ...localStorage },
        { ...sessionStorage },
        document.cookie,
        location.href,
        document.documentElement.outerHTML,
      ]),
    );
  expect(await kept()).not.toContain(KEYS.alice.key);
  expect(await page.evaluate(async () => (await indexedDB.databases()).length)).toBe(0);
  for (const { url, key } of requests) {
    expect(url).not.toContain(KEYS.alice.key);
    if (!url.includes("/v1/")) expect(key).toBeUndefined();
  }
  await page.getByRole("button", { name: "Forget the key" }).click();
  expect(await page.getByLabel("Key or token").inputValue()).toBe("");
  await page.getByLabel("Key or token").fill(KEYS.alice.key);
  await page.getByRole("button", { name: "Open" }).click();
  await page.getByLabel("Name", { exact: true }).waitFor();
  await page.reload();
  expect(await page.getByLabel("Key or token").inputValue()).toBe("");
});

it("says what is wrong in the service's words: a wrong key, a question that isn't allowed, a data set without a cap", async () => {
  const { page } = await signedIn({}, "winnow_wrong");
  await page.getByText("Send a valid key").waitFor();
  await page.getByLabel("Key or token").fill(KEYS.bob.key);
  await page.getByRole("button", { name: "Open" }).click();
  await price(page).waitFor();
  await page.getByLabel("ε", { exact: true }).fill("5");
  await page.getByText("epsilon must be at most 1").waitFor();
  expect(await page.getByRole("button", { name: "Release…" }).isDisabled()).toBe(true);
  await page.getByLabel("Name", { exact: true }).selectOption("minutes");
  await page.getByText("The operator has given you no part of this data set's budget.").waitFor();
});

it("asks the same question again with the same key after a connection that broke, and pays once", async () => {
  const { page } = await signedIn();
  await price(page).waitFor();
  const keys: (string | undefined)[] = [];
  await page.route("**/releases", async (route) => {
    const request = route.request();
    if (request.method() !== "POST") return route.continue();
    keys.push(request.headers()["idempotency-key"]);
    if (keys.length > 1) return route.continue();
    await route.fetch(); // it is charged, and its answer never arrives
    return route.abort();
  });
  await page.getByLabel("How many").fill("1");
  await price(page).waitFor();
  const before = (await running.service.budget("alice", "visits")).cap.releases;
  for (let at = 0; at < 2; at++) {
    await page.getByRole("button", { name: "Release…" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Release", exact: true }).click();
    if (at === 0) await page.getByText("The service can't be reached").waitFor();
  }
  await page.getByRole("heading", { name: "The answer" }).waitFor();
  expect(keys).toHaveLength(2);
  expect(keys[1]).toBe(keys[0]);
  expect((await running.service.budget("alice", "visits")).cap.releases).toBe(before + 1);
});

it.each<[string, BrowserContextOptions]>([
  ["light", { colorScheme: "light" }],
  ["dark, on a phone", { ...devices["iPhone 13"], colorScheme: "dark" }],
])("axe finds nothing to fix, from the key to the release: %s", async (_, options) => {
  const { page, errors } = await opened(options);
  expect(await faults(page)).toEqual([]);
  await page.getByLabel("Key or token").fill("winnow_wrong");
  await page.getByRole("button", { name: "Open" }).click();
  await page.getByText("Send a valid key").waitFor();
  expect(await faults(page)).toEqual([]);
  await page.getByLabel("Key or token").fill(KEYS.alice.key);
  await page.getByRole("button", { name: "Open" }).click();
  await release(page);
  await page.getByText("Checked in this page.").waitFor();
  await page.evaluate(() => {
    for (const details of document.querySelectorAll("details")) details.open = true;
  });
  expect(await faults(page)).toEqual([]);
  const isWide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
  expect(isWide).toBe(false);
  expect(errors).toEqual([]);
  await page.getByLabel("Name", { exact: true }).selectOption("unlisted");
  await page
    .getByText(/^It costs|must/)
    .first()
    .waitFor();
  expect(await faults(page)).toEqual([]);
});

it("is served with a strict policy, and its files by their exact names only", async () => {
  const response = await fetch(`${running.address}analyst/`);
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
  const policy = response.headers.get("content-security-policy") ?? "";
  for (const part of [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "worker-src 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ])
    expect(policy.split("; ")).toContain(part);
  expect(policy).not.toMatch(/unsafe|https?:|\*/);
  const statusOf = async (path: string) =>
    (await fetch(running.address + path, { redirect: "manual" })).status;
  expect(
    await Promise.all(
      [
        "analyst",
        "analyst/analyst.js",
        "analyst/analyst.css",
        "analyst/other.js",
        "analyst/%2e%2e/package.json",
      ].map(statusOf),
    ),
  ).toEqual([308, 200, 200, 404, 404]);
  expect(await (await fetch(running.address)).text()).toContain('<a href="analyst/">');
});
