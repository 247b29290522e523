/** What docs/platforms.md assumes of other systems, as far as a look at the files shows it. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const tracked = execFileSync("git", ["ls-files", "-z"], { cwd: ROOT, encoding: "utf8" })
  .split("\0")
  .filter(Boolean);
const read = (path: string) => readFileSync(`${ROOT}${path}`, "utf8");

/** https://learn.microsoft.com/windows/win32/fileio/naming-a-file */
const REFUSED_BY_WINDOWS = /[<>:"|?*\\]|[. ]$|^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

describe("the names of files", () => {
  it("are ones that Windows can have", () => {
    expect(tracked.filter((path) => path.split("/").some((part) => REFUSED_BY_WINDOWS.test(part)))).toEqual(
      [],
    );
  });

  it("differ by more than case", () => {
    expect(new Set(tracked.map((path) => path.toLowerCase())).size).toBe(tracked.length);
  });
});

describe("line ends", () => {
  it("are LF in the repository, and stay so in a clone on Windows", () => {
    const listed = execFileSync("git", ["ls-files", "--eol"], { cwd: ROOT, encoding: "utf8" }).split("\n");
    expect(listed.filter((line) => /^i\/(crlf|mixed)/.test(line))).toEqual([]);
    expect(listed.filter((line) => line.startsWith("i/lf") && !line.includes("eol=lf"))).toEqual([]);
  });
});

it("the commands of package.json that every system runs need no particular shell", () => {
  const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
  const everywhere = ["prepare", "build", "example", "lint", "test:quick", "fix"];
  expect(everywhere.filter((name) => /^\w+=|'|\$|`|;|\brm\b|\bcp\b/.test(scripts[name]))).toEqual([]);
});

it.each(["linux-x64", "linux-arm64", "darwin-x64", "darwin-arm64", "win32-x64"])(
  "the engine of the rows and the ledger's database come prebuilt for %s",
  (system) => {
    const locked = Object.keys(JSON.parse(read("package-lock.json")).packages);
    for (const native of ["@duckdb/node-bindings-", "@libsql/"])
      expect(locked.filter((path) => path.includes(`${native}${system}`))).not.toEqual([]);
  },
);

it("the sources of the programs join paths instead of writing slashes between their parts", () => {
  const sources = tracked.filter((path) => /^packages\/(cli|server|release)\/src\/.*\.ts$/.test(path));
  const joined = /(?:folder|directory|dir|home|root|tmpdir\(\))\}\/|__dirname/i;
  expect(sources.filter((path) => joined.test(read(path)))).toEqual([]);
});
