import { execFileSync, spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { openLedger } from "../../src/ledger/open-ledger.js";
import { Recorder } from "./support/recorder.js";
import { temporaryFolder } from "./support/temporary-folder.js";

const SCRIPT = fileURLToPath(new URL("support/full-disk-process.js", import.meta.url));

interface Attempt {
  readonly scenario: "new" | "existing";
  readonly free: number;
  readonly outcome: string;
  readonly before: readonly string[];
  /** As read while the disk was full, before the release. */
  readonly meanwhile: readonly string[];
  readonly after: readonly string[];
  readonly strays: readonly string[];
}

/** How a small disk can be had here: as root, or as root of a namespace of one's own. */
const OWN_MOUNTS = [
  ["unshare", "--mount"],
  ["unshare", "--map-root-user", "--mount"],
].find(([command, ...options]) => {
  const mount = ["mount", "-t", "tmpfs", "winnow-test", "/mnt"];
  return spawnSync(command, [...options, ...mount]).status === 0;
});

const HAS_LIMITS = spawnSync("prlimit", ["--version"]).status === 0;
/** In continuous integration nothing may be skipped. */
const IS_EXPECTED = process.env.CI !== undefined;

function attempts(): Attempt[] {
  const [command, ...options] = OWN_MOUNTS ?? [];
  const folder = temporaryFolder();
  const lines = execFileSync(command, [...options, process.execPath, SCRIPT, folder], { encoding: "utf8" });
  return lines
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Attempt);
}

describe("a disk that is full", () => {
  it("at any page releases nothing, loses nothing, leaves no half ledger and can still be read", (test) => {
    if (OWN_MOUNTS === undefined && !IS_EXPECTED) test.skip("no small disk can be mounted here");
    const all = attempts();
    for (const { outcome, before, meanwhile, after, strays } of all) {
      expect(meanwhile).toEqual(before);
      expect(["released", "disk-full"]).toContain(outcome);
      expect(after).toEqual(outcome === "released" ? [...before, "second"] : before);
      expect(strays).toEqual([]);
    }
    for (const scenario of ["new", "existing"]) {
      const failed = all.filter(
        (attempt) => attempt.scenario === scenario && attempt.outcome === "disk-full",
      );
      expect(failed.length).toBeGreaterThan(10);
    }
  });

  it("at any size of a file releases nothing and loses nothing", async (test) => {
    if (!HAS_LIMITS && !IS_EXPECTED) test.skip("prlimit is not installed");
    const path = join(temporaryFolder(), "l");
    const ledger = await openLedger(path, { create: true });
    let releases = 0;
    const outcomes = new Set<string>();
    for (const limit of LIMITS) {
      const recorder = new Recorder(path, ["prlimit", `--fsize=${limit}`]);
      recorder.order({ id: `at ${limit}`, padding: PADDING });
      const [{ refused = "released" }] = await recorder.finish();
      outcomes.add(refused);
      if (refused === "released") releases++;
      expect((await ledger.account("visits")).releases, `at ${limit}`).toBe(releases);
      expect(await ledger.find(`at ${limit}`))[refused === "released" ? "toBeDefined" : "toBeUndefined"]();
    }
    expect((await ledger.verify()).findings).toEqual([]);
    expect(outcomes).toEqual(new Set(["disk-full", "released"]));
    ledger.close();
  });
});

/** A release that is written in frames of the write-ahead log past its shared memory, which has 32 kB. */
const PADDING = 60_000;
const FRAME = { header: 24, page: 4096 };
const LIMITS = [
  ...[0, 1, 32, 100, 4096, 20_000, 32_767],
  ...[8, 9, 12].flatMap((frames) => {
    const start = 32 + frames * (FRAME.header + FRAME.page);
    return [start, start + 23, start + FRAME.header, start + 2000];
  }),
  1_000_000,
];
