import { describe, expect, it } from "vitest";
import { claimsOf, showsOf } from "./checked-example.js";
import { projectFiles } from "./project.js";

const EXAMPLE = /^```ts\n(.*?)^```$/gms;

const examples = projectFiles(/^((packages\/\w+\/)?README\.md|docs\/.*\.md)$/).flatMap(({ path, text }) =>
  [...text.matchAll(EXAMPLE)].map(({ 1: source, index }) => [
    `${path}:${text.slice(0, index).split("\n").length}`,
    source,
  ]),
);

describe("the documents' examples", () => {
  it.each(examples)("%s runs and shows what it says", async (_, source) => {
    expect(await showsOf(source)).toEqual(claimsOf(source));
  });
});

describe("an example", () => {
  it("is caught when it shows something else", async () => {
    const source = "const sum: number = 1 + 1; // → 3\n[1n, 'a', { b: 0.5 }]; // → as it is\n";
    expect(claimsOf(source)).toEqual([
      { line: 1, shown: "3" },
      { line: 2, shown: "as it is" },
    ]);
    expect(await showsOf(source)).toEqual([
      { line: 1, shown: "2" },
      { line: 2, shown: '[1n, "a", { b: 0.5 }]' },
    ]);
  });

  it("may claim an error", async () => {
    const source = 'import { rational } from "winnow-dp";\nrational(Number.NaN, "epsilon"); // → throws\n';
    const [{ shown }] = await showsOf(source);
    expect(shown).toMatch(/^throws epsilon must be a rational number .* got NaN$/);
  });

  it("is caught when it fails, or claims a value where none is", async () => {
    await expect(showsOf("nothing.like.this;\n")).rejects.toThrow("nothing is not defined");
    await expect(showsOf("\n// → 3\n")).rejects.toThrow("line 2 claims a value where no statement ends");
  });
});
