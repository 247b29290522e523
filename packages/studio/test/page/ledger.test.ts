import type { BrowserContext, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import type { Asked, LedgerEntry, LedgerStatus, Published } from "../../src/worker/api.js";
import { asFile, callWorker, IGNORED } from "../support/call-worker.js";
import { evictLedger } from "../support/evict-ledger.js";
import { studioBrowser } from "../support/studio-browser.js";

const studio = studioBrowser();

const ROWS = [
  "user,area",
  ...Array.from({ length: 30 }, (_, row) => `u${row},${row % 3 === 0 ? "a" : "b"}`),
].join("\n");
const CANDIDATES = ["a", "b", "c"];
const ASKED: Asked = {
  kind: "top",
  k: 1,
  domain: "listed",
  neighbours: "add-remove",
  epsilon: "1",
  unit: "one value of column user",
};

async function counted(page: Page): Promise<Page> {
  await callWorker(page, "open", asFile("visits.csv", ROWS));
  await callWorker(page, "count", { item: "area", user: "user" }, IGNORED);
  await callWorker(page, "setCandidates", CANDIDATES);
  return page;
}

async function ready(context?: BrowserContext, prelude?: string): Promise<Page> {
  if (context === undefined && prelude === undefined) return counted(await studio.visit());
  return counted(await studio.open({ ...(context && { context }), ...(prelude && { prelude }) }));
}

const init = (page: Page, epsilon: string) =>
  callWorker<LedgerStatus>(page, "ledger.init", "visits", { epsilon });
const status = (page: Page) => callWorker<LedgerStatus>(page, "ledger.status", "visits");
const log = (page: Page) => callWorker<LedgerEntry[]>(page, "ledger.log", "visits");
const release = (page: Page, id: string, asked: Asked = ASKED) =>
  callWorker<Published>(page, "release", { dataset: "visits", asked, id });

describe("the ledger of the page", () => {
  it("refuses to release before there is a budget", async () => {
    const page = await ready();
    expect(await status(page)).toEqual({ state: "absent" });
    await expect(release(page, "first")).rejects.toMatchObject({ code: "no-budget" });
    expect(await status(page)).toEqual({ state: "absent" });
  });

  it("charges each release and refuses what does not fit", async () => {
    const page = await ready();
    expect(await init(page, "2")).toMatchObject({ state: "ready", remaining: "ε = 2", releases: 0 });
    await release(page, "first");
    expect(await status(page)).toMatchObject({ spent: "ε = 1", remaining: "ε = 1", share: 0.5, releases: 1 });
    await release(page, "second");
    const third = release(page, "third");
    await expect(third).rejects.toMatchObject({ code: "over-budget" });
    await expect(third).rejects.toThrow("is epsilon = 0 of");
    expect(await status(page)).toMatchObject({ remaining: "ε = 0", share: 1, releases: 2 });
  });

  it("survives a reload, and a release keeps its place in the chain", async () => {
    const page = await ready();
    await init(page, "3");
    const first = await release(page, "first");
    await page.reload();
    expect(await status(page)).toMatchObject({ spent: "ε = 1", releases: 1 });
    const [entry] = await log(page);
    const again = await callWorker<Published>(page, "ledger.show", "visits", entry?.id);
    expect(again.release).toEqual(first.release);
    await counted(page);
    const second = await release(page, "second");
    expect(second.release).toMatchObject({
      ledger: { sequence: 3, head: expect.stringMatching(/^[\da-f]{64}$/) },
    });
  });

  it("gives the stored answer for the same id and charges nothing, and refuses the id for another question", async () => {
    const page = await ready();
    await init(page, "5");
    const first = await release(page, "again");
    expect((await release(page, "again")).release).toEqual(first.release);
    await page.reload();
    await counted(page);
    expect((await release(page, "again")).release).toEqual(first.release);
    await expect(release(page, "again", { ...ASKED, epsilon: "1/2" })).rejects.toMatchObject({
      code: "release-id-taken",
    });
    expect(await status(page)).toMatchObject({ spent: "ε = 1", releases: 1 });
  });

  it("lets two tabs that race for the budget spend all of it and nothing more", async () => {
    const context = await studio.context();
    const tabs = [await ready(context), await ready(context)];
    await init(tabs[0]!, "5");
    const races = Array.from({ length: 16 }, (_, run) => release(tabs[run % 2]!, `race ${run}`));
    const ends = await Promise.allSettled(races);
    const refusals = ends.flatMap((end) => (end.status === "rejected" ? [end.reason.code] : []));
    expect(refusals).toEqual(Array.from({ length: 11 }, () => "over-budget"));
    for (const tab of tabs)
      expect(await status(tab)).toMatchObject({ spent: "ε = 5", remaining: "ε = 0", releases: 5 });
    const entries = await log(tabs[1]!);
    expect(entries.map(({ sequence }) => sequence)).toEqual([2, 3, 4, 5, 6]);
    expect(new Set(entries.map(({ head }) => head)).size).toBe(5);
  });

  it("gives two tabs that ask with one id one answer for one charge", async () => {
    const context = await studio.context();
    const tabs = [await ready(context), await ready(context)];
    await init(tabs[0]!, "5");
    const [one, other] = await Promise.all(tabs.map((tab) => release(tab, "shared")));
    expect(one?.release).toEqual(other?.release);
    expect(await status(tabs[0]!)).toMatchObject({ releases: 1 });
  });

  it("corrects a budget of which nothing is spent, and refuses another one after that", async () => {
    const page = await ready();
    await init(page, "30");
    expect(await init(page, "3")).toMatchObject({ budget: "ε = 3", isUnspent: true });
    await release(page, "first");
    expect(await init(page, "3")).toMatchObject({ budget: "ε = 3", isUnspent: false });
    await expect(init(page, "10")).rejects.toMatchObject({ code: "budget-exists" });
  });
});

describe("a ledger that cannot be relied on refuses", () => {
  it.each([
    ["lost its last row", () => changeRows((rows) => rows.delete(2))],
    ["lost its budget", () => changeRows((rows) => rows.delete(1))],
    [
      "had a row changed",
      () => changeRows((rows) => rows.put({ sequence: 2, hash: "0".repeat(64), text: "{}" })),
    ],
  ])("when it %s", async (_, damage) => {
    const page = await ready();
    await init(page, "5");
    await release(page, "first");
    await page.evaluate(CHANGE_ROWS);
    await page.evaluate(`(${damage})()`);
    await expectLost(page);
  });

  it("when it was evicted", async () => {
    const page = await ready();
    await init(page, "5");
    await release(page, "first");
    await evictLedger(page);
    await expectLost(page);
  });

  it("when the memory of it was overwritten", async () => {
    const page = await ready();
    await init(page, "5");
    await page.evaluate(() => localStorage.setItem("winnow-ledger-head", "something else"));
    await expectUnknown(page);
  });

  it("when the browser has no Web Locks", async () => {
    const page = await ready(undefined, "Object.defineProperty(navigator, 'locks', { value: undefined });");
    await expect(init(page, "5")).rejects.toMatchObject({ code: "no-locks" });
    await expect(release(page, "first")).rejects.toMatchObject({ code: "no-locks" });
    expect(await status(page)).toMatchObject({ state: "unknown" });
  });

  it("when the browser does not let the page store anything", async () => {
    const page = await ready(
      undefined,
      "indexedDB.open = () => { throw new DOMException('no', 'SecurityError'); };",
    );
    await expect(init(page, "5")).rejects.toMatchObject({ code: "ledger-unavailable" });
    await expect(release(page, "first")).rejects.toMatchObject({ code: "ledger-unavailable" });
  });

  it("when the browser does not let the page remember anything", async () => {
    const context = await studio.context();
    await context.addInitScript(() => {
      const blocked = () => {
        throw new DOMException("no", "SecurityError");
      };
      Object.defineProperty(window, "localStorage", { get: blocked });
    });
    const page = await ready(context);
    expect(await status(page)).toMatchObject({ state: "unknown" });
    await expect(release(page, "first")).rejects.toMatchObject({ code: "ledger-unavailable" });
  });

  it("when its storage is there, but not what should be in it", async () => {
    const context = await studio.context();
    const before = await context.newPage();
    await before.goto(`${studio.address}studio.css`);
    await before.evaluate(
      () =>
        new Promise((resolve) => {
          const opened = indexedDB.open("winnow-ledger", 1);
          opened.onsuccess = () => resolve(opened.result.close());
        }),
    );
    const page = await ready(context);
    await expectUnknown(page);
  });

  it("when the charge cannot be written: then nothing is released", async () => {
    const context = await studio.context();
    const healthy = await ready(context);
    await init(healthy, "5");
    const full = "IDBObjectStore.prototype.add = function () { this.transaction.abort(); };";
    const page = await ready(context, full);
    await expect(release(page, "first")).rejects.toMatchObject({ code: "ledger-unavailable" });
    expect(await status(healthy)).toMatchObject({ releases: 0 });
    await release(healthy, "first");
    expect(await status(page)).toMatchObject({ releases: 1 });
  });
});

/** Now, and after a reload. */
async function expectLost(page: Page): Promise<void> {
  await expectUnknown(page);
  await page.reload();
  await counted(page);
  await expectUnknown(page);
}

async function expectUnknown(page: Page): Promise<void> {
  expect(await status(page)).toMatchObject({
    state: "unknown",
    why: expect.stringContaining("The page doesn't know what was spent before"),
  });
  await expect(release(page, "after")).rejects.toMatchObject({ code: "ledger-unknown" });
  await expect(init(page, "5")).rejects.toMatchObject({ code: "ledger-unknown" });
}

declare function changeRows(change: (rows: IDBObjectStore) => IDBRequest): Promise<void>;

/** Defines `changeRows` in the page. */
const CHANGE_ROWS = `window.changeRows = (change) => new Promise((resolve, reject) => {
  const opened = indexedDB.open("winnow-ledger");
  opened.onsuccess = () => {
    const transaction = opened.result.transaction("rows", "readwrite");
    transaction.oncomplete = () => { opened.result.close(); resolve(); };
    transaction.onerror = reject;
    change(transaction.objectStore("rows"));
  };
});`;
