import { parseSync, Visitor } from "vite";
import { describe, expect, it } from "vitest";
import { librarySources } from "./project.js";

/** What could bring chance or time into core, and the one place that may. */
const SOURCES_OF_CHANCE = ["crypto", "getRandomValues", "performance", "Date", "hrtime"];
const GENERATOR = "packages/core/src/system-entropy.ts";

describe("in core, only fair bits are random", () => {
  it("the system's generator is asked in one file, and no clock is read anywhere", () => {
    const named = librarySources().flatMap(({ path, text }) =>
      namesIn(path, text).map((name) => ({ path, name })),
    );
    const elsewhere = named.filter(({ path }) => path !== GENERATOR);
    expect(elsewhere).toEqual([]);
    expect(new Set(named.map(({ name }) => name))).toEqual(new Set(["crypto", "getRandomValues"]));
  });
});

function namesIn(path: string, text: string): string[] {
  const names: string[] = [];
  new Visitor({
    Identifier: ({ name }) => {
      if (SOURCES_OF_CHANCE.includes(name)) names.push(name);
    },
  }).visit(parseSync(path, text).program);
  return names;
}
