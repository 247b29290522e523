import { describe, expect, it } from "vitest";
import {
  button,
  chooseFile,
  countExample,
  countPeople,
  countVisits,
  region,
  releaseOnce,
  setBudget,
  useList,
  winnersTable,
} from "../../scripts/steps.js";
import { PATIENTLY } from "../support/patiently.js";
import { studioBrowser } from "../support/studio-browser.js";

const studio = studioBrowser();

/** Three items that many have, and many that one person has. */
const FEW_CLEAR = {
  name: "clear.csv",
  content: [
    "user,item",
    ...["first", "second", "third"].flatMap((item, place) =>
      Array.from({ length: 3000 - 900 * place }, (_, user) => `u${user},${item}`),
    ),
    ...Array.from({ length: 20 }, (_, number) => `u${number},rare ${number}`),
  ].join("\n"),
};

describe("a person who releases", () => {
  it("sees the price before it is paid, and pays nothing for Escape or “Not now”", async () => {
    const page = await studio.visit();
    await countExample(page);
    await setBudget(page, "2");
    await button(page, "Release…").click();
    const dialog = page.getByRole("dialog", { name: /^Spend ε = 1 on this answer\?/ });
    await dialog.waitFor();
    const ask = await button(page, "Release…").elementHandle();
    await page.evaluate((again) => {
      document.querySelector<HTMLDialogElement>("dialog[open]")?.requestClose(); // what Escape does; its close event comes later
      (again as HTMLElement).click();
    }, ask);
    await button(page, "Not now").click();
    await dialog.waitFor({ state: "hidden" });
    expect(await region(page, "What it costs").innerText()).toContain("ε = 0");
  });

  it("is asked for the price of the question as it stands, never for that of the one before", async () => {
    const page = await studio.visit();
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
        return document.querySelector("dialog[open]") !== null;
      },
      [epsilon, ask],
    );
    expect(isAsked).toBe(false);
    await button(page, "Release…").click();
    const dialog = page.getByRole("dialog", { name: /^Spend ε = 4 on this answer/ });
    expect(await dialog.innerText()).toMatch(/Left after it\s+ε = 5, δ = 0.00001: about 1 more release/);
  });

  it("releases, and reads a picture and a ranked table with counts and leads", async () => {
    const page = await studio.visit();
    await countExample(page);
    await setBudget(page, "2");
    const answer = await releaseOnce(page);
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("published-title");
    await answer
      .getByRole("img", { name: /^The answer as a picture\. The 10 items with the most users/ })
      .waitFor();
    const table = await winnersTable(page);
    expect(await table.getByRole("row").count()).toBe(11);
    expect(await table.innerText()).toMatch(
      /search\s+[\d,]+ \([\d,]+ to [\d,]+\)\s+[\d,]+ \([\d,]+ to [\d,]+\)/,
    );
    await expect
      .poll(() => region(page, "What it costs").innerText(), PATIENTLY)
      .toMatch(/Spent\s+ε = 1, δ = 0\s+Remaining\s+ε = 1/);
  });

  it("is charged once, however often the button is pressed", async () => {
    const page = await studio.visit();
    await countExample(page);
    await setBudget(page, "9");
    await button(page, "Release…").click();
    await page.getByRole("dialog").waitFor();
    await page.evaluate(
      () =>
        new Promise<void>((resolve) => {
          const impatient = () => {
            const dialog = document.querySelector("dialog[open]");
            if (dialog === null) return resolve();
            dialog.querySelector<HTMLElement>("button.primary")?.click();
            setTimeout(impatient);
          };
          impatient();
        }),
    );
    await page.locator(".answer").waitFor();
    await expect
      .poll(() => region(page, "What it costs").innerText(), PATIENTLY)
      .toMatch(/Spent\s+ε = 1, δ = 0/);
    await button(page, "Release…").click(); // nothing else is under way
    expect(await page.getByRole("dialog").innerText()).toMatch(/Left now\s+ε = 8/);
  });

  it("asks about an unknown domain, gets names with counts, and pays for the names it got", async () => {
    const page = await studio.visit();
    await chooseFile(page, FEW_CLEAR);
    await countPeople(page);
    await setBudget(page, "3");
    const answer = await releaseOnce(page);
    expect(await answer.innerText()).toContain("3 of 10: the next name could not be published safely.");
    expect(await answer.innerText()).toMatch(/Charged ε = [\d.]+, δ = 0\.000001\./);
    const table = await winnersTable(page);
    expect(await table.innerText()).toMatch(
      /Rank\s+Winner\s+Users\s+1\s+first\s+[\d,]+ \([\d,]+ to [\d,]+\)/,
    );
    await expect
      .poll(() => region(page, "What it costs").innerText(), PATIENTLY)
      .toMatch(/Spent\s+ε = [\d.]+, δ = 0.000001/);
    await page.getByRole("radio", { name: "Names only" }).check();
    expect(await (await releaseOnce(page)).innerText()).toMatch(
      /Reserved ε = 1, δ = [\d.e-]+, charged ε = 0\.\d+, δ = [\d.e-]+: you pay for the names you got\./,
    );
  });

  it("is refused what the budget has no room for", async () => {
    const page = await studio.visit();
    await countExample(page);
    await setBudget(page, "1");
    await releaseOnce(page);
    await expect.poll(() => button(page, "Release…").isDisabled(), PATIENTLY).toBe(true);
    expect(await page.locator("#release-obstacle").innerText()).toMatch(/budget/i);
  });

  it("sees in one tab what another has spent, and can spend no more", async () => {
    const context = await studio.context();
    const [one, other] = [await studio.open({ context }), await studio.open({ context })];
    await countVisits(one);
    await countVisits(other);
    await setBudget(one, "1");
    await expect.poll(() => button(other, "Release…").isEnabled(), PATIENTLY).toBe(true);
    await releaseOnce(one);
    await expect.poll(() => button(other, "Release…").isDisabled(), PATIENTLY).toBe(true);
    await expect.poll(() => region(other, "What it costs").innerText(), PATIENTLY).toMatch(/Spent\s+ε = 1/);
  });

  it("finds the last answer after a reload, as it was, and keeps its budget for the same people in another file", async () => {
    const page = await studio.visit();
    await countVisits(page);
    await setBudget(page, "2");
    await releaseOnce(page);
    const before = await (await winnersTable(page)).innerText();
    await page.reload();
    await page.getByText("Your last release.").waitFor();
    expect(await (await winnersTable(page)).innerText()).toBe(before);
    await chooseFile(page, { name: "visits-in-july.csv", content: "user,area\nu1,a\n" });
    await button(page, "visits").click();
    const costs = () => region(page, "What it costs").innerText();
    await expect.poll(costs, PATIENTLY).toMatch(/Spent\s+ε = 1/);
    await page.getByText("Log of releases").click();
    await page.getByRole("button", { name: "Show again" }).click();
    expect(await (await winnersTable(page)).innerText()).toBe(before);
    expect(await costs()).toMatch(/Spent\s+ε = 1/);
  });

  it("is not let set a budget that promises nothing", async () => {
    const page = await studio.visit();
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
      expect(await button(page, "Set the budget…").isDisabled()).toBe(true);
    }
    await page.getByLabel("Budget, delta").fill("");
    await setBudget(page, "1/3");
    expect(await region(page, "What it costs").innerText()).toMatch(/Budget\s+ε = 0\.333/);
  });

  it("changes one question into another after the answer, and the answer stays", async () => {
    const page = await studio.visit();
    await countExample(page);
    await setBudget(page, "5");
    await releaseOnce(page);
    await useList(page, ["search", "news", "maps"]);
    await page.getByRole("textbox", { name: "Number of winners" }).fill("1");
    await releaseOnce(page);
    await expect.poll(async () => (await winnersTable(page)).getByRole("row").count(), PATIENTLY).toBe(2);
  });
});
