import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { ROOT } from "./project.js";

interface Measured {
  readonly name: string;
  readonly passed: boolean;
}

describe("what a page has to load of core", () => {
  it("is within the limits of .size-limit.json", () => {
    const output = execFileSync("node_modules/.bin/size-limit", ["--json"], { cwd: ROOT, encoding: "utf8" });
    const measured: readonly Measured[] = JSON.parse(output);
    expect(measured.map(({ name, passed }) => [name, passed])).toEqual(
      measured.map(({ name }) => [name, true]),
    );
  });
});
