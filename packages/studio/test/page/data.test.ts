import { describe, expect, it } from "vitest";
import { button, chooseFile, countPeople, region } from "../../scripts/steps.js";
import { expectProblem } from "../support/expect-problem.js";
import { LARGE_FILE } from "../support/large-file.js";
import { pressOneByOne } from "../support/press-one-by-one.js";
import { studioBrowser } from "../support/studio-browser.js";

const studio = studioBrowser();

const ROWS = "user,area\nu1,a\nu2,a\nu3,b\n";

describe("a person with a file", () => {
  it("opens a file, is told how the columns were guessed, and counts people", async () => {
    const page = await studio.open();
    await chooseFile(page, { name: "visits.csv", content: ROWS });
    expect(await page.getByLabel("Item column").inputValue()).toBe("area");
    expect(await page.getByLabel("Person column").inputValue()).toBe("user");
    expect(await region(page, "Your data").innerText()).toContain("By their names");
    await countPeople(page);
    const data = await region(page, "Your data").innerText();
    expect(data).toMatch(/people\s+3/i);
    expect(data).toMatch(/items\s+2/i);
    expect(data).toMatch(/rows\s+3/i);
  });

  it("drops a file on the page instead", async () => {
    const page = await studio.open();
    const dropped = await page.evaluateHandle(
      (text) => {
        const transfer = new DataTransfer();
        transfer.items.add(new File([text], "dropped.tsv"));
        return transfer;
      },
      ROWS.replaceAll(",", "\t"),
    );
    await page.dispatchEvent(".drop", "drop", { dataTransfer: dropped });
    expect(await page.getByLabel("Item column").inputValue()).toBe("area");
  });

  it("types the names of the members of JSON lines", async () => {
    const page = await studio.open();
    await chooseFile(page, {
      name: "visits.ndjson",
      content: '{"who":1,"what":"a"}\n{"who":2,"what":"a"}\n',
    });
    await page.getByLabel("Item column").fill("what");
    await page.getByLabel("Person column").fill("who");
    await countPeople(page);
    expect(await region(page, "Your data").innerText()).toMatch(/people\s+2/i);
  });

  it("is told when the part of the page that computes cannot start", async () => {
    const page = await studio.open({ prelude: "throw new Error('as a browser might');" });
    await expectProblem(page, "The part of the page that reads, counts and releases has stopped.");
  });

  it("cancels a count and starts again", async () => {
    const page = await studio.open();
    await chooseFile(page, LARGE_FILE);
    await pressOneByOne(page, "Count people", "Cancel");
    await button(page, "Count people").waitFor();
    await countPeople(page);
    expect(await region(page, "Your data").innerText()).toMatch(/people\s+700,000/i);
  });

  it("chooses another file while one is counted, and hears no more of the first", async () => {
    const page = await studio.open();
    await chooseFile(page, LARGE_FILE);
    await pressOneByOne(page, "Count people", "Choose another");
    await button(page, "Choose a file").waitFor();
    await chooseFile(page, { name: "visits.csv", content: ROWS });
    await countPeople(page);
    expect(await region(page, "Your data").innerText()).toMatch(/people\s+3/i);
  });

  it("goes on typing elsewhere while people are counted, and keeps the keyboard", async () => {
    const page = await studio.open();
    await chooseFile(page, LARGE_FILE);
    await button(page, "Count people").click();
    const winners = page.getByRole("textbox", { name: "Number of winners" });
    await winners.focus();
    await button(page, "Count again").waitFor();
    expect(await winners.evaluate((field) => field === document.activeElement)).toBe(true);
  });
});
