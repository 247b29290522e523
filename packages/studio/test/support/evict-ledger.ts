/**
 * Takes the ledger's storage away, as a browser does that is short of room.
 * @module
 */
import type { Page } from "playwright-core";

export async function evictLedger(page: Page): Promise<void> {
  await page.evaluate(
    () =>
      new Promise((resolve, reject) => {
        const deleted = indexedDB.deleteDatabase("winnow-ledger");
        deleted.onsuccess = () => resolve(undefined);
        deleted.onerror = () => reject(deleted.error);
      }),
  );
}
