import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { byPath, projectFiles, ROOT, read } from "./project.js";

const PICTURE = /^```text\n(.*?)^```$/gms;
const SAVED = /^The picture is (.*)$/m;
const folder = mkdtempSync(join(tmpdir(), "winnow-examples-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the examples", () => {
  it.each(byPath(projectFiles(/^examples\/.*\.js$/)))("%s runs to its end", (path) => {
    expect(outputOf(path)).not.toBe("");
  });

  it("the guide to agents shows what the agent's example prints, apart from noise and hashes", () => {
    const [, transcript = ""] =
      /^```text\n(The agent calls .*?)^```$/ms.exec(read("docs/guide/agents.md")) ?? [];
    const shown = new Set(lastOutputOf("examples/agent.js").split("\n").map(withoutHashes));
    const lines = transcript.split("\n").filter((line) => !line.includes("…"));
    expect(lines.length).toBeGreaterThan(30);
    expect(lines.filter((line) => !shown.has(withoutHashes(line)))).toEqual([]);
  });

  it("the README shows what `npm run example` prints, but for the noise and the bars of a terminal", () => {
    const pictures = [...read("README.md").matchAll(PICTURE)].map(([, picture]) => picture);
    expect(pictures).toHaveLength(1);
    // Noise of scale 12.5 brings another area before the fifth, which leads by 125, once in 40,000 runs; not in two of two.
    const shapes = [1, 2].map(() => shape(outputOf("examples/top-k.js")));
    expect(shapes.join("\n")).toContain(shape(pictures[0]));
  });

  it("and it leaves the picture where it says", () => {
    const [, path] = SAVED.exec(outputOf("examples/top-k.js"))!;
    expect(readFileSync(path, "utf8")).toMatch(/^<svg .*<\/svg>\n$/s);
  });
});

/** The same for every release of the same rows: names and words in their order. */
function shape(text: string): string {
  return text
    .replaceAll(/[\d,]+/g, "0")
    .replaceAll(/[─█▏▎▍▌▋▊▉]+/g, "")
    .replaceAll(/\s+/g, " ");
}

function withoutHashes(line: string): string {
  return shape(line.replaceAll(/[\da-f]{40,64}/g, "0"));
}

const printed = new Map<string, string>();

/** What the last run printed; for examples that are to run once. */
function lastOutputOf(path: string): string {
  return printed.get(path) ?? outputOf(path);
}

function outputOf(path: string, ...options: string[]): string {
  const output = execFileSync(process.execPath, [path, ...options], {
    cwd: ROOT,
    encoding: "utf8",
    env: { ...process.env, TMPDIR: folder },
    stdio: ["ignore", "pipe", "ignore"],
    timeout: 60_000,
  });
  printed.set(path, output);
  return output;
}
