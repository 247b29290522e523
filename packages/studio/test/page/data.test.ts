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
    const page = await studio.visit();
    await chooseFile(page, { name: "visits.csv", content: ROWS });
    await countPeople(page);
    const data = () => region(page, "Your data").innerText();
    expect(await data()).toMatch(/3 people · 2 items · 3 rows\s+person: user, item: area/);
    expect(await page.getByRole("table", { name: "True counts" }).count()).toBe(0); // a screen may be shared
    await button(page, "Show the true counts").click();
    const counts = page.getByRole("table", { name: "True counts, for your eyes only" });
    expect(await counts.innerText()).toMatch(/a\s+2\s+b\s+1/);
    await button(page, "Change the columns").click();
    expect(await page.getByLabel("Item column").inputValue()).toBe("area");
    expect(await page.getByLabel("Person column").inputValue()).toBe("user");
    expect(await data()).toContain("By their names");
    await page.getByLabel("Item column").selectOption("user");
    await page.getByLabel("Person column").selectOption("area");
    await countPeople(page);
    expect(await data()).toMatch(/2 people · 3 items/);
  });

  it("drops a file on the page instead", async () => {
    const page = await studio.visit();
    const dropped = await page.evaluateHandle(
      (text) => {
        const transfer = new DataTransfer();
        transfer.items.add(new File([text], "dropped.tsv"));
        return transfer;
      },
      ROWS.replaceAll(",", "\t"),
    );
    await page.dispatchEvent(".drop", "drop", { dataTransfer: dropped });
    await countPeople(page);
    expect(await region(page, "Your data").innerText()).toContain("item: area");
  });

  it("types the names of the members of JSON lines", async () => {
    const page = await studio.visit();
    await chooseFile(page, {
      name: "visits.ndjson",
      content: '{"who":1,"what":"a"}\n{"who":2,"what":"a"}\n',
    });
    await page.getByLabel("Item column").fill("what");
    await page.getByLabel("Person column").fill("who");
    await countPeople(page);
    expect(await region(page, "Your data").innerText()).toContain("2 people");
  });

  it("reads a file without a header, its columns by number", async () => {
    const page = await studio.visit();
    await chooseFile(page, { name: "visits.csv", content: "u1;a\nu2;a\nu3;b\n" });
    await page.getByLabel("First line").selectOption("row");
    await page.getByLabel("Delimiter").selectOption(";");
    await page.getByLabel("Item column").fill("2");
    await page.getByLabel("Person column").fill("1");
    await countPeople(page);
    expect(await region(page, "Your data").innerText()).toMatch(/3 people · 2 items · 3 rows/);
    await button(page, "Choose another file").click();
    await chooseFile(page, { name: "visits.csv", content: "u1,,a\nu2,,a\n" });
    await button(page, "The file has no header: read the first line as a row").click();
    await page.getByLabel("Item column").fill("3");
    await page.getByLabel("Person column").fill("1");
    await countPeople(page);
    expect(await region(page, "Your data").innerText()).toMatch(/2 people · 1 item · 2 rows/);
  });

  it("is told when the part of the page that computes cannot start", async () => {
    const page = await studio.open({ prelude: "throw new Error('as a browser might');" });
    await expectProblem(page, "The part of the page that reads, counts and releases has stopped.");
  });

  it("cancels a count and starts again", async () => {
    const page = await studio.visit();
    const cancel = pressOneByOne(page, ["Cancel"]);
    await chooseFile(page, LARGE_FILE);
    await cancel;
    await button(page, "Count people").waitFor();
    await countPeople(page);
    expect(await region(page, "Your data").innerText()).toContain("250,000 people");
  });

  it("chooses another file while one is counted, and hears no more of the first", async () => {
    const page = await studio.visit();
    const cancel = pressOneByOne(page, ["Cancel", "Count people", "Cancel", "Choose another file"]);
    await chooseFile(page, LARGE_FILE);
    await cancel;
    await button(page, "Choose a file").waitFor();
    await chooseFile(page, { name: "visits.csv", content: ROWS });
    await countPeople(page);
    expect(await region(page, "Your data").innerText()).toContain("3 people");
  });

  it("goes on typing elsewhere while people are counted, and keeps the keyboard", async () => {
    const page = await studio.visit();
    const winners = page.getByRole("textbox", { name: "Number of winners" });
    await chooseFile(page, LARGE_FILE);
    await winners.focus();
    await countPeople(page);
    expect(await winners.evaluate((field) => field === document.activeElement)).toBe(true);
  });
});
