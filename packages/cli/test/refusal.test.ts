import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { CATALOGUE, Refusal } from "../src/refusal.js";

const page = readFileSync(new URL("../../../docs/guide/errors.md", import.meta.url), "utf8");
const rows = [...page.matchAll(/^\| `([\w-]+)` \| (\d+) \| (.+) \| (.+) \|$/gm)];

describe("the catalogue of errors", () => {
  it("is on its page, entry by entry, with exit code and next step", () => {
    const documented = rows.map(([, code, exit, , next]) => ({ code, exit: Number(exit), next }));
    const catalogue = Object.entries(CATALOGUE).map(([code, { exit, next }]) => ({ code, exit, next }));
    expect(documented.toSorted(byCode)).toEqual(catalogue.toSorted(byCode));
  });

  it("has exit codes 2, 3 and 4, and 130 for what was interrupted", () => {
    expect(new Set(Object.values(CATALOGUE).map(({ exit }) => exit))).toEqual(new Set([2, 3, 4, 130]));
  });

  it("says what to do next in whole sentences", () => {
    for (const { next } of Object.values(CATALOGUE)) expect(next).toMatch(/^[A-Z].*\.$/);
  });

  it("is what a refusal carries", () => {
    const refusal = new Refusal("over-budget", "Too much.");
    expect({ ...refusal, message: refusal.message, exit: refusal.exit, next: refusal.next }).toMatchObject({
      code: "over-budget",
      message: "Too much.",
      exit: 3,
      next: CATALOGUE["over-budget"].next,
    });
  });
});

function byCode(a: { code: string }, b: { code: string }): number {
  return a.code < b.code ? -1 : 1;
}
