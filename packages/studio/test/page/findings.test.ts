/** What a newcomer found: nothing is green that is wrong, and everything says what it is. Each finding of that list that a browser shows. */
import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { readRelease } from "winnow-release";
import {
  agree,
  button,
  chooseFile,
  countPeople,
  countVisits,
  region,
  releaseOnce,
  setBudget,
  useList,
  winnersTable,
} from "../../scripts/steps.js";
import { fillRange } from "../support/orders.js";
import { PATIENTLY } from "../support/patiently.js";
import { studioBrowser } from "../support/studio-browser.js";

const studio = studioBrowser();

const rows = (count: number, row: (i: number) => string) =>
  ["user,item", ...Array.from({ length: count }, (_, i) => row(i))].join("\n");
const plan = (page: Page) => region(page, "What it buys").innerText();
const bar = (page: Page) => region(page, "Release").innerText();

/** Each of 3,000 people in 20 of 60 places, of which the first have more. */
const CHECKINS = {
  name: "checkins.csv",
  content: rows(3000 * 20, (i) => `u${i % 3000},place ${Math.floor(((i * 7919) % 60000) ** 2 / 6e7)}`),
};
/** Of 1,000 people, all in one place, and some in twelve others. */
const FILMS = {
  name: "films.csv",
  content: rows(
    1000 * 12,
    (i) => `v${i % 1000},film ${(i % 1000) % (1 + Math.floor(i / 1000)) === 0 ? Math.floor(i / 1000) : 0}`,
  ),
};
/** Salaries as a spreadsheet in Europe writes them; one in five is a small whole number. */
const SALARIES = {
  name: "salaries.csv",
  content: [
    "a;b",
    ...Array.from(
      { length: 1500 },
      (_, i) => `e${i};${i % 5 === 0 ? (i % 20) + 1 : `${600 + (i % 100)},25`}`,
    ),
  ].join("\n"),
};

