import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DENO, locate } from "../../packages/core/runtime/runtimes.js";
import { writeJsrPackage } from "../release/jsr.js";

const CORE = fileURLToPath(new URL("../../packages/core", import.meta.url));

describe("the package for JSR", () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "winnow-jsr-test-"));
    writeJsrPackage(CORE, folder);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it("has the entries of npm's package, its licence and no maps", () => {
    const { exports } = JSON.parse(readFileSync(join(folder, "jsr.json"), "utf8"));
    const npm = JSON.parse(readFileSync(join(CORE, "package.json"), "utf8"));
    expect(Object.keys(exports)).toEqual(Object.keys(npm.exports));
    expect(readdirSync(folder)).toEqual(
      expect.arrayContaining(["LICENSE", "README.md", "index.js", "index.d.ts"]),
    );
    expect(readdirSync(folder).filter((name) => name.endsWith(".map"))).toEqual([]);
  });

  it("is what `deno publish` accepts", async (test) => {
    const deno = await locate(DENO, "deno");
    if (!("executable" in deno)) {
      if (process.env.CI) throw new Error(deno.missing);
      return test.skip(deno.missing);
    }
    const args = ["publish", "--dry-run", "--allow-dirty", "--no-lock"];
    const { stderr } = await promisify(execFile)(deno.executable, args, {
      cwd: folder,
      env: { NO_COLOR: "1" },
    });
    expect(stderr).toContain("Success Dry run complete");
    expect(stderr).not.toMatch(/warning|error/i);
  });
});
