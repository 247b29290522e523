import { createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { generateCsv, generateVisits } from "winnow-release";
import { button, chooseFile, countPeople, region } from "../../scripts/steps.js";
import { studioBrowser } from "../support/studio-browser.js";

const OPTIONS = { rows: 1_000_000, items: 3_000, users: 200_000, seed: "a million" };

const studio = studioBrowser();
let folder: string;
let path: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "winnow-million-"));
  path = join(folder, "visits.csv");
  await pipeline(Readable.from(generateCsv(OPTIONS)), createWriteStream(path));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

it("a million rows are counted exactly, while the page goes on drawing", async () => {
  const page = await studio.open();
  const frames = page.evaluate(framesUntilCounted);
  await chooseFile(page, path);
  await countPeople(page);
  // About 170 on a quiet machine and on one seven times too busy; a page that counted by itself would draw none.
  expect(await frames).toBeGreaterThan(10);
  const { people, items, largest } = expected();
  const data = await region(page, "Your data").innerText();
  expect(data).toContain(
    `${people.toLocaleString("en")} people · ${items.toLocaleString("en")} items · 1,000,000 rows`,
  );
  await button(page, "Show the true counts").click();
  const first = page.getByRole("table", { name: "True counts, for your eyes only" }).getByRole("row").nth(1);
  expect((await first.innerText()).replaceAll(",", "")).toContain(String(largest));
});

/** How often the page could draw while it said that it was counting. */
function framesUntilCounted(): Promise<number> {
  return new Promise((resolve) => {
    let frames = 0;
    const draw = () => {
      if (document.querySelector("progress") !== null) frames++;
      const isCounted = [...document.querySelectorAll("button")].some(({ innerText }) =>
        innerText.includes("Change the columns"),
      );
      if (isCounted) resolve(frames);
      else requestAnimationFrame(draw);
    };
    requestAnimationFrame(draw);
  });
}

function expected() {
  const visitors = new Map<string, Set<string>>();
  for (const { item, user } of generateVisits(OPTIONS)) {
    const known = visitors.get(item);
    if (known === undefined) visitors.set(item, new Set([user]));
    else known.add(user);
  }
  const people = new Set([...visitors.values()].flatMap((users) => [...users])).size;
  return {
    people,
    items: visitors.size,
    largest: Math.max(...[...visitors.values()].map(({ size }) => size)),
  };
}
