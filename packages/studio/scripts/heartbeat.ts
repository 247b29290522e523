/**
 * How long a page is blocked: a timer in the page beats as often as the browser lets it, and the longest pause between two
 * beats is the longest time in which nothing could have been clicked, typed or drawn.
 * @module
 */
import type { Page } from "playwright-core";

interface Beating extends Window {
  longestPause?: number;
}

/** Before the page is opened. */
export async function startHeartbeat(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const beating: Beating = window;
    let last = performance.now();
    beating.longestPause = 0;
    setInterval(() => {
      const now = performance.now();
      beating.longestPause = Math.max(beating.longestPause ?? 0, now - last);
      last = now;
    }, 1);
  });
}

export interface Watched {
  /** Milliseconds. */
  readonly blocked: number;
  readonly took: number;
}

/** The longest pause while something is done, and how long that took. */
export async function blockedDuring(page: Page, work: () => Promise<unknown>): Promise<Watched> {
  await page.evaluate(() => {
    (window as Beating).longestPause = 0;
  });
  const began = performance.now();
  await work();
  const took = performance.now() - began;
  const blocked = await page.evaluate(() => (window as Beating).longestPause ?? 0);
  return { blocked, took };
}
