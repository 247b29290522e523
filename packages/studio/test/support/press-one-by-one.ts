/**
 * Presses two buttons, the second the moment it is there: a hand that has to reach through a busy machine may come when the
 * work that it should stop is done.
 * @module
 */
import type { Page } from "playwright-core";

export async function pressOneByOne(page: Page, first: string, second: string): Promise<void> {
  await page.getByRole("button", { name: first, exact: true }).waitFor();
  await page.evaluate(
    (names) =>
      new Promise<void>((resolve) => {
        const press = ([name, ...more]: string[]) => {
          if (name === undefined) return resolve();
          const buttons = [...document.querySelectorAll("button")];
          const found = buttons.find(({ innerText, disabled }) => innerText === name && !disabled);
          if (found === undefined) return requestAnimationFrame(() => press([name, ...more]));
          found.click();
          press(more);
        };
        press(names);
      }),
    [first, second],
  );
}
