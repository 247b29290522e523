/**
 * A program that isn't part of Node, such as Gappa or Spin. A proof that needs one is skipped with a sentence where it isn't
 * installed, except in continuous integration, where that is a failure.
 * @module
 */
import { spawnSync } from "node:child_process";
import { describe, it } from "vitest";

export function isInstalled(tool: string): boolean {
  return spawnSync("sh", ["-c", `command -v ${tool}`]).status === 0;
}

/** `describe`, if the tools are installed. */
export function describeWith(tools: readonly string[], title: string, body: () => void): void {
  const missing = tools.filter((tool) => !isInstalled(tool));
  if (missing.length === 0) describe(title, body);
  else if (process.env.CI === undefined) describe.skip(`${title} (needs ${missing.join(", ")})`, body);
  else
    describe(title, () => {
      it(`needs ${missing.join(", ")}`, () => {
        throw new Error(`install ${missing.join(", ")}: see "npm run prove" in CONTRIBUTING.md`);
      });
    });
}
