import { expect, it } from "vitest";
import { button, countExample, region } from "../../scripts/steps.js";
import { PATIENTLY } from "../support/patiently.js";
import { studioBrowser } from "../support/studio-browser.js";

const studio = studioBrowser();

it("what is wrong with a question is said beside its field, in one sentence, and nothing is run", async () => {
  const page = await studio.visit();
  await countExample(page);
  const fields = [
    ["Number of winners", "41", "10", "The list has 40 candidates: ask for at most 40."],
    ["Number of winners", "ten", "10", "Enter a whole number from 1 to 100,000."],
    ["Epsilon (ε)", "0", "1", "Enter a number greater than 0: 1, 0.5 or 1/3."],
  ] as const;
  for (const [name, bad, good, sentence] of fields) {
    const field = page.getByRole("textbox", { name });
    await field.fill(bad);
    await expect.poll(() => field.getAttribute("aria-invalid"), PATIENTLY).toBe("true");
    const described = await field.getAttribute("aria-describedby");
    const words = page.locator(
      (described ?? "")
        .split(" ")
        .map((id) => `[id="${id}"]`)
        .join(","),
    );
    expect(await words.first().innerText()).toBe(sentence);
    await expect
      .poll(() => region(page, "What it buys").innerText(), PATIENTLY)
      .toContain("Fix the highlighted fields first.");
    expect(await button(page, "Release…").isDisabled()).toBe(true);
    await field.fill(good);
  }
  await page.getByRole("textbox", { name: "Number of winners" }).fill("40"); // k = n has no runner-up
  await expect
    .poll(() => region(page, "What it buys").innerText(), PATIENTLY)
    .toContain("in the true top 40");
  await page.getByRole("radio", { name: "Unknown domain" }).check();
  const delta = page.getByRole("textbox", { name: "Delta (δ)" });
  await delta.fill("1e-300");
  await region(page, "Your question").getByText("Enter at least 1e-30; 1e-6 to 1e-12 is usual.").waitFor();
});

it("a person asks about a public list and sees what ε buys as it moves, by keyboard and by hand", async () => {
  const page = await studio.visit();
  await countExample(page);
  const picture = page.getByRole("img", { name: /^Right names, of those you ask for/ });
  await picture.waitFor();
  const plan = region(page, "What it buys");
  const words = () => plan.innerText();
  await expect
    .poll(words, PATIENTLY)
    .toMatch(/At ε = 1, expect a list of about 10 names, .* in the true top 10\. A count is off by/);
  const slider = page.getByRole("slider", { name: "Epsilon, slider" });
  await slider.focus();
  await page.keyboard.press("ArrowRight");
  await expect
    .poll(words, PATIENTLY)
    .toMatch(/At ε = 1.5, expect a list of about 10 names, .* in the true top 10/);
  expect(await slider.getAttribute("aria-valuetext")).toMatch(
    /^ε = 1\.5: a list of about 10 names, .* in the true top 10/,
  );
  await page.getByRole("textbox", { name: "Number of winners" }).fill("3");
  await expect
    .poll(words, PATIENTLY)
    .toMatch(/At ε = 1.5, expect a list of about 3 names, .* in the true top 3/);
  await expect.poll(words, PATIENTLY).not.toContain("running the mechanism…");
  await page.getByText("Show the numbers").click();
  const table = page.getByRole("table", { name: "What ε buys, in numbers" });
  expect(await table.getByRole("row").count()).toBe(1 + 13); // the grid, of the mechanism that is asked (finding 32)
  await plan.getByText("Choose another mechanism beside the chart to see its numbers.").waitFor();
  const heights = await table.locator("tbody tr").evaluateAll((rows) => rows.map((row) => row.clientHeight));
  expect(Math.max(...heights)).toBeLessThan(48); // one line each
  const box = (await picture.boundingBox())!;
  await page.mouse.move(box.x + box.width - 16, box.y + 100);
  await page.mouse.down();
  expect(await page.getByRole("textbox", { name: "Epsilon (ε)" }).inputValue()).toBe("10");
  await page.mouse.move(box.x, box.y + 100);
  await page.mouse.up();
  expect(await page.getByRole("textbox", { name: "Epsilon (ε)" }).inputValue()).toBe("0.01");
});
