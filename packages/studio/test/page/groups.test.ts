/** One answer for each country, in one release: asked on the page, read on the page, and accessible on the way. */
import { describe, expect, it } from "vitest";
import { button, chooseFile, countPeople, region, releaseOnce, setBudget } from "../../scripts/steps.js";
import { expectAccessible } from "../support/accessible.js";
import { fillRange } from "../support/orders.js";
import { PATIENTLY } from "../support/patiently.js";
import { studioBrowser } from "../support/studio-browser.js";

const studio = studioBrowser();

const COUNTRIES = ["DE", "FR", "IT"];
const RIVERS = ["Alster", "Seine", "Tiber", "Elbe", "Rhone", "Po"];
/** Each of 1,500 people lives in one country and knows rivers, that of the country first of all. */
const VISITED = {
  name: "visited.csv",
  content: [
    "user,river,country",
    ...Array.from({ length: 1500 }, (_, i) => i).flatMap((i) =>
      RIVERS.filter((_, river) => river === i % 3 || (river > 2 && (i * (river + 3)) % 7 < 3)).map(
        (name) => `u${i},${name},${COUNTRIES[i % 3]}`,
      ),
    ),
  ].join("\n"),
};

/** Each of 1,200 people spends once in the shop and once elsewhere, in one month and one country. */
const SPENT = {
  name: "spent.csv",
  content: [
    "user,euros,kind,month,country",
    ...Array.from({ length: 1200 }, (_, i) => {
      const [month, country] = [["2026-10", "2026-11"][i % 2], ["DE", "FR"][Math.floor(i / 2) % 2]];
      const euros = 1 + Math.floor(i / 4) + (country === "FR" ? 400 : 0);
      return `u${i},${euros},shop,${month},${country}\nu${i},900,elsewhere,${month},${country}`;
    }),
  ].join("\n"),
};

