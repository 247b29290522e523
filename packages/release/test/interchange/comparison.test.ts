import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { describeWithPython, python } from "../support/python.js";

const page = readFileSync(new URL("../../../../docs/guide/comparison.md", import.meta.url), "utf8");
const BLOCK = /^```python\n(# Runs with .*?)^```$/gms;

/** The code that the page shows for a library, which it says runs. */
function codeFor(module: string): string {
  const [code, ...others] = Array.from(page.matchAll(BLOCK), ([, block]) => block!).filter((block) =>
    block.includes(module),
  );
  if (code === undefined || others.length > 0) throw new Error(`one block for ${module} is expected`);
  return code;
}

describeWithPython("opendp", "OpenDP's answer to the question of the comparison", () => {
  it("is five positions, at the ε that the page says", () => {
    const code = codeFor("opendp");
    const [, loss] = /^noisy_top_k\.map\(d_in=1\) {2}# ([\d.]+)/m.exec(code)!;
    const said = python(
      `import json\n${code.replace(/^noisy_top_k\(/m, "found = noisy_top_k(")}print(json.dumps([noisy_top_k.map(d_in=1), found]))`,
      "",
    );
    const [epsilon, positions] = JSON.parse(said) as [number, number[]];
    expect(epsilon).toBe(Number(loss));
    expect(new Set(positions).size).toBe(5);
    expect(positions.every((position) => position >= 0 && position < 7)).toBe(true);
  });
});

describeWithPython("pydp", "PyDP's answer to the question of the comparison", () => {
  it("is five areas, of which the largest by far comes first", () => {
    const said = python(`import json\n${codeFor("pydp")}print(json.dumps([winners, noisy]))`, "");
    const [winners, noisy] = JSON.parse(said) as [string[], Record<string, number>];
    expect(winners).toHaveLength(5);
    expect(winners[0]).toBe("search"); // by 2,090, and the noise has scale 7
    expect(Object.keys(noisy)).toHaveLength(7);
  });
});
