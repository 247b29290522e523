import { type ChildProcess, execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { chargesIn, expectRefused } from "../support/expect-refused.js";
import { AREAS } from "../support/visits.js";
import { type Ended, ended, type Folder, folder } from "../support/winnow.js";

const ASKED = [
  ...["top", "-", "--format", "csv", "--dataset", "visits", "--item", "area", "--user", "user"],
  ...["-k", "2", "--epsilon", "1", "--domain", "areas.txt", "--plot", "areas.svg"],
];

/** Starts a release that waits for rows, and stops it when it does. */
async function interrupted(place: Folder, signal: NodeJS.Signals) {
  const child = place.start(ASKED);
  const end = endedAsInShell(child);
  child.stdin!.write("user,area\na,mail\n");
  await untilItWorks(place, ".areas.svg");
  child.kill(signal);
  return end;
}

/** A run that does not stop within its moment, on a busy machine, is ended by the signal itself: 130 for a shell too. */
async function endedAsInShell(child: ChildProcess): Promise<Ended> {
  const end = await ended(child);
  return child.signalCode === "SIGINT" ? { ...end, exit: 130 } : end;
}

/** A picture is made ready before the work begins. */
async function untilItWorks(place: Folder, picture: string): Promise<void> {
  while (!readdirSync(place.path).some((name) => name.startsWith(picture))) await setTimeout(20);
  await setTimeout(500); // any moment will do; this one is in the middle
}

describe("Ctrl-C", () => {
  it.each(["SIGINT", "SIGTERM"] as const)(
    "(%s) ends a release with 130, for nothing, and leaves nothing",
    async (signal) => {
      const place = folder({ "areas.txt": AREAS });
      expectRefused(await interrupted(place, signal), { exit: 130, code: "interrupted" });
      expect(await chargesIn(place)).toBe(0);
      expect(readdirSync(place.path).filter((name) => name.includes("svg"))).toEqual([]);
    },
  );

  it("ends a release that waits for a list which nobody writes, and leaves nothing", async () => {
    const place = folder({ "visits.csv": "user,area\na,mail\n" });
    execFileSync("mkfifo", [place.file("areas.txt")]);
    const child = place.start(["top", "visits.csv", ...ASKED.slice(4)]);
    const end = ended(child);
    await untilItWorks(place, ".areas.svg");
    child.kill("SIGINT");
    const { stdout, stderr } = await end;
    expect({ stdout, signal: child.signalCode }).toEqual({ stdout: "", signal: "SIGINT" }); // 130 for a shell
    expect(stderr).toContain("[interrupted]");
    expect(readdirSync(place.path)).toEqual(["areas.txt", "visits.csv"]);
  });

  it("ends a simulation", async () => {
    const place = folder();
    const child = place.start(["plan", "-k", "10", "--runs", "1000000", "--plot", "plan.svg"]);
    const end = endedAsInShell(child);
    await untilItWorks(place, ".plan.svg");
    child.kill("SIGINT");
    expectRefused(await end, { exit: 130, code: "interrupted" });
  });
});
