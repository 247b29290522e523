import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const FOLDER = new URL("../../.github/workflows/", import.meta.url);
const read = (name: string) => readFileSync(new URL(name, FOLDER), "utf8");
const workflows = readdirSync(FOLDER).map((name): [string, string] => [name, read(name)]);

describe.each(workflows)("%s", (_, text) => {
  it("pins every action by its commit, with the version as a comment", () => {
    const used = text.match(/uses: .*/g) ?? [];
    expect(used.filter((line) => !/^uses: [\w/-]+@[\da-f]{40} # v\d+(\.\d+){1,2}$/.test(line))).toEqual([]);
  });

  it("starts with no permission to write, and grants each job what it says", () => {
    expect(text).toMatch(/^permissions:(?: \{\}|\n {2}contents: read)$/m);
    const granted = text.match(/^ {6}[\w-]+: write.*$/gm) ?? [];
    expect(granted.filter((line) => !line.includes(" # ") && !line.includes("attestations"))).toEqual([]);
  });

  it("gives no container the whole machine, and leaves no token in a clone", () => {
    expect(text).not.toContain("--privileged");
    const clones = text.match(/actions\/checkout@/g) ?? [];
    expect(text.match(/persist-credentials: false/g) ?? []).toHaveLength(clones.length);
  });

  it("ends by itself, on a system of a named version", () => {
    const jobs = text.match(/^ {4}runs-on: .*$/gm) ?? [];
    expect(jobs.filter((line) => line.includes("latest"))).toEqual([]);
    expect(text.match(/^ {4}timeout-minutes: \d+$/gm)).toHaveLength(jobs.length);
  });
});

it("the release publishes npm's packages in the order in which they need one another, and stores no token", () => {
  const text = read("release.yml");
  expect(text).toContain("for name in winnow-dp winnow-audit winnow-release winnow-cli; do");
  expect(text).not.toMatch(/secrets\.|NPM_TOKEN|NODE_AUTH_TOKEN/);
});

it("mutants are tried nightly in every folder that has a score", async () => {
  const { FOLDERS } = await import(new URL("../../prove/mutation/summary.js", import.meta.url).href);
  const [, listed] = /folder: \[(.*)\]/.exec(read("nightly.yml")) ?? [];
  expect(listed?.split(", ").sort()).toEqual(Object.keys(FOLDERS).sort());
});
