import { describe, expect, it } from "vitest";
import { button, chooseFile, countPeople, region } from "../../scripts/steps.js";
import { LARGE_FILE } from "../support/large-file.js";
import { PATIENTLY } from "../support/patiently.js";
import { pressOneByOne } from "../support/press-one-by-one.js";
import { studioBrowser } from "../support/studio-browser.js";

const studio = studioBrowser();

describe("the gallery", () => {
  it("has the keyboard at its title as soon as it is there, and takes it from nobody later", async () => {
    const page = await studio.visit();
    const focused = await page.evaluate(
      () =>
        new Promise((resolve) => {
          addEventListener("hashchange", () => resolve(document.activeElement?.textContent));
          location.hash = "#why";
        }),
    );
    expect(focused).toBe("Don’t believe it. Try it.");
  });

  it("plays an attack by itself, against textbook code and against ours, and draws chance and bound", async () => {
    const page = await studio.visit();
    await page.getByRole("link", { name: "See why" }).click();
    const attacks = region(page, "Small mistakes give people away");
    const verdicts = () =>
      attacks.locator(".success").evaluateAll((bars) => bars.map((bar) => bar.getAttribute("data-broken")));
    await expect.poll(verdicts, PATIENTLY).toEqual(["true", "false"]);
    await expect.poll(() => attacks.getByRole("button", { name: "Stop" }).count(), PATIENTLY).toBe(0);
    expect(await verdicts()).toEqual(["true", "false"]);
    expect(await attacks.innerText()).toMatch(/chance: 50\s%\s+most that ε = \S+ allows: \d+\s%/);
  });

  it("shows what ε means for one person, and draws leads", async () => {
    const page = await studio.visit();
    await page.getByRole("link", { name: "See why" }).click();
    const dots = page.getByRole("img", { name: /^A hundred dots/ });
    const before = await dots.getAttribute("aria-label");
    const slider = page.getByRole("slider", { name: "Epsilon of the release, slider" });
    await slider.focus();
    await page.keyboard.press("End");
    await expect.poll(() => dots.getAttribute("aria-label"), PATIENTLY).not.toBe(before);
    const leads = region(page, "The lead comes free");
    const drawn = await leads.innerText();
    await leads.getByRole("button", { name: "Draw again" }).click();
    await expect.poll(() => leads.innerText(), PATIENTLY).not.toBe(drawn);
  });

  it("stops an attack and leaves a count of the studio alone", async () => {
    const page = await studio.visit();
    await chooseFile(page, LARGE_FILE);
    await page.getByRole("link", { name: "See why" }).click();
    await pressOneByOne(page, ["Stop"]);
    await button(page, "Stop").waitFor({ state: "hidden" });
    await page.getByRole("link", { name: "Studio" }).click();
    await countPeople(page);
  });
});
