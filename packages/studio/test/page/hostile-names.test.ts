import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { forTerminal } from "winnow-release";
import {
  agree,
  button,
  chooseFile,
  countPeople,
  releaseOnce,
  setBudget,
  winnersTable,
} from "../../scripts/steps.js";
import { csvField, HOSTILE_NAMES } from "../support/hostile-names.js";
import { PATIENTLY } from "../support/patiently.js";
import { studioBrowser } from "../support/studio-browser.js";

const studio = studioBrowser();

/** What would be there if any of the names had become more than text. */
const INJECTED =
  "iframe, object, embed, video, audio, math, base, form[action], template, a[href^='javascript' i], a[href*='evil'], [onerror], [onload], [onclick], [onfocus], [ontoggle], [onmouseover], [onbegin], meta[http-equiv='refresh' i]";

describe("two hundred hostile names", () => {
  it("are two hundred different names", () => {
    expect(new Set(HOSTILE_NAMES).size).toBe(200);
  });

  it("stay text in the counts, the answer, the chart, the log and what is downloaded", async () => {
    const page = await studio.open();
    const acts = watch(page);
    // Name n has 3·(n + 1) users, so that nearly all of them can be released with their exact order.
    const rows = HOSTILE_NAMES.flatMap((name, place) =>
      Array.from({ length: 3 * (place + 1) }, (_, user) => `u${user},${csvField(name)}`),
    );
    await chooseFile(page, {
      name: "<img src=x onerror=window.hacked=1>.csv",
      content: ["user,item", ...rows].join("\n"),
    });
    await countPeople(page);
    await button(page, "Show the true counts").click();
    await page.getByRole("table", { name: "True counts, for your eyes only" }).waitFor();
    await page.getByRole("radio", { name: "Public list" }).check();
    await page.getByLabel("File of candidates").setInputFiles({
      name: "list.txt",
      mimeType: "",
      buffer: Buffer.from(HOSTILE_NAMES.join("\n")),
    });
    await page.getByRole("textbox", { name: "Number of winners" }).fill("199");
    await page.getByRole("textbox", { name: "Epsilon (ε)" }).fill("5000");
    await setBudget(page, "10000");
    await button(page, "Release…").click();
    await agree(page);
    await button(page, "Charge and release").click();
    const table = await winnersTable(page);
    await expect.poll(() => table.getByRole("row").count(), PATIENTLY).toBe(200);
    const shown = await table.locator(".item-name").allTextContents();
    expect(new Set(shown)).toEqual(new Set(HOSTILE_NAMES.slice(1).map((name) => forTerminal(name, 120))));
    await expectNothingInjected(page);
    await openEverything(page);
    await expectNothingInjected(page);
    await expectQuietSvg(page);
    expect(acts).toEqual([]);
  });

  it("stay text as names of columns and of the data set", async () => {
    const page = await studio.open();
    const acts = watch(page);
    const name = "<img src=x onerror=window.hacked=1>\u202e";
    await chooseFile(page, {
      name: "rows\u202evsc.csv",
      content: `${csvField(name)},${csvField(`${name}2`)}\nu1,a\nu2,b\n`,
    });
    await page.getByLabel("Item column").selectOption(name);
    await page.getByLabel("Person column").selectOption(`${name}2`);
    await page.getByLabel("Name of the data set").fill(name);
    await countPeople(page);
    await page.getByRole("radio", { name: "Public list" }).check();
    await page.getByLabel("File of candidates").setInputFiles({
      name: "list\u202etxt.txt",
      mimeType: "",
      buffer: Buffer.from("u1\nu2"),
    });
    await page.getByRole("textbox", { name: "Number of winners" }).fill("1");
    await setBudget(page, "1");
    await button(page, "Release…").click();
    await page.getByRole("dialog").waitFor();
    await expectNothingInjected(page);
    await button(page, "Not now").click();
    await releaseOnce(page);
    await openEverything(page);
    await expectNothingInjected(page);
    expect(acts).toEqual([]);
  });
});

/** Dialogs, errors, requests and new pages: none should come. */
function watch(page: Page): string[] {
  const acts: string[] = [];
  page.on("dialog", (dialog) => {
    acts.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("pageerror", (error) => acts.push(`error ${error.message}`));
  page.on("popup", () => acts.push("popup"));
  page.on("framenavigated", (frame) => acts.push(`navigated ${frame.url()}`));
  page.on("request", (request) => {
    if (!/^(blob|data):/.test(request.url())) acts.push(`request ${request.url()}`);
  });
  page.on("console", (message) => {
    if (message.type() === "error") acts.push(`console ${message.text()}`);
  });
  return acts;
}

async function openEverything(page: Page): Promise<void> {
  await page.locator("details").evaluateAll((all) => {
    for (const details of all) details.setAttribute("open", "");
  });
}

async function expectNothingInjected(page: Page): Promise<void> {
  expect(await page.locator(INJECTED).count()).toBe(0);
  expect(await page.locator("script").count()).toBe(1);
  expect(await page.evaluate(() => "hacked" in window)).toBe(false);
  const text = (await page.locator("body").innerText()).replaceAll(/[\n\t]/g, "");
  expect(text).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
}

/** The picture, opened as a document of its own, where its script would run. */
async function expectQuietSvg(page: Page): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "winnow-hostile-"));
  try {
    const [file] = await Promise.all([page.waitForEvent("download"), button(page, "Download SVG").click()]);
    const path = join(folder, "picture.svg");
    await file.saveAs(path);
    const picture = await page.context().newPage();
    const acts: string[] = [];
    picture.on("dialog", () => acts.push("dialog"));
    await picture.goto(`file://${path}`);
    expect(await picture.evaluate(() => document.documentElement.namespaceURI)).toBe(
      "http://www.w3.org/2000/svg",
    );
    expect(await picture.evaluate(() => "hacked" in window)).toBe(false);
    expect(await picture.locator("script, foreignObject, a, image, use, animate, set").count()).toBe(0);
    expect(acts).toEqual([]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
