import { describe, expect, it } from "vitest";
import { claimsOf, showsOf } from "./checked-example.js";
import { coreSources } from "./project.js";

/** The code blocks of `@example`s, without the stars of their comments. */
const EXAMPLE = /@example\n((?: +\*.*\n)+?) +\* ```\n/g;

const examples = coreSources().flatMap(({ path, text }) =>
  [...text.matchAll(EXAMPLE)].map(({ 1: block, index }) => [
    `${path}:${text.slice(0, index).split("\n").length}`,
    `${block
      .split("\n")
      .map((line) => line.replace(/^ +\* ?/, ""))
      .filter((line) => line !== "```ts")
      .join("\n")}\n`,
  ]),
);

describe("the examples in the sources", () => {
  it("are found", () => {
    expect(examples.length).toBeGreaterThan(5);
  });

  it.each(examples)("%s runs and shows what it says", async (_, source) => {
    expect(claimsOf(source).length).toBeGreaterThan(0);
    expect(await showsOf(source)).toEqual(claimsOf(source));
  });
});
