import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { namesPage } from "../src/generate/names-page.js";

it("the page of names in Python is that of the library's description", () => {
  const page = readFileSync(new URL("../../../docs/guide/python-names.md", import.meta.url), "utf8");
  expect(page, "node scripts/python.js --names writes it").toBe(namesPage());
});
