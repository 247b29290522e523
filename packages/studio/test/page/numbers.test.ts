import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { readRelease } from "winnow-release";
import { button, chooseFile, countPeople, region, releaseOnce, setBudget } from "../../scripts/steps.js";
import { fillRange, ORDERS } from "../support/orders.js";
import { PATIENTLY } from "../support/patiently.js";
import { studioBrowser } from "../support/studio-browser.js";

const studio = studioBrowser();

it("shows how far off a median can be before there is any data, and moves with ε", async () => {
  const page = await studio.visit();
  await page.getByRole("radio", { name: "Top k" }).focus();
  for (let press = 0; press < 3; press++) await page.keyboard.press("ArrowDown");
  expect(await page.getByRole("radio", { name: "Median, quantiles" }).isChecked()).toBe(true);
  await fillRange(page, "0", "10000");
  const words = () => region(page, "What it buys").innerText();
  await expect.poll(words, PATIENTLY).toMatch(/At ε = 1, its rank is within \d+ ranks of the exact one/);
  const slider = page.getByRole("slider", { name: "Epsilon, slider" });
  const before = Number(/within (\d+) ranks/.exec(await words())?.[1]);
  await slider.press("ArrowRight");
  await expect.poll(words, PATIENTLY).toMatch(/At ε = 1\.5, its rank is within \d+ ranks/);
  expect(Number(/within (\d+) ranks/.exec(await words())?.[1])).toBeLessThan(before);
});

it("says in one sentence what is wrong with a question about numbers, beside its field", async () => {
  const page = await studio.visit();
  await chooseFile(page, ORDERS);
  await page.getByRole("radio", { name: "Median, quantiles" }).check();
  await page.getByLabel("Item column").selectOption("shop");
  await countPeople(page);
  const question = region(page, "Your question");
  const problem = question.locator(".field-problem:not(:empty)").first();
  const told = () => problem.innerText({ timeout: 5_000 });
  await expect.poll(told, PATIENTLY).toBe("No value in this column is a number. Choose a column of numbers.");
  expect(await page.getByLabel("Column of numbers").getAttribute("aria-invalid")).toBe("true");
  await page.getByLabel("Column of numbers").selectOption("amount");
  await page.getByRole("textbox", { name: "Lowest" }).focus();
  await page.getByRole("textbox", { name: "Highest" }).focus(); // an empty range is wrong once someone was there
  await expect.poll(told, PATIENTLY).toMatch(/^Enter the lowest and the highest value/);
  await fillRange(page, "10", "0");
  await expect
    .poll(told, PATIENTLY)
    .toBe('Range must be from a lower to an upper end, such as 0..10000; got "10..0".');
  expect(await page.getByRole("textbox", { name: "Highest" }).getAttribute("aria-invalid")).toBe("true");
  await fillRange(page, "0", "200");
  await page.getByRole("textbox", { name: "Quantiles" }).fill("0.5, 1.5");
  await expect.poll(told, PATIENTLY).toBe('Quantiles must be from 0 to 1; got "1.5".');
  expect(await button(page, "Release…").isDisabled()).toBe(true);
  await page.getByRole("textbox", { name: "Quantiles" }).fill("0.5");
  await page.getByRole("textbox", { name: "Values per person, at most" }).fill("0");
  await expect.poll(told, PATIENTLY).toBe("Enter a whole number from 1.");
  await page.getByRole("radio", { name: "Frequencies" }).check();
  await page.getByRole("textbox", { name: "Items per person, at most" }).fill("1");
  await page.getByRole("textbox", { name: "Epsilon (ε)" }).fill("0.01");
  await region(page, "What it buys")
    .getByText(/^Epsilon must be a rational from 0.05 to 1000 /)
    .waitFor();
});

it("releases quantiles and frequencies, charged first, as a table, a picture and every file", async () => {
  const page = await studio.visit();
  await chooseFile(page, ORDERS);
  await page.getByRole("radio", { name: "Median, quantiles" }).check();
  await page.getByLabel("Column of numbers").selectOption("amount");
  await page.getByRole("textbox", { name: "Quantiles" }).fill("0.5, 0.9");
  await fillRange(page, "0", "1");
  await setBudget(page, "4");
  await (await releaseOnce(page))
    .getByText(
      "The median and the 90 % quantile are at an end of the range 0 to 1, and the exact ones may lie beyond it.",
      { exact: true },
    )
    .waitFor();
  await fillRange(page, "0", "200");
  await expect
    .poll(() => region(page, "What it buys").innerText(), PATIENTLY)
    .toMatch(/Usable\. At ε = 1, the rank of each value .* of your 900 values/s);
  const answer = await releaseOnce(page);
  await answer.getByRole("img", { name: /The median and the 90 % quantile of amount/ }).waitFor();
  await page.getByText("The numbers", { exact: true }).click();
  const table = page.getByRole("table", { name: "Released quantiles" });
  expect(await table.innerText()).toMatch(/Value \(≤ 1 value per user\)/);
  expect(await table.innerText()).toMatch(/median\s+\d+\s+± \d+ ranks\s+90 % quantile\s+\d+/);
  expect(await answer.innerText()).toContain("over one value of each user, chosen at random");
  const [file] = await Promise.all([page.waitForEvent("download"), button(page, "Download JSON").click()]);
  const release = readRelease(await readFile(await file.path(), "utf8"));
  expect(release).toMatchObject({
    question: { kind: "quantile", quantiles: ["0.5", "0.9"], domain: { lower: "0", upper: "200" } },
    source: { item: "amount", user: "user" },
  });
  await page.getByText("Log of releases").click();
  await page.getByText("2 quantiles of amount, quantiles").first().waitFor();
  await page.getByRole("radio", { name: "Frequencies" }).check();
  await releaseOnce(page);
  await answer
    .getByRole("img", { name: /How many users \(each counted for at most 1 item\) the items of amount have/ })
    .waitFor();
  await page.getByText("The numbers", { exact: true }).click();
  const list = page.getByRole("table", { name: "Released frequencies" });
  expect(await list.innerText()).toMatch(/Users \(≤ 1 item each\)\s+Items with that many people/);
  await answer
    .getByText(/far more people may have an item than its count says/)
    .first()
    .waitFor();
  await expect
    .poll(() => region(page, "What it costs").innerText(), PATIENTLY)
    .toMatch(/Spent\s+ε = 2\.9\d*/);
});
