import { describe, expect, it } from "vitest";
import {
  button,
  chooseFile,
  countExample,
  countPeople,
  region,
  releaseOnce,
  setBudget,
  tryExample,
  useList,
} from "../../scripts/steps.js";
import { evictLedger } from "../support/evict-ledger.js";
import { PATIENTLY } from "../support/patiently.js";
import { studioBrowser } from "../support/studio-browser.js";

const studio = studioBrowser();

describe("a person who releases", () => {
  it("sees the price before it is paid, and pays nothing for “Not now”", async () => {
    const page = await studio.open();
    await countExample(page);
    await setBudget(page, "2");
    await button(page, "Release…").click();
    const dialog = page.getByRole("dialog", { name: /^Spend ε = 1 on this answer\?/ });
    await dialog.waitFor();
    await button(page, "Not now").click();
    await dialog.waitFor({ state: "hidden" });
    expect(await region(page, "Budget").innerText()).toContain("ε = 0");
  });

  it("is asked for the price of the question as it stands, never for that of the one before", async () => {
    const page = await studio.open();
    await countExample(page);
    await setBudget(page, "9");
    await button(page, "Release…").click();
    await page.getByRole("dialog", { name: /^Spend ε = 1 on this answer/ }).waitFor();
    await button(page, "Not now").click();
    const epsilon = await page.getByRole("textbox", { name: "Epsilon (ε)" }).elementHandle();
    const ask = await button(page, "Release…").elementHandle();
    const isAsked = await page.evaluate(
      ([field, press]) => {
        Object.assign(field as HTMLInputElement, { value: "4" }).dispatchEvent(new Event("input"));
        (press as HTMLElement).click();
        return document.querySelector("dialog")?.open;
      },
      [epsilon, ask],
    );
    expect(isAsked).toBe(false);
    await button(page, "Release…").click();
    const dialog = page.getByRole("dialog", { name: /^Spend ε = 4 on this answer/ });
    expect(await dialog.innerText()).toMatch(/Left after it\s+ε = 5, δ = 0.00001: about 1 more release/);
  });

  it("leaves the question by Escape and asks it again at once", async () => {
    const page = await studio.open();
    await countExample(page);
    await setBudget(page, "2");
    await button(page, "Release…").click();
    await page.getByRole("dialog").waitFor();
    const ask = await button(page, "Release…").elementHandle();
    await page.evaluate((again) => {
      document.querySelector("dialog")?.requestClose(); // what Escape does; its close event comes later
      (again as HTMLElement).click();
    }, ask);
    await button(page, "Not now").click();
    await page.getByRole("dialog").waitFor({ state: "hidden" });
  });

  it("releases, and reads a ranked table with leads", async () => {
    const page = await studio.open();
    await countExample(page);
    await setBudget(page, "2");
    const answer = await releaseOnce(page);
    const table = page.getByRole("table", { name: "Released winners" });
    expect(await table.getByRole("row").count()).toBe(11);
    expect(await table.innerText()).toContain("search");
    expect(await answer.innerText()).toContain("ε = 1");
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("published-title");
    await expect
      .poll(() => region(page, "Budget").innerText(), PATIENTLY)
      .toMatch(/Spent\s+ε = 1, δ = 0\s+Left\s+ε = 1/);
  });

  it("is charged once, however often the button is pressed", async () => {
    const page = await studio.open();
    await countExample(page);
    await setBudget(page, "9");
    await button(page, "Release…").click();
    await page.getByRole("dialog").waitFor();
    await page.evaluate(
      () =>
        new Promise<void>((resolve) => {
          const impatient = () => {
            const dialog = document.querySelector("dialog");
            if (!dialog?.open) return resolve();
            dialog.querySelector("button")?.click();
            setTimeout(impatient);
          };
          impatient();
        }),
    );
    await region(page, "The answer").waitFor();
    await expect.poll(() => region(page, "Budget").innerText(), PATIENTLY).toMatch(/Spent\s+ε = 1, δ = 0/);
    await button(page, "Release…").click(); // nothing else is under way
    expect(await page.getByRole("dialog").innerText()).toMatch(/Left before it\s+ε = 8/);
  });

  it("asks about unknown candidates and gets a set without leads", async () => {
    const page = await studio.open();
    await tryExample(page);
    await countPeople(page);
    await page.getByRole("radio", { name: "Unknown" }).check();
    await page.getByRole("textbox", { name: "Number of winners" }).fill("3");
    await page.getByLabel("Budget, epsilon").fill("10");
    await page.getByLabel("Budget, delta").fill("1e-5");
    await button(page, "Set the budget").click();
    const answer = await releaseOnce(page);
    expect(await answer.innerText()).not.toContain("leads");
  });

  it("is refused what the budget has no room for", async () => {
    const page = await studio.open();
    await countExample(page);
    await setBudget(page, "1");
    await releaseOnce(page);
    await expect.poll(() => button(page, "Release…").isDisabled(), PATIENTLY).toBe(true);
    expect(await page.locator("#release-obstacle").innerText()).toMatch(/budget/i);
  });

  it("sees in one tab what another has spent, and can spend no more", async () => {
    const context = await studio.context();
    const [one, other] = [await studio.open({ context }), await studio.open({ context })];
    await countExample(one);
    await countExample(other);
    await setBudget(one, "1");
    await expect.poll(() => button(other, "Release…").isEnabled(), PATIENTLY).toBe(true);
    await releaseOnce(one);
    await expect.poll(() => button(other, "Release…").isDisabled(), PATIENTLY).toBe(true);
    await expect.poll(() => region(other, "Budget").innerText(), PATIENTLY).toMatch(/Spent\s+ε = 1/);
  });

  it("finds an answer again after a reload, as it was, and pays nothing for it", async () => {
    const page = await studio.open();
    await countExample(page);
    await setBudget(page, "2");
    await releaseOnce(page);
    const winners = page.getByRole("table", { name: "Released winners" });
    const before = await winners.innerText();
    await page.reload();
    await button(page, "example").click();
    await page.getByText("Log of releases").click();
    await page.getByRole("button", { name: "Show again" }).click();
    expect(await winners.innerText()).toBe(before);
    expect(await region(page, "Budget").innerText()).toMatch(/Spent\s+ε = 1/);
  });

  it("is reminded of the budgets that there are, and keeps one for the same people in another file", async () => {
    const page = await studio.open();
    await countExample(page);
    await setBudget(page, "2");
    await releaseOnce(page);
    await button(page, "Choose another").click();
    await chooseFile(page, { name: "example-in-july.csv", content: "user,area\nu1,a\n" });
    await button(page, "example").click();
    await expect.poll(() => region(page, "Budget").innerText(), PATIENTLY).toMatch(/Spent\s+ε = 1/);
    expect(await page.getByLabel("Name of the data set").inputValue()).toBe("example");
  });

  it("is not let set a budget that promises nothing", async () => {
    const page = await studio.open();
    await countExample(page);
    for (const [epsilon, delta] of [
      ["", "1e-5"],
      ["abc", "1e-5"],
      ["0", "1e-5"],
      ["1e9999", "1e-5"],
      ["1", "1"],
    ]) {
      await page.getByLabel("Budget, epsilon").fill(epsilon!);
      await page.getByLabel("Budget, delta").fill(delta!);
      expect(await button(page, "Set the budget").isDisabled()).toBe(true);
    }
    await page.getByLabel("Budget, delta").fill("");
    await setBudget(page, "1/3");
    expect(await region(page, "Budget").innerText()).toMatch(/Promised\s+ε = 0\.333/);
  });

  it("is told that the budget is unknown when the browser has lost the ledger, and can release nothing", async () => {
    const page = await studio.open();
    await countExample(page);
    await setBudget(page, "5");
    await releaseOnce(page);
    await evictLedger(page);
    await page.reload();
    await countExample(page);
    await expect
      .poll(() => region(page, "Budget").innerText(), PATIENTLY)
      .toContain("The budget is unknown, so nothing can be released.");
    expect(await button(page, "Release…").isDisabled()).toBe(true);
  });

  it("changes one question into another after the answer, and the answer stays", async () => {
    const page = await studio.open();
    await countExample(page);
    await setBudget(page, "5");
    await releaseOnce(page);
    await useList(page, ["search", "news", "maps"]);
    await page.getByRole("textbox", { name: "Number of winners" }).fill("1");
    await releaseOnce(page);
    await expect
      .poll(() => page.getByRole("table", { name: "Released winners" }).getByRole("row").count(), PATIENTLY)
      .toBe(2);
  });
});
