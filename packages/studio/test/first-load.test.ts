import { readdir, readFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";

const DIST = new URL("../dist/", import.meta.url);
const MOST = 220_000;
const MOST_FOR_ANALYSTS = 140_000;

it("a first load costs at most 220 kB", async () => {
  // Nothing loads the licences or the other form of the page.
  const isOther = (name: string) => name === "licenses.txt" || name.startsWith("winnow-studio.html");
  const names = (await readdir(DIST)).filter((name) => !isOther(name));
  expect(names.sort()).toEqual(["index.html", "studio.css", "studio.js"]);
  const sizes = await Promise.all(
    names.map(async (name) => gzipSync(await readFile(new URL(name, DIST))).length),
  );
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(MOST);
});

it("the page for analysts costs less", async () => {
  const folder = new URL("../dist-analyst/", import.meta.url);
  const names = (await readdir(folder)).filter((name) => name !== "licenses.txt");
  expect(names.sort()).toEqual(["analyst.css", "analyst.js", "index.html"]);
  const sizes = await Promise.all(
    names.map(async (name) => gzipSync(await readFile(new URL(name, folder))).length),
  );
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(MOST_FOR_ANALYSTS);
});

it("the single file costs as much", async () => {
  const html = await readFile(new URL("winnow-studio.html", DIST));
  expect(gzipSync(html).length).toBeLessThanOrEqual(MOST);
});
