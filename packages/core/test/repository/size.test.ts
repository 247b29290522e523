import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { ROOT, read } from "./project.js";

interface Measured {
  readonly name: string;
  readonly passed: boolean;
  /** In bytes. */
  readonly size: number;
}

describe("what a page has to load of core", () => {
  const output = execFileSync("node_modules/.bin/size-limit", ["--json"], { cwd: ROOT, encoding: "utf8" });
  const measured: readonly Measured[] = JSON.parse(output);

  it("is within the limits of .size-limit.json", () => {
    expect(measured.map(({ name, passed }) => [name, passed])).toEqual(
      measured.map(({ name }) => [name, true]),
    );
  });

  it.each([
    ["everything", /everything that the main entry exports is (\d+) kB/],
    ["topK alone", /`topK` alone is (\d+) kB/],
    ["selections, streams and budgets", /selections, streams\s+and budgets is (\d+) kB/],
  ])("is what the known limits say, to a kilobyte: %s", (part, stated) => {
    const [, kilobytes] = stated.exec(read("docs/limits-size.md")) ?? [];
    const bytes = measured.find(({ name }) => name === part)?.size;
    expect(Math.abs(Number(kilobytes) * 1000 - Number(bytes))).toBeLessThan(1000);
  });
});