describe("nothing is good that the command line would stop", () => {
  it("a list that matches nothing has no verdict, and no release without a word (1)", async () => {
    const page = await studio.visit();
    await chooseFile(page, FILMS);
    await countPeople(page);
    await setBudget(page, "3");
    await useList(page, ["Heat", "Alien", "Fargo", "Brazil"]);
    await page.getByRole("textbox", { name: "Number of winners" }).fill("3");
    await expect
      .poll(() => plan(page), PATIENTLY)
      .toMatch(/Check your data first\. 0 of \d+ items in the rows are in the list/);
    expect(await plan(page)).not.toContain("Good");
    expect(await bar(page)).toMatch(/Answer: check your data first/);
    await button(page, "Release…").click();
    expect(await button(page, "Charge and release").isDisabled()).toBe(true);
    await agree(page);
    expect(await button(page, "Charge and release").isEnabled()).toBe(true);
    await button(page, "Not now").click();
  });

  it("two of ten candidates with people are no ten names (1)", async () => {
    const page = await studio.visit();
    await chooseFile(page, { name: "two.csv", content: rows(2000, (i) => `u${i},area ${i % 2}`) });
    await countPeople(page);
    await useList(
      page,
      Array.from({ length: 12 }, (_, i) => `area ${i}`),
    );
    await page.getByRole("textbox", { name: "Number of winners" }).fill("10");
    await expect
      .poll(() => plan(page), PATIENTLY)
      .toMatch(
        /Likely useless\..*only 2 candidates have people in your rows, and the other places are filled at random/s,
      );
    await button(page, /^Ask for 2: /).click();
    await expect.poll(() => plan(page), PATIENTLY).toMatch(/Good\..*all of them in the true top 2/s);
  });

  it("a weak promise is called weak in the bar and in both dialogs (3)", async () => {
    const page = await studio.visit();
    await chooseFile(page, FILMS);
    await countPeople(page);
    await page.getByRole("textbox", { name: "Epsilon (ε)" }).fill("19.6");
    await page.getByRole("textbox", { name: "Delta (δ)" }).fill("0.1");
    await expect
      .poll(() => bar(page), PATIENTLY)
      .toMatch(
        /Privacy: very weak at ε = 19\.6, δ = 0\.1: δ is so large that the items of about 100 of your 1,000 people/,
      );
    await page.getByLabel("Budget, epsilon").fill("100");
    await page.getByLabel("Budget, delta").fill("0.9");
    await button(page, "Set the budget…").click();
    const dialog = page.locator("dialog[open]");
    await expect
      .poll(() => dialog.innerText(), PATIENTLY)
      .toContain("Privacy, if all of it is spent: very weak.");
    await agree(page);
    await button(page, "Set the budget").click();
    await page.getByRole("meter").waitFor();
    await expect.poll(() => button(page, "Release…").isEnabled(), PATIENTLY).toBe(true);
    await button(page, "Release…").click();
    await expect.poll(() => dialog.innerText(), PATIENTLY).toMatch(/Privacy: very weak at ε = 19\.6/);
    expect(await button(page, "Charge and release").isDisabled()).toBe(true);
    await button(page, "Not now").click();
  });

  it("decimal commas stop with their cause and are read as such by a public rule (4, 23, 27, 28)", async () => {
    const page = await studio.visit();
    await chooseFile(page, SALARIES);
    await page.getByRole("radio", { name: "Median, quantiles" }).check();
    await page.getByLabel("Person column").selectOption("a");
    expect(await page.getByText("unit must be").count()).toBe(0); // (13)
    await page.getByLabel("Column of numbers").selectOption("b");
    await countPeople(page);
    const lowest = page.getByRole("textbox", { name: "Lowest" });
    expect(await lowest.getAttribute("aria-invalid")).toBeNull(); // no one has been there yet (28)
    await fillRange(page, "0", "2000");
    await expect
      .poll(() => plan(page), PATIENTLY)
      .toMatch(/Check your data first\..*80 of them look like 1\.234,50/s);
    await button(page, "Read them as 1.234,50").click();
    await expect
      .poll(() => plan(page), PATIENTLY)
      .toMatch(/Good\..*in your data, 0\.5 between 6\d\d.* and 6\d\d/s);
    const quantiles = page.getByRole("textbox", { name: "Quantiles" });
    await quantiles.fill("0,1");
    await page.getByText("Write a decimal point: 0.1.").first().waitFor();
    await quantiles.fill("half");
    await page
      .getByText("Enter shares from 0 to 1, such as 0.5 or 1/3, separated by commas.")
      .first()
      .waitFor();
    await quantiles.fill("0.5");
    await setBudget(page, "3");
    await button(page, "Release…").click();
    await expect
      .poll(() => page.locator("dialog[open]").innerText(), PATIENTLY)
      .toMatch(
        /Question\s+Median, quantiles; column b; quantiles 0\.5; values from 0 to 2000; at most 1 per person/,
      );
    await button(page, "Not now").click();
    const answer = await releaseOnce(page);
    const [file] = await Promise.all([page.waitForEvent("download"), button(page, "Download JSON").click()]);
    const release = readRelease(await readFile(await file.path(), "utf8"));
    expect(release.source.dialect.numbers).toBe("comma");
    expect(Math.abs(Number(release.answer.winners[0]!.item) - 640)).toBeLessThan(40);
    await answer.getByText("As a winnow command").click();
    await expect.poll(() => answer.innerText(), PATIENTLY).toContain("--numbers comma");
  });

  it("rows without a person are counted beside the totals and asked about (16)", async () => {
    const page = await studio.visit();
    await chooseFile(page, {
      name: "half.csv",
      content: rows(3000, (i) => `${i % 3 ? `u${i}` : ""},area ${i % 3}`),
    });
    await countPeople(page);
    await page.getByRole("textbox", { name: "Number of winners" }).fill("2");
    await expect
      .poll(() => region(page, "Your data").innerText(), PATIENTLY)
      .toContain("1,000 rows without a person or an item");
    await expect
      .poll(() => plan(page), PATIENTLY)
      .toMatch(/Check your data first\. 1,000 rows have no person or no item and were skipped/);
  });

  it("frequencies of people who are cut are never good, and a limit that counts most pairs is proposed (2)", async () => {
    const page = await studio.visit();
    await chooseFile(page, CHECKINS);
    await countPeople(page);
    await page.getByRole("radio", { name: "Frequencies" }).check();
    await expect
      .poll(() => plan(page), PATIENTLY)
      .toMatch(
        /Likely useless\..*% of your [\d,]+ pairs of a person and an item are counted, so true numbers are higher/s,
      );
    await button(page, /^Count each person for at most \d+ items: /).click();
    await expect
      .poll(() => plan(page), PATIENTLY)
      .toMatch(/(Good|Usable)\. At ε = 1, \d\d% of|(Good|Usable)\./);
    expect(await page.getByRole("textbox", { name: "Items per person, at most" }).inputValue()).not.toBe("1");
  });

  it("the same rows under another name lead to their budget (6)", async () => {
    const page = await studio.visit();
    await chooseFile(page, FILMS);
    await countPeople(page);
    await page.getByRole("textbox", { name: "Number of winners" }).fill("1");
    await setBudget(page, "3");
    await releaseOnce(page);
    await button(page, "Choose another file").click();
    await chooseFile(page, { ...FILMS, name: "holiday pictures.csv" });
    await countPeople(page);
    await page.getByText("These rows were charged to films before.").waitFor();
    await button(page, "Set the budget…").click();
    expect(await button(page, "Set the budget").isDisabled()).toBe(true);
    await button(page, "Not yet").click();
    await page.getByRole("button", { name: "Use the budget of films" }).click();
    await expect.poll(() => region(page, "What it costs").innerText(), PATIENTLY).toMatch(/Spent\s+ε = [01]/);
  });
});

