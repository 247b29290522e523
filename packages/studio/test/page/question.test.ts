import { expect, it } from "vitest";
import { button, countExample, region } from "../../scripts/steps.js";
import { expectProblem } from "../support/expect-problem.js";
import { PATIENTLY } from "../support/patiently.js";
import { studioBrowser } from "../support/studio-browser.js";

const studio = studioBrowser();

it("a question that cannot be answered is said to be one, and nothing is run", async () => {
  const page = await studio.open();
  await countExample(page);
  await page.getByRole("textbox", { name: "Number of winners" }).fill("41");
  await expectProblem(page, "k must be an integer from 1 to 39 for 40 candidates");
  await expect
    .poll(() => region(page, "What it buys").innerText(), PATIENTLY)
    .toContain("Mend the question first.");
  expect(await button(page, "Release…").isDisabled()).toBe(true);
});

it("a person asks about a public list and sees what ε buys as it moves", async () => {
  const page = await studio.open();
  await countExample(page);
  await page.getByRole("img", { name: /^The expected share of true winners/ }).waitFor();
  await page.getByRole("img", { name: /^The expected error of a released lead/ }).waitFor();
  const plan = region(page, "What it buys");
  const words = () => plan.innerText();
  await expect.poll(words, PATIENTLY).toMatch(/At ε = 1, expect to find about \S+ of the true top 10/);
  await page.getByRole("slider", { name: "Epsilon, slider" }).focus();
  await page.keyboard.press("ArrowRight");
  await expect.poll(words, PATIENTLY).toMatch(/At ε = 1.5, expect to find about \S+ of the true top 10/);
  await page.getByRole("textbox", { name: "Number of winners" }).fill("3");
  await expect.poll(words, PATIENTLY).toMatch(/At ε = 1.5, expect to find about \S+ of the true top 3/);
  await expect.poll(words, PATIENTLY).not.toContain("running the mechanism…");
  await page.getByText("Show the numbers").click();
  const table = page.getByRole("table", { name: "What ε buys, in numbers" });
  expect(await table.getByRole("row").count()).toBe(1 + 11 * 2); // the grid and 1.5, of two mechanisms
});