describe("answers in groups", () => {
  it("are asked with a column, a public list and a limit, planned for the middle group, and shown group by group", async () => {
    const page = await studio.visit();
    await chooseFile(page, VISITED);
    await page.getByLabel("Person column").selectOption("user");
    await page.getByLabel("Item column").selectOption("river");
    await countPeople(page);
    await page.getByRole("textbox", { name: "Number of winners" }).fill("2");
    await page.getByText("One answer for each group").click();
    await page.getByLabel("Column of groups", { exact: true }).selectOption("country");
    await expect
      .poll(() => region(page, "Your data").innerText(), PATIENTLY)
      .toContain("1,500 people · 6 items · 3 groups");
    await page.getByText("Empty: groups that enough people are in are selected first").waitFor();
    await page.getByLabel("Public list of groups, one per line").fill("FR\nDE\nIT\nPT");
    await page.getByText("4 groups; each of them is answered, also an empty one.").waitFor();
    const plan = () => region(page, "What it buys").innerText();
    await expect.poll(plan, PATIENTLY).toMatch(/This is what the middle group by size gets, (DE|FR|IT)/);
    await page.getByLabel("Groups per person, at most").fill("none");
    await page.getByText("Enter a whole number from 1.").first().waitFor();
    await page.getByLabel("Groups per person, at most").fill("1");
    await page.getByRole("textbox", { name: "Epsilon (ε)" }).fill("2");
    await expect.poll(plan, PATIENTLY).toMatch(/Good\. At ε = 2, expect a list of about 2 names/);
    await setBudget(page, "5");
    await button(page, "Release…").click();
    await expect
      .poll(() => page.locator("dialog[open]").innerText(), PATIENTLY)
      .toContain("by country: a public list of 4 groups, each person in at most 1");
    await button(page, "Not now").click();
    const answer = await releaseOnce(page);
    await page.getByText("The numbers", { exact: true }).click();
    for (const [country, river] of [
      ["DE", "Alster"],
      ["FR", "Seine"],
      ["IT", "Tiber"],
    ])
      await expect
        .poll(
          () => page.getByRole("table", { name: `Released winners of ${country}` }).innerText(),
          PATIENTLY,
        )
        .toContain(river);
    await expect.poll(() => answer.innerText(), PATIENTLY).toContain("PT");
    expect(decodeURIComponent((await answer.locator("picture img").getAttribute("src")) ?? "")).toContain(
      ">FR<",
    );
    await page.locator("details").evaluateAll((all) => {
      for (const details of all) details.setAttribute("open", "");
    });
    await page.setViewportSize({ width: 390, height: 844 });
    await expectAccessible(page, "groups at 390");
    await page.setViewportSize({ width: 1280, height: 720 });
    await page.getByText("Log of releases").waitFor();
    await expect.poll(() => region(page, "Ledger").innerText(), PATIENTLY).toContain("top 2 by country");
  });

  it("are medians by month and country, over the rows that fit a condition", async () => {
    const page = await studio.visit();
    await chooseFile(page, SPENT);
    await page.getByRole("radio", { name: "Median, quantiles" }).check();
    await page.getByLabel("Person column").selectOption("user");
    await page.getByLabel("Column of numbers").selectOption("euros");
    await countPeople(page);
    await fillRange(page, "0", "1000");
    await page.getByText("Only some of the rows").click();
    const condition = page.getByRole("textbox", { name: "Condition on a row" });
    await condition.fill("kind = shop");
    await page.getByText("Where must be").first().waitFor();
    await condition.fill("kind = 'shop'");
    await page.getByText("Press Enter to count the rows that fit.").first().waitFor();
    expect(await button(page, "Release…").isEnabled()).toBe(false);
    await condition.press("Enter");
    await page.getByText("1,200 rows fit the condition").waitFor();
    await expect
      .poll(() => region(page, "Your data").innerText(), PATIENTLY)
      .toContain("2,400 rows, of which 1,200 fit");
    await page.getByText("One answer for each group").click();
    await page.getByLabel("Column of groups", { exact: true }).selectOption("month");
    await page.getByLabel("Second column of groups").selectOption("country");
    await expect.poll(() => region(page, "Your data").innerText(), PATIENTLY).toContain("4 groups");
    const list = page.getByLabel("Public list of groups, one per line");
    await list.fill("2026-10");
    await page.getByText("Each line of the list of groups must have two names").first().waitFor();
    await list.fill("2026-10,DE\n2026-10,FR\n2026-11,DE\n2026-11,FR");
    await page.getByText("4 groups; each of them is answered, also an empty one.").waitFor();
    await expect
      .poll(() => region(page, "What it buys").innerText(), PATIENTLY)
      .toMatch(
        /of your 300 values; in your data, 0\.5 between .*This is what the middle group by size gets, 2026-1[01] · (DE|FR)/s,
      );
    await setBudget(page, "3");
    await button(page, "Release…").click();
    await expect
      .poll(() => page.locator("dialog[open]").innerText(), PATIENTLY)
      .toMatch(/by month and country: a public list of 4 groups, .*; only rows for which kind = 'shop'/s);
    await button(page, "Not now").click();
    const answer = await releaseOnce(page);
    await page.getByText("The numbers", { exact: true }).click();
    const medianOf = (label: string) =>
      page
        .getByRole("table", { name: `Released quantiles of ${label}` })
        .locator("td")
        .first()
        .innerText();
    // In the shop people of DE spend 1 to 300, of FR 401 to 700; elsewhere 900.
    await expect
      .poll(async () => Math.abs(Number(await medianOf("2026-10 · DE")) - 150) < 60, PATIENTLY)
      .toBe(true);
    await expect
      .poll(async () => Math.abs(Number(await medianOf("2026-11 · FR")) - 550) < 60, PATIENTLY)
      .toBe(true);
    await answer.getByText("As a winnow command").click();
    await expect
      .poll(() => answer.innerText(), PATIENTLY)
      .toMatch(/--by month,country.*--groups groups\.txt/s);
    await page.setViewportSize({ width: 390, height: 844 });
    await expectAccessible(page, "medians in groups at 390");
    await page.setViewportSize({ width: 1280, height: 720 });
    await page.getByText("Log of releases").click();
    await expect
      .poll(() => region(page, "Ledger").innerText(), PATIENTLY)
      .toContain("1 quantile by month and country where kind = 'shop'");
  });

  it("are frequencies of each country, with a table each", async () => {
    const page = await studio.visit();
    await chooseFile(page, VISITED);
    await page.getByRole("radio", { name: "Frequencies" }).check();
    await page.getByLabel("Person column").selectOption("user");
    await page.getByLabel("Item column").selectOption("river");
    await countPeople(page);
    await page.getByText("One answer for each group").click();
    await page.getByLabel("Column of groups", { exact: true }).selectOption("country");
    await page.getByLabel("Public list of groups, one per line").fill("DE\nFR");
    await page.getByText("2 groups; each of them is answered, also an empty one.").waitFor();
    await setBudget(page, "3");
    await releaseOnce(page);
    await page.getByText("The numbers", { exact: true }).click();
    await page.getByRole("table", { name: "Released frequencies of FR" }).waitFor();
    expect(await page.getByRole("table", { name: /^Released frequencies of/ }).count()).toBe(2);
  });
});
