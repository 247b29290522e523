/**
 * Three tasks of a newcomer, from a file to what is taken away, on generated data like those that people have: films that viewers have seen,
 * venues that people check in to, salaries as a European spreadsheet writes them. Each says how many clicks and fields it takes and
 * what the page says on the way, so that a longer way or another sentence is seen.
 */
import { readFile } from "node:fs/promises";
import type { Locator, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { button, type Chosen, chooseFile, region, winnersTable } from "../../scripts/steps.js";
import { PATIENTLY } from "../support/patiently.js";
import { studioBrowser } from "../support/studio-browser.js";

const studio = studioBrowser();

/** Numbers from 0 to 1, the same every time. */
function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** 610 viewers, and 3,000 films of which the first are seen by most. */
function films(): Chosen {
  const next = numbersFrom(1);
  const rows = ["userId,movieId,rating,timestamp"];
  for (let viewer = 1; viewer <= 610; viewer++)
    for (let film = 0; film < 3000; film++)
      if (next() < (film < 12 ? 0.56 - 0.03 * film : 2 / (film + 8)))
        rows.push(`${viewer},${film + 1},${1 + Math.floor(9 * next()) / 2},${1_000_000_000 + film}`);
  return { name: "ratings.csv", content: rows.join("\n") };
}

/** 1,080 people who check in to some of 400 venues, eighty of which are nearly as well known as the next: no gap helps to name them. */
function checkIns(): Chosen {
  const next = numbersFrom(2);
  const rows = ["user,venue"];
  for (let person = 1; person <= 1080; person++)
    for (let venue = 0; venue < 400; venue++)
      if (next() < (venue < 80 ? 0.24 - 0.0025 * venue : 0.004)) rows.push(`p${person},venue ${venue + 1}`);
  return { name: "checkins.csv", content: rows.join("\n") };
}

/** 3,600 people, and what they earn: "3.214,50". */
function salaries(): Chosen {
  const next = numbersFrom(3);
  const pay = () => 1800 + Math.round(100 * 2600 * (next() + next() + next()) * 0.66) / 100;
  const written = (euros: number) =>
    euros.toLocaleString("de-DE", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  const rows = Array.from({ length: 3600 }, (_, person) => `${person + 1};${written(pay())}`);
  return { name: "salaries.csv", content: ["employee;pay", ...rows].join("\n") };
}

/** A hand that counts what it does. */
class Hand {
  clicks = 0;
  fields = 0;

  async click(target: Locator): Promise<void> {
    this.clicks++;
    await target.click();
  }

  async choose(page: Page, file: Chosen): Promise<void> {
    this.clicks++;
    await chooseFile(page, file);
  }

  async select(target: Locator, option: string): Promise<void> {
    this.clicks++;
    await target.selectOption(option);
  }

  async fill(target: Locator, text: string): Promise<void> {
    this.fields++;
    await target.fill(text);
  }

  /** The budget that is proposed. */
  async setBudget(page: Page): Promise<void> {
    await this.click(button(page, "Set the budget…"));
    await this.click(button(page, "Set the budget"));
  }

  async release(page: Page): Promise<Locator> {
    await expect.poll(() => button(page, "Release…").isEnabled(), PATIENTLY).toBe(true);
    await this.click(button(page, "Release…"));
    await this.click(button(page, "Charge and release"));
    const answer = page.locator(".answer");
    await answer.waitFor();
    return answer;
  }

  async take(page: Page, form: "PNG" | "CSV"): Promise<Buffer> {
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      this.click(button(page, `Download ${form}`)),
    ]);
    return readFile(await file.path());
  }
}

const plan = (page: Page) => region(page, "What it buys").innerText();
const field = (page: Page, name: string) => page.getByRole("textbox", { name, exact: true });

describe("a newcomer", () => {
  it("takes the ten films that most have seen in 7 clicks and no field", async () => {
    const page = await studio.visit();
    const hand = new Hand();
    await hand.choose(page, films());
    await expect
      .poll(() => plan(page), PATIENTLY)
      .toMatch(
        /Good\. At ε = 1, expect a list of about \d+ names, .* in the true top 10.* A count is off by about/s,
      );
    await hand.setBudget(page);
    const answer = await hand.release(page);
    expect((await hand.take(page, "PNG")).subarray(1, 4).toString()).toBe("PNG");
    const csv = (await hand.take(page, "CSV")).toString();
    expect(hand).toMatchObject({ clicks: 7, fields: 0 });
    expect(csv).toMatch(/^rank,item,.*count/);
    const named = csv
      .trim()
      .split("\n")
      .slice(1)
      .map((line) => Number(line.split(",")[1]));
    expect(named.filter((film) => film <= 40).length).toBeGreaterThanOrEqual(5); // at random, and most likely all
    await expect.poll(() => answer.innerText(), PATIENTLY).toContain("The answer");
  });

  it("takes twenty venues in 10 clicks and a field, led by the page from a short list to a limit per person", async () => {
    const page = await studio.visit();
    const hand = new Hand();
    await hand.choose(page, checkIns());
    await field(page, "Number of winners").waitFor();
    await hand.fill(field(page, "Number of winners"), "20");
    const better = button(page, /^Count each person for at most \d+ items?: a list of about \d+ names/);
    await better.waitFor(PATIENTLY);
    expect(await plan(page)).toMatch(
      /A short list\. At ε = 1, expect a list of about \d names, .* in the true top 20/,
    );
    await hand.click(better);
    await expect.poll(() => plan(page), PATIENTLY).toMatch(/expect a list of about (19|20) names/);
    expect(await plan(page)).toContain("counts leave out");
    await hand.setBudget(page);
    const answer = await hand.release(page);
    const table = await winnersTable(page);
    await expect.poll(() => table.innerText(), PATIENTLY).toMatch(/Users \(≤ \d+ items? each\)/);
    await expect
      .poll(() => answer.innerText(), PATIENTLY)
      .toMatch(/true numbers (of users )?(are|may be) higher|each counted for at most/i);
    const csv = (await hand.take(page, "CSV")).toString();
    expect(csv).toMatch(/^rank,item,count_max_\d+_items?_per_user/);
    expect(hand.clicks).toBeLessThanOrEqual(10);
    expect(hand.fields).toBe(1);
  });

  it("takes the quartiles of salaries with commas in 10 clicks and three fields, after the page has named the cause", async () => {
    const page = await studio.visit();
    const hand = new Hand();
    await hand.choose(page, salaries());
    await hand.click(page.getByRole("radio", { name: "Median, quantiles" }));
    await hand.select(page.getByLabel("Person column"), "employee");
    await hand.select(page.getByLabel("Column of numbers"), "pay");
    await hand.fill(field(page, "Quantiles"), "0.25, 0.5, 0.75");
    await hand.fill(field(page, "Lowest"), "0");
    await hand.fill(field(page, "Highest"), "20000");
    await page.getByText("Choose how numbers are written.").first().waitFor(PATIENTLY);
    await hand.click(button(page, "Read them as 1.234,50"));
    await expect.poll(() => plan(page), PATIENTLY).toMatch(/Good\..*in your data, 0\.25 between 3,\d\d\d/s);
    await hand.setBudget(page);
    await hand.release(page);
    const csv = (await hand.take(page, "CSV")).toString();
    const values = csv
      .trim()
      .split("\n")
      .slice(1)
      .map((line) => Number(line.split(",").at(-1)));
    expect(values).toHaveLength(3);
    expect(hand).toMatchObject({ clicks: 10, fields: 3 });
  });
});
