import type { Browser, BrowserContext } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { ledgerLaws } from "../../../release/test/ledger/laws/ledger-laws.js";
import { exampleRelease, openedLedger, refusal } from "../../../release/test/ledger/laws/place.js";
import { launchChromium, locateChromium, NO_CHROMIUM } from "../../scripts/chromium.js";
import { openStorePage, pageStore, tamperWithPage } from "../support/page-store.js";

let browser: Browser | undefined;
let context: BrowserContext;
let names = 0;

beforeAll(async () => {
  const executable = await locateChromium();
  if (executable === undefined) return;
  browser = await launchChromium(executable);
  context = await browser.newContext();
});
beforeEach((test) => {
  if (browser !== undefined) return;
  if (process.env.CI) throw new Error(NO_CHROMIUM);
  test.skip(NO_CHROMIUM);
});
afterAll(() => browser?.close());

let shared: ReturnType<typeof openStorePage> | undefined;

/** A ledger of its own, in the one tab that all laws share. */
async function makePlace() {
  shared ??= openStorePage(context);
  const [page, name] = [await shared, `ledger ${names++}`];
  return {
    page,
    name,
    store: () => pageStore(page, name),
    tamper: (change: Parameters<typeof tamperWithPage>[2]) => tamperWithPage(page, name, change),
  };
}

ledgerLaws("the ledger of a browser", makePlace);

it("is refused if it was evicted, or an older copy was put back, because its head is remembered elsewhere", async () => {
  const { page, name, store } = await makePlace();
  const ledger = await openedLedger({ store });
  for (const id of ["a", "b"]) await ledger.record("visits", exampleRelease(id));
  await page.evaluate(
    (name) =>
      new Promise((resolve, reject) => {
        const deleted = indexedDB.deleteDatabase(name);
        deleted.onsuccess = resolve;
        deleted.onerror = reject;
      }),
    name,
  );
  for (const later of [ledger, await openedLedger({ store })]) {
    await expect(later.account("visits")).rejects.toThrow(refusal("ledger-replaced"));
    await expect(later.record("visits", exampleRelease("c"))).rejects.toThrow(refusal("ledger-replaced"));
  }
});

it("has all of a charge or nothing if the tab is killed in the middle of it", async () => {
  const { name, store } = await makePlace();
  const ledger = await openedLedger({ store });
  await ledger.setBudget("visits", { measure: "pure", epsilon: "9" });
  let charged = 0;
  for (const moment of ["before it writes", "while it writes", "while it writes, again"]) {
    const tab = await openStorePage(context);
    const inTab = await pageStore(tab, name);
    const dying = new Proxy(inTab, {
      get: (_, part) => {
        if (part !== "writing") return Reflect.get(inTab, part);
        return (work: () => Promise<unknown>) =>
          inTab.writing(async () => {
            const result = await work();
            const closed = tab.close();
            if (moment.startsWith("before")) await closed;
            return result;
          });
      },
    });
    const run = await openedLedger({ store: async () => dying });
    const isTold = await run.record("visits", exampleRelease(moment)).then(
      () => true,
      () => false,
    );
    const { releases } = await ledger.account("visits");
    expect(releases - charged).toBeLessThanOrEqual(moment.startsWith("before") ? 0 : 1);
    if (isTold) expect(releases - charged).toBe(1);
    charged = releases;
  }
  expect((await ledger.verify()).findings).toEqual([]);
  expect((await ledger.record("visits", exampleRelease("after"))).ledger.sequence).toBe(charged + 2);
});
