/** One answer for each country, in one release: asked on the page, read on the page, and accessible on the way. */
import { describe, expect, it } from "vitest";
import { button, chooseFile, countPeople, region, releaseOnce, setBudget } from "../../scripts/steps.js";
import { expectAccessible } from "../support/accessible.js";
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

describe("answers in groups", () => {
  it("are asked with a column, a public list and a limit, planned for the middle group, and shown group by group", async () => {
    const page = await studio.visit();
    await chooseFile(page, VISITED);
    await page.getByLabel("Person column").selectOption("user");
    await page.getByLabel("Item column").selectOption("river");
    await countPeople(page);
    await page.getByRole("textbox", { name: "Number of winners" }).fill("2");
    await page.getByText("One answer for each group").click();
    await page.getByLabel("Column of groups").selectOption("country");
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
});
