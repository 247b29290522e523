/**
 * `npm run measure --workspace packages/studio`: how long the page is blocked while the worker reads, simulates, releases and
 * attacks, in a real Chromium, and what a first load costs. Prints the table of docs/benchmarks-notes.md.
 * @module
 */
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Browser, Page } from "playwright-core";
import { generateCsv } from "winnow-release";
import { launchChromium, locateChromium, NO_CHROMIUM } from "./chromium.js";
import { type LongestTask, longestTaskDuring } from "./longest-task.js";
import { folderOfScripts, servePage } from "./serve-page.js";
import { button, chooseFile, countPeople, region, releaseOnce, setBudget } from "./steps.js";

const ROWS = 1_000_000;
const ITEMS = 100_000;
const REPETITIONS = 3;

type Step = readonly [name: string, work: (page: Page) => Promise<unknown>];

/** In the order in which a person takes them. */
function stepsWith(path: string, megabytes: string): readonly Step[] {
  return [
    [
      `reading a CSV file of ${megabytes} MB and counting its 1,000,000 rows`,
      (page) => countFile(page, path),
    ],
    ["simulation, ε moved ten times", moveEpsilon],
    ["a public list of 10,000 candidates", listCandidates],
    ["release", release],
    ["an attack of the gallery", attack],
  ];
}

async function countFile(page: Page, path: string): Promise<void> {
  await chooseFile(page, path);
  await countPeople(page);
}

async function firstPlan(page: Page): Promise<void> {
  await region(page, "What it buys").locator(".verdict strong").waitFor();
}

async function moveEpsilon(page: Page): Promise<void> {
  const slider = page.getByRole("slider", { name: "Epsilon, slider" });
  await slider.focus();
  for (let move = 0; move < 10; move++) {
    await page.keyboard.press(move % 2 === 0 ? "ArrowLeft" : "ArrowRight");
    await page.waitForTimeout(200);
  }
  await page.getByRole("img", { name: /^Right names, of those you ask for/ }).waitFor();
}

async function listCandidates(page: Page): Promise<void> {
  await page.getByRole("radio", { name: "Public list" }).check();
  const names = Array.from({ length: 10_000 }, (_, number) => `area ${number}`);
  await page.getByLabel("Candidates, one per line").evaluate((field, text) => {
    Object.assign(field, { value: text }).dispatchEvent(new Event("input")); // as a paste
  }, names.join("\n"));
  await page.getByText("10,000 candidates from pasted list").waitFor();
  await firstPlan(page);
}

async function release(page: Page): Promise<void> {
  await page.getByRole("radio", { name: "Unknown domain" }).check(); // the list is a small part of the items, which needs a word
  await firstPlan(page);
  await page.getByLabel("Budget, delta").fill("1e-5");
  await setBudget(page, "10");
  await releaseOnce(page);
}

async function attack(page: Page): Promise<void> {
  await page.getByRole("link", { name: "See why" }).click();
  const attacks = region(page, "Small mistakes give people away");
  await attacks.locator(".success").first().waitFor();
  await attacks.getByRole("button", { name: "Stop" }).waitFor({ state: "detached", timeout: 120_000 });
}

/** Seconds from choosing the file until people are counted, until the first plan and until the whole plan. */
async function timesToPlan(browser: Browser, address: string, path: string): Promise<number[]> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(address);
  await button(page, "Try the example").waitFor();
  const start = performance.now();
  const times: number[] = [];
  const running = region(page, "What it buys").getByText("running the mechanism…");
  for (const step of [countFile, firstPlan, () => running.waitFor({ state: "detached" })]) {
    await step(page, path);
    times.push((performance.now() - start) / 1000);
  }
  await context.close();
  return times;
}

function inWords(runs: readonly (readonly number[])[]): string {
  const [counted, first, whole] = [0, 1, 2].map((step) =>
    median(runs.map((times) => times[step]!).sort((one, other) => one - other)).toFixed(1),
  );
  return `After the file is chosen, people are counted in ${counted} s, the first plan for its ${ITEMS.toLocaleString("en")} items is there after ${first} s, and the plan for all ε after ${whole} s.`;
}

async function measureOnce(
  browser: Browser,
  address: string,
  steps: readonly Step[],
): Promise<LongestTask[]> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(address);
  await button(page, "Try the example").waitFor();
  const longest: LongestTask[] = [];
  for (const [, work] of steps) longest.push(await longestTaskDuring(browser, page, () => work(page)));
  await context.close();
  return longest;
}

function table(steps: readonly Step[], runs: readonly (readonly LongestTask[])[]): string {
  const rows = steps.map(([name], step) => {
    const sorted = (size: (task: LongestTask) => number) =>
      runs.map((run) => size(run[step]!)).sort((one, other) => one - other);
    const [elapsed, processor, took] = [
      sorted((task) => task.elapsed),
      sorted((task) => task.processor),
      sorted((task) => task.took),
    ];
    const milliseconds = [median(elapsed), elapsed.at(-1)!, median(processor)].map(
      (size) => `${size.toFixed(0)} ms`,
    );
    return `| ${[name, ...milliseconds, `${(median(took) / 1000).toFixed(1)} s`].join(" | ")} |`;
  });
  const header =
    "| step | longest task | largest of all runs | most processor time of a task | the step took |";
  return [header, "|---|---:|---:|---:|---:|", ...rows].join("\n");
}

function median(sorted: readonly number[]): number {
  return sorted[Math.floor(sorted.length / 2)]!;
}

async function firstLoad(): Promise<string> {
  const dist = new URL("../dist/", folderOfScripts());
  const names = ["index.html", "studio.js", "studio.css"];
  const sizes = await Promise.all(
    names.map(async (name) => gzipSync(await readFile(new URL(name, dist))).length),
  );
  return `First load, gzipped: ${(sizes.reduce((sum, size) => sum + size) / 1000).toFixed(0)} kB.`;
}

async function main(): Promise<void> {
  const executable = await locateChromium();
  if (executable === undefined) throw new Error(NO_CHROMIUM);
  const folder = await mkdtemp(join(tmpdir(), "winnow-measure-"));
  const [browser, served] = await Promise.all([launchChromium(executable), servePage()]);
  try {
    const path = join(folder, "visits.csv");
    await writeFile(path, generateCsv({ rows: ROWS, items: ITEMS, users: 200_000 }));
    const steps = stepsWith(path, ((await stat(path)).size / 1e6).toFixed(0));
    const runs: LongestTask[][] = [];
    const plans: number[][] = [];
    for (let run = 0; run < REPETITIONS; run++) {
      runs.push(await measureOnce(browser, served.address, steps));
      plans.push(await timesToPlan(browser, served.address, path));
    }
    const machine = `Chromium ${browser.version()}, medians of ${REPETITIONS} runs. While a task of the main thread runs, the page is blocked.`;
    process.stdout.write(`${machine}\n\n${table(steps, runs)}\n\n${inWords(plans)} ${await firstLoad()}\n`);
  } finally {
    await Promise.all([browser.close(), served.close(), rm(folder, { recursive: true, force: true })]);
  }
}

await main();
