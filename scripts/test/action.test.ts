import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const STEP = join(ROOT, "scripts/action/release.js");
const PROGRAM = join(ROOT, "packages/cli/bin/winnow.js");
const ACTION = readFileSync(join(ROOT, "action.yml"), "utf8");

let folder: string;

/** The step as a runner starts it: inputs as JSON, files for the summary and the outputs. */
function step(inputs: Record<string, string>) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [STEP], {
    cwd: folder,
    encoding: "utf8",
    env: {
      ...process.env,
      WINNOW_PROGRAM: PROGRAM,
      GITHUB_STEP_SUMMARY: join(folder, "summary.md"),
      GITHUB_OUTPUT: join(folder, "outputs.txt"),
      WINNOW_INPUTS: JSON.stringify({
        ...{ command: "top", source: "visits.csv", ledger: "team.ledger", dataset: "visits" },
        ...{ "release-id": "run-1", item: "area", user: "user", k: "2", epsilon: "1", domain: "areas.txt" },
        ...{ counts: "false", output: "out" },
        ...inputs,
      }),
    },
  });
  return { status, printed: stdout + stderr };
}

const made = (path: string) => readFileSync(join(folder, path), "utf8");
const log = (): readonly string[] =>
  JSON.parse(winnow("budget", "log", "--ledger", "team.ledger", "--json")).entries.map(JSON.stringify);

function winnow(...args: readonly string[]): string {
  const { stdout, stderr, status } = spawnSync(process.execPath, [PROGRAM, ...args], {
    cwd: folder,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(stderr);
  return stdout;
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "winnow-action-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const rows = Array.from({ length: 900 }, (_, user) => `u${user},${user < 600 ? "news" : "maps"}`);
  writeFileSync(join(folder, "visits.csv"), ["user,area", ...rows, ""].join("\n"));
  writeFileSync(join(folder, "areas.txt"), "news\nmaps\nmail\n");
  winnow("budget", "init", "visits", "--epsilon", "2", "--ledger", "team.ledger");
});

describe("a scheduled release", () => {
  it("leaves the release, its table, picture and statement, and tells the workflow", () => {
    expect(step({})).toEqual({ status: 0, printed: "" });
    expect(JSON.parse(made("out/release.json"))).toMatchObject({ id: "run-1", dataset: "visits" });
    expect(made("out/release.csv")).toMatch(/^rank,/);
    expect(made("out/picture.svg")).toMatch(/^<svg/);
    expect(made("out/statement.txt")).toContain("news");
    expect(made("summary.md")).toContain("per user");
    expect(made("outputs.txt")).toBe(`folder=${join(folder, "out")}\nreleased=true\n`);
  });

  it("that is run again prints the same answer and charges nothing", () => {
    step({});
    const entries = log().length;
    expect(step({ output: "again" }).status).toBe(0);
    expect(made("again/release.json")).toBe(made("out/release.json"));
    expect(log()).toHaveLength(entries);
  });

  it("beyond the budget ends with exit 3 and charges nothing", () => {
    const entries = log().length;
    const { status, printed } = step({ epsilon: "3" });
    expect(status).toBe(3);
    expect(printed).toBe(
      "::error title=Winnow::The budget doesn't allow it. Run it on your machine to see why (exit 3).\n",
    );
    expect(log()).toHaveLength(entries);
    expect(existsSync(join(folder, "out/release.json"))).toBe(false);
  });

  it("answers no question for its curator: a list that matches no row is refused", () => {
    writeFileSync(join(folder, "areas.txt"), "a\nb\nc\n");
    expect(step({})).toMatchObject({ status: 2 });
    expect(step({ options: "--yes" })).toMatchObject({
      status: 1,
      printed: expect.stringContaining("answers no question"),
    });
  });

  it("shows nothing of the rows in the log of the workflow", () => {
    writeFileSync(join(folder, "visits.csv"), 'user,area\nu1,secret"\nu2\n');
    const { status, printed } = step({});
    expect(status).not.toBe(0);
    expect(printed).not.toContain("secret");
  });
});

describe("inputs", () => {
  it.each([
    [{ command: "budget" }, "command must be one of top, names, adaptive, quantile, frequencies."],
    [{ source: "" }, "source must be given."],
    [{ options: "visits.csv" }, "options must start with --"],
  ])("%j are refused", (inputs: Record<string, string>, message) => {
    const { status, printed } = step(inputs);
    expect([status, printed]).toEqual([1, expect.stringContaining(message)]);
  });

  it("can't be read as options", () => {
    const { status } = step({ dataset: "--yes" });
    expect(status).not.toBe(0);
    expect(log().some((entry) => entry.includes("run-1"))).toBe(false);
  });

  it("of action.yml are those that the step reads", () => {
    const [, block] = /^inputs:\n([\s\S]*?)^outputs:/m.exec(ACTION) ?? [];
    const named = [...(block ?? "").matchAll(/^ {2}([\w-]+):$/gm)].map(([, name]) => name);
    const source = readFileSync(STEP, "utf8");
    expect(named.filter((name) => !new RegExp(`["'.\\]]${name}\\b|"${name}"`).test(source))).toEqual([]);
  });

  it("of action.yml use actions that are pinned", () => {
    expect(ACTION.match(/uses: .*/g)?.every((line) => /@[\da-f]{40} # v[\d.]+$/.test(line))).toBe(true);
  });
});
