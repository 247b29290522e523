import { describe, expect, it } from "vitest";
import { ENTRY_POINTS, exportedValues } from "./api-examples.js";
import { claimsOf, showsOf } from "./checked-example.js";

describe.each(Object.entries(ENTRY_POINTS))("%s", (entryPoint, path) => {
  const values = exportedValues(path);

  it("has an example for every value that it exports", () => {
    expect(values.filter(({ examples }) => examples.length === 0).map(({ name }) => name)).toEqual([]);
  });

  it("has examples that import what they show from it", () => {
    const strange = values.filter(({ name, examples }) =>
      examples.some(
        (code) => !code.includes(`from "${entryPoint}"`) || !new RegExp(`\\b${name}\\b`).test(code),
      ),
    );
    expect(strange.map(({ name }) => name)).toEqual([]);
  });

  const examples = values.flatMap(({ name, examples }) => examples.map((code) => [name, code] as const));

  it.concurrent.each(examples)("%s: the example runs and shows what it says", async (_, code) => {
    expect(await showsOf(code)).toEqual(claimsOf(code));
  });
});