describe("two verdicts, and what would do better", () => {
  it("a limit per person is proposed where it names more, and a short list of right names isn't useless (7, 8, 9)", async () => {
    const page = await studio.visit();
    // Sixty items that everyone may have: no gap to the items outside, so a list without a limit is short.
    const crowd = rows(900 * 30, (i) => `u${i % 900},item ${Math.floor(i / 900) + ((i * 31) % 7)}`);
    await chooseFile(page, { name: "crowd.csv", content: crowd });
    await countPeople(page);
    await page.getByRole("textbox", { name: "Number of winners" }).fill("30");
    await page.getByRole("textbox", { name: "Epsilon (ε)" }).fill("0.3");
    await page.getByText("running the mechanism…").waitFor({ state: "hidden" });
    await expect
      .poll(() => plan(page), PATIENTLY)
      .toMatch(/Count each person for at most \d+ items?: a list of about \d+ names/);
    const picture = page.getByRole("img", { name: /^Right names, of those you ask for, against epsilon/ });
    expect(await picture.locator("text").allTextContents()).toEqual(
      expect.arrayContaining(["Right names, of those you ask for", "Epsilon (ε): more private to the left"]),
    );
    await button(page, /^Count each person for at most/).click();
    await expect
      .poll(() => page.getByLabel("Items per person, at most").inputValue(), PATIENTLY)
      .toMatch(/^(1|3|10)$/);
  });

  it("ε is as it was typed, with what is charged and why; the statement says how it was chosen (10, 17, 18, 19)", async () => {
    const page = await studio.visit();
    await chooseFile(page, FILMS);
    await countPeople(page);
    await page.getByRole("textbox", { name: "Number of winners" }).fill("5");
    await page.getByText("Choosing ε here is choosing by looking").waitFor();
    await setBudget(page, "3");
    await expect.poll(() => bar(page), PATIENTLY).toMatch(/Left now: ε = 3, δ = 0\.00001/);
    await button(page, "Release…").click();
    const dialog = page.locator("dialog[open]");
    await expect
      .poll(() => dialog.innerText(), PATIENTLY)
      .toMatch(/Left now\s+ε = 3, δ = 0\.00001\s+Left after it\s+ε = 2/);
    expect(await dialog.getByRole("radio", { name: "By looking at these predictions" }).isChecked()).toBe(
      true,
    );
    await dialog.getByRole("radio", { name: "Before anyone looked" }).check();
    await button(page, "Charge and release").click();
    const answer = page.locator(".answer");
    await answer.waitFor();
    await answer.getByText("For the privacy officer").click();
    await expect
      .poll(() => answer.innerText(), PATIENTLY)
      .toContain("Its ε was fixed before anyone looked at the rows.");
    await expect
      .poll(() => answer.innerText(), PATIENTLY)
      .toContain("How ε was chosen: before anyone looked at the rows");
  });
});

