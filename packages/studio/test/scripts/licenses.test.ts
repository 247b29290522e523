import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { licensesText } from "../../scripts/licenses.js";

const built = (name: string) => readFileSync(new URL(`../../dist/${name}`, import.meta.url), "utf8");

it.each(["licenses.txt", "winnow-studio.html"])(
  "%s has the licences of what the page is made with",
  (name) => {
    const text = built(name);
    for (const part of ["preact", "hyparquet", "fzstd"])
      expect(text).toMatch(new RegExp(`^${part} \\d+\\.\\d+\\.\\d+$`, "m"));
    expect(text).toContain("Copyright (c) 2015-present Jason Miller");
  },
);

it("a package without a licence does not get into the page", () => {
  const folder = mkdtempSync(join(tmpdir(), "winnow-license-"));
  writeFileSync(join(folder, "package.json"), '{ "name": "bare", "version": "1.0.0" }');
  expect(() => licensesText([folder])).toThrow("bare must have a file with its licence");
  rmSync(folder, { recursive: true });
});
