import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { changesOf } from "../release/changes.js";
import { packages, versionOf, writeVersion } from "../release/version.js";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

describe("the version", () => {
  it("is the same in every package and wherever packages name each other", () => {
    expect(versionOf(ROOT)).toMatch(/^\d+\.\d+\.\d+/);
  });

  it("is written everywhere by one command", () => {
    const copy = copyOfManifests();
    const changed = writeVersion(copy, "3.2.1");
    expect(changed).toEqual(
      expect.arrayContaining(["package.json", "packages/cli/package.json", "package-lock.json"]),
    );
    expect(versionOf(copy)).toBe("3.2.1");
    const lock = JSON.parse(readFileSync(join(copy, "package-lock.json"), "utf8"));
    expect(lock.version).toBe("3.2.1");
    expect(lock.packages["packages/audit"].dependencies["winnow-dp"]).toBe("3.2.1");
    expect(writeVersion(copy, "3.2.1")).toEqual([]);
  });

  it("that differs in one package is refused, with what to do", () => {
    const copy = copyOfManifests();
    writeVersion(copy, "3.2.1");
    cpSync(join(ROOT, "packages/audit/package.json"), join(copy, "packages/audit/package.json"));
    expect(() => versionOf(copy)).toThrow("packages/audit: run `npm run release -- version 3.2.1`");
  });

  it.each(["", "1.2", "v1.2.3", "1.2.3 "])("%j is refused", (version) => {
    expect(() => writeVersion(ROOT, version)).toThrow("the version must look like 1.2.3 or 1.2.3-rc.1");
  });
});

describe("the notes of a release", () => {
  const LOG =
    "# Changelog\n\n## Unreleased\n\n- soon\n\n## [1.1.0](url) (2026-02-03)\n\n- b\n\n## 1.0.0\n\n- a\n";

  it("are the section of its version", () => {
    expect(changesOf(LOG, "1.0.0")).toBe("- a\n");
    expect(changesOf(LOG, "1.1.0")).toBe("- b\n");
  });

  it("are what is unreleased before the version has a section", () =>
    expect(changesOf(LOG, "2.0.0")).toBe("- soon\n"));

  it("are never empty", () => {
    expect(() => changesOf("# Changelog\n\n## 1.0.0\n\n## 0.9.0\n\n- x\n", "1.0.0")).toThrow(
      "must have a section",
    );
  });
});

/** The manifests and the lock file alone. */
function copyOfManifests(): string {
  const copy = mkdtempSync(join(tmpdir(), "winnow-version-"));
  onTestFinished(() => rmSync(copy, { recursive: true }));
  const manifests = ["", ...packages(ROOT)].map((folder) => join(folder, "package.json"));
  for (const path of [...manifests, "package-lock.json"]) {
    mkdirSync(dirname(join(copy, path)), { recursive: true });
    cpSync(join(ROOT, path), join(copy, path));
  }
  return copy;
}