describe("a picture fit to print", () => {
  it("has fitted counts, a title, nouns, labels and intervals of one's own, and no file name unless wanted (14, 20, 21, 22, 24)", async () => {
    const page = await studio.visit();
    await countVisits(page);
    await setBudget(page, "3");
    const answer = await releaseOnce(page);
    const drawn = async () =>
      decodeURIComponent((await answer.locator("picture img").getAttribute("src")) ?? "");
    expect(await drawn()).toContain("Lines are 95 % intervals, each on its own");
    expect(await drawn()).not.toContain("visits");
    await page.getByText("Edit the picture").click();
    await page.getByRole("textbox", { name: "Several items are" }).fill("areas");
    await page.getByRole("textbox", { name: "Several people are" }).fill("visitors");
    await page.getByRole("radio", { name: "All at once, wider" }).check();
    await page.getByLabel("File of labels").setInputFiles({
      name: "labels.csv",
      mimeType: "",
      buffer: Buffer.from(
        "item,label\nsearch,The page on which one can look for all of the other pages of the site\n",
      ),
    });
    await page.getByText("1 label of labels.csv used.").waitFor();
    await expect.poll(drawn, PATIENTLY).toContain("The 5 areas with the most visitors");
    const svg = await drawn();
    expect(svg).toContain("intervals that all hold at once, 95 times out of 100");
    expect(svg).toContain(">The page on which one can look<");
    expect(svg).toMatch(/>for all of the other pages of…?/);
    await page.getByRole("textbox", { name: "Title" }).fill("What people came for");
    await expect.poll(drawn, PATIENTLY).toContain(">What people came for<");
    await page.getByRole("radio", { name: "Yes" }).check();
    await expect.poll(drawn, PATIENTLY).toContain("visits");
    const table = await winnersTable(page);
    expect(await table.innerText()).not.toContain("−");
  });
});

describe("the ledger", () => {
  it("corrects a budget of which nothing is spent, and no other; shows all budgets (25, 26)", async () => {
    const page = await studio.visit();
    await countVisits(page);
    await setBudget(page, "30");
    await page.getByText("Correct this budget").click();
    await page.getByLabel("Budget, epsilon").fill("2");
    await button(page, "Set the budget…").click();
    await button(page, "Set the budget").click();
    await expect.poll(() => region(page, "What it costs").innerText(), PATIENTLY).toMatch(/Budget\s+ε = 2/);
    await releaseOnce(page);
    await expect.poll(() => page.getByText("Correct this budget").count(), PATIENTLY).toBe(0);
    await page.reload();
    await page.getByText("All budgets in this browser").click();
    const all = () => region(page, "Ledger").innerText();
    await expect.poll(all, PATIENTLY).toMatch(/visits\s+left: ε = 1.* of ε = 2/s);
    await expect.poll(all, PATIENTLY).not.toContain("No release about this data set yet"); // once the last release is back
  });
});

