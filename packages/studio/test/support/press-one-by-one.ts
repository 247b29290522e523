/**
 * Presses buttons, each the moment it is there: a hand that has to reach through a busy machine may come when the
 * work that it should stop is done. Whatever draws a button is followed by the press within the same turn of the
 * page, so that the answer of a worker cannot come in between.
 * @module
 */
import type { Page } from "playwright-core";

export async function pressOneByOne(page: Page, buttons: readonly string[]): Promise<void> {
  await page.evaluate(
    (names) =>
      new Promise<void>((resolve) => {
        const waiting = [...names];
        const press = () => {
          const buttons = [...document.querySelectorAll("button")];
          const found = buttons.find(({ innerText, disabled }) => innerText === waiting[0] && !disabled);
          if (found === undefined) return;
          waiting.shift();
          found.click();
          if (waiting.length > 0) return press();
          watching.disconnect();
          resolve();
        };
        const watching = new MutationObserver(press);
        watching.observe(document.body, {
          attributes: true,
          characterData: true,
          childList: true,
          subtree: true,
        });
        press();
      }),
    [...buttons],
  );
}
