import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { byPath, projectFiles, ROOT, read } from "./project.js";

const PICTURE = /^```text\n(.*?)^```$/gms;

describe("the examples", () => {
  it.each(byPath(projectFiles(/^examples\/.*\.js$/)))("%s runs to its end", (path) => {
    expect(outputOf(path)).not.toBe("");
  });

  it("the README shows what `npm run example` prints", () => {
    const pictures = [...read("README.md").matchAll(PICTURE)].map(([, picture]) => picture);
    expect(pictures).toHaveLength(1);
    expect(outputOf("examples/top-k.js", "--seed", "picture")).toContain(pictures[0]);
  });
});

function outputOf(path: string, ...options: string[]): string {
  return execFileSync(process.execPath, [path, ...options], { cwd: ROOT, encoding: "utf8", timeout: 60_000 });
}
