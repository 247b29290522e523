/**
 * `npm run measure --workspace packages/studio`: how long the page is blocked while the worker reads, simulates, releases and
 * attacks, in a real Chromium, and what a first load costs. Prints the table of docs/benchmarks.md.
 * @module
 */
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Browser, Page } from "playwright-core";
import { generateCsv } from "winnow-release";
import { launchChromium, locateChromium, NO_CHROMIUM } from "./chromium.js";
import { blockedDuring, startHeartbeat, type Watched } from "./heartbeat.js";
import { folderOfScripts, servePage } from "./serve-page.js";
import { button, chooseFile, countPeople, region, releaseOnce, setBudget } from "./steps.js";

const ROWS = 1_000_000;
const REPETITIONS = 3;

type Step = readonly [name: string, work: (page: Page) => Promise<unknown>];

/** In the order in which a person takes them. */
function stepsWith(path: string, megabytes: string): readonly Step[] {
  return [
    [`reading the header of a CSV file of ${megabytes} MB`, (page) => openFile(page, path)],
    ["counting its 1,000,000 rows", countPeople],
    ["simulation, ε moved ten times", moveEpsilon],
    ["release", release],
    ["an attack of the gallery", attack],
  ];
}

async function openFile(page: Page, path: string): Promise<void> {
  await chooseFile(page, path);
  await page.getByLabel("Item column").waitFor();
}

async function moveEpsilon(page: Page): Promise<void> {
  const slider = page.getByRole("slider", { name: "Epsilon, slider" });
  await slider.focus();
  for (let move = 0; move < 10; move++) {
    await page.keyboard.press(move % 2 === 0 ? "ArrowLeft" : "ArrowRight");
    await page.waitForTimeout(200);
  }
  await page.getByRole("img", { name: /^The expected share of true winners/ }).waitFor();
}

async function release(page: Page): Promise<void> {
  await page.getByLabel("Budget, delta").fill("1e-5");
  await setBudget(page, "10");
  await releaseOnce(page);
}

async function attack(page: Page): Promise<void> {
  await page.getByRole("link", { name: "See why" }).click();
  const attacks = region(page, "Small mistakes give people away");
  await button(page, "Run the attack").click();
  await attacks.locator(".success").first().waitFor();
  await attacks.getByRole("button", { name: "Stop" }).waitFor({ state: "detached", timeout: 120_000 });
}

async function measureOnce(browser: Browser, address: string, steps: readonly Step[]): Promise<Watched[]> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await startHeartbeat(page);
  await page.goto(address);
  await button(page, "Try the example").waitFor();
  const watched: Watched[] = [];
  for (const [, work] of steps) watched.push(await blockedDuring(page, () => work(page)));
  await context.close();
  return watched;
}

function table(steps: readonly Step[], runs: readonly (readonly Watched[])[]): string {
  const rows = steps.map(([name], step) => {
    const watched = runs.map((run) => run[step]!);
    const blocked = watched.map((one) => one.blocked).sort((a, b) => a - b);
    const took = watched.map((one) => one.took).sort((a, b) => a - b);
    const [median, most] = [blocked[Math.floor(blocked.length / 2)]!, blocked.at(-1)!];
    return `| ${name} | ${median.toFixed(0)} ms | ${most.toFixed(0)} ms | ${(took[Math.floor(took.length / 2)]! / 1000).toFixed(1)} s |`;
  });
  return ["| step | longest pause, median | largest | took |", "|---|---:|---:|---:|", ...rows].join("\n");
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
    await writeFile(path, generateCsv({ rows: ROWS, items: 3_000, users: 200_000 }));
    const steps = stepsWith(path, ((await stat(path)).size / 1e6).toFixed(0));
    const runs: Watched[][] = [];
    for (let run = 0; run < REPETITIONS; run++) runs.push(await measureOnce(browser, served.address, steps));
    const machine = `Chromium ${browser.version()}, ${REPETITIONS} runs; a pause is the time between two beats of a timer.`;
    process.stdout.write(`${machine}\n\n${table(steps, runs)}\n\n${await firstLoad()}\n`);
  } finally {
    await Promise.all([browser.close(), served.close(), rm(folder, { recursive: true, force: true })]);
  }
}

await main();