describe("access", () => {
  it.each([
    ["at 320 px", { width: 320, height: 640 }],
    ["at 390 px", { width: 390, height: 844 }],
    ["at 1,280 px", { width: 1280, height: 720 }],
    ["at 1,440 px", { width: 1440, height: 900 }],
    ["at 400 % zoom", { width: 320, height: 256 }],
  ])("what has the focus is never under the bar, %s (15)", async (_, viewport) => {
    const page = await studio.open({ context: await studio.context({ viewport, reducedMotion: "reduce" }) });
    await chooseFile(page, FILMS);
    await countPeople(page);
    await page.evaluate(() => {
      for (const details of document.querySelectorAll("details")) details.open = true;
      scrollTo(0, 0);
      (document.activeElement as HTMLElement | null)?.blur();
    });
    const stops = await page.evaluate(
      () =>
        document.querySelectorAll(".decision :is(input, button, select, summary, a, [tabindex='0'])").length,
    );
    expect(stops).toBeGreaterThan(15);
    const hidden: string[] = [];
    let met = 0;
    for (let press = 0; press < 90 && met < stops; press++) {
      await page.keyboard.press("Tab");
      const found = await page.evaluate(() => {
        const focused = document.activeElement as HTMLElement;
        const isOurs = focused.closest(".decision") !== null;
        const box = focused.getBoundingClientRect();
        const x = box.left + Math.min(box.width / 2, 40);
        const at = document.elementFromPoint(x, box.top + Math.min(box.height / 2, innerHeight / 2));
        const isCovered = at?.closest(".release-bar") != null && focused.closest(".release-bar") === null;
        return { isOurs, isCovered, what: `${focused.tagName} ${focused.textContent?.slice(0, 30)}` };
      });
      if (found.isOurs) met++;
      if (found.isCovered) hidden.push(found.what);
    }
    expect(met).toBeGreaterThan(10);
    expect(hidden).toEqual([]);
    if (viewport.height < 300)
      expect(
        await page.evaluate(() => getComputedStyle(document.querySelector(".release-bar")!).position),
      ).toBe("static");
  });

  it("closed sections are open on paper", async () => {
    const page = await studio.visit();
    await countVisits(page);
    await setBudget(page, "3");
    await releaseOnce(page);
    const state = () =>
      page.evaluate(() =>
        [...document.querySelectorAll<HTMLDetailsElement>(".answer details")].map(({ open }) => open),
      );
    expect(new Set(await state())).toEqual(new Set([false]));
    const onPaper = await page.evaluate(() => {
      let open: boolean[] = [];
      addEventListener("beforeprint", () => {
        open = [...document.querySelectorAll<HTMLDetailsElement>(".answer details")].map((one) => one.open);
      });
      dispatchEvent(new Event("beforeprint"));
      dispatchEvent(new Event("afterprint"));
      return open;
    });
    expect(new Set(onPaper)).toEqual(new Set([true]));
    expect(new Set(await state())).toEqual(new Set([false]));
    await page.emulateMedia({ media: "print" });
    expect(await page.locator("#published-title").isVisible()).toBe(true);
    await page.emulateMedia({ media: null });
  });

  it("WebRTC is off (33)", async () => {
    const page = await studio.visit();
    const found = await page
      .evaluate(() => {
        const place = globalThis as { RTCPeerConnection?: unknown };
        try {
          place.RTCPeerConnection = class {};
        } catch {
          // it can't be put back
        }
        return [typeof place.RTCPeerConnection, delete place.RTCPeerConnection];
      })
      .catch(() => ["undefined", false]);
    expect(found[0]).toBe("undefined");
    await expect
      .poll(() => page.locator("footer").innerText(), PATIENTLY)
      .toContain("WebRTC, which no policy covers, is switched off");
  });
});
