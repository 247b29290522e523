/** Rows that can be read only once: a named pipe, and what a shell passes for `<(command)`. */
import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { chargesIn, expectRefused } from "../support/expect-refused.js";
import { AREAS, VISITS } from "../support/visits.js";
import { ended, folder } from "../support/winnow.js";

const ASKED = ["-k", "2", "--epsilon", "1", "--domain", "areas.txt", "--dataset", "visits"];

function folderWithPipe() {
  const place = folder({ "visits.csv": VISITS, "areas.txt": AREAS });
  execFileSync("mkfifo", [place.file("pipe.csv")]);
  return place;
}

describe("a pipe", () => {
  it("is read to its end, like standard input", async () => {
    const place = folderWithPipe();
    const named = await place.shell(["top", "pipe.csv", ...ASKED], { before: "cat visits.csv > pipe.csv &" });
    expect(named.exit, named.stderr).toBe(0);
    expect(await chargesIn(place)).toBe(1);
  });

  it("of a shell is read too, packed or not, and so is /dev/stdin", async () => {
    const place = folderWithPipe();
    const words = ["top", "--format", "csv", ...ASKED];
    for (const after of ["<(cat visits.csv)", "<(gzip -c visits.csv)", "/dev/stdin < visits.csv"]) {
      const read = await place.shell(words, { after });
      expect(read.exit, read.stderr).toBe(0);
    }
    expect(await chargesIn(place)).toBe(3);
  });

  it("needs the name of its data set", async () => {
    const place = folderWithPipe();
    const ended = await place.winnow(["top", "pipe.csv", ...ASKED.slice(0, -2)]);
    expectRefused(ended, { exit: 2, code: "usage", says: "have no name: pass one with --dataset" });
  });

  it.each(["SIGINT", "SIGTERM"] as const)("that no one writes to ends with %s", async (signal) => {
    const place = folderWithPipe();
    const child = place.start(["top", "pipe.csv", ...ASKED, "--plot", "areas.svg"]);
    const end = ended(child);
    while (!readdirSync(place.path).some((name) => name.startsWith(".areas.svg"))) await setTimeout(20);
    await setTimeout(500); // by now it waits for a writer
    child.kill(signal);
    await end;
    expect(await chargesIn(place)).toBe(0);
    expect(readdirSync(place.path).filter((name) => name.includes("svg"))).toEqual([]);
  });

  it("is not the only thing that isn't a file: a device is refused", async () => {
    const place = folderWithPipe();
    const device = await place.winnow(["top", "/dev/null", "--format", "csv", ...ASKED]);
    expectRefused(device, { exit: 4, code: "unreadable-source", says: "isn't a regular file or a pipe" });
    const closed = await place.winnow(["top", "/dev/fd/99", "--format", "csv", ...ASKED]);
    expectRefused(closed, { exit: 4, code: "unreadable-source" });
  });
});
