import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { PATIENTLY } from "../support/patiently.js";
import { studioBrowser } from "../support/studio-browser.js";

const studio = studioBrowser();

it("the whole way from the example to the answer can be gone with the keyboard alone", async () => {
  const page = await studio.visit();
  await page.keyboard.press("Tab");
  expect(await focused(page)).toBe("Skip to the content");
  await tabTo(page, "Try the example");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Change the columns" }).waitFor();
  await tabTo(page, "Unknown domain");
  await page.keyboard.press("ArrowDown");
  expect(await focused(page)).toMatch(/^Public list/);
  await tabTo(page, "Epsilon, slider");
  await page.keyboard.press("ArrowLeft");
  expect(await page.getByRole("textbox", { name: "Epsilon (ε)" }).inputValue()).toBe("0.7");
  await page.getByLabel("Budget, epsilon").waitFor();
  await tabTo(page, "Budget, epsilon");
  await page.keyboard.press("Control+A");
  await page.keyboard.type("2");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").waitFor();
  expect(await focused(page)).toBe("Not yet");
  await tabTo(page, "Set the budget");
  await page.keyboard.press("Enter");
  await page.getByRole("meter").waitFor();
  await expect.poll(() => page.getByRole("button", { name: "Release…" }).isEnabled(), PATIENTLY).toBe(true);
  await tabTo(page, "Release…");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "hidden" });
  expect(await focused(page)).toBe("Release…");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").waitFor();
  await tabTo(page, "Charge and release");
  await page.keyboard.press("Enter");
  await page.locator(".answer").waitFor();
  expect(await page.evaluate(() => document.activeElement?.id)).toBe("published-title");
  await tabTo(page, "Download CSV");
  const [file] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("Enter")]);
  expect(file.suggestedFilename()).toMatch(/\.csv$/);
});

/** Presses Tab until the focus is on what has this name. */
async function tabTo(page: Page, name: string): Promise<void> {
  const passed: string[] = [];
  for (let press = 0; press < 80; press++) {
    await page.keyboard.press("Tab");
    const here = await focused(page);
    if (here.startsWith(name)) return;
    passed.push(here);
  }
  expect.fail(`Tab does not lead to ${name}, but to ${passed.join(", ")}`);
}

/** The name of what has the focus: its label, or its text. */
function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    const element = document.activeElement;
    if (!(element instanceof HTMLElement)) return "";
    const labels = "labels" in element ? Array.from(element.labels as NodeListOf<HTMLElement>) : [];
    const label = element.getAttribute("aria-label") ?? labels.map(({ innerText }) => innerText).join(" ");
    return (label || element.innerText).replaceAll(/\s+/g, " ").trim();
  });
}
