import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readRelease, toSvg } from "winnow-release";
import { chargesIn, expectRefused } from "../support/expect-refused.js";
import { visitsOf } from "../support/visits.js";
import { folder } from "../support/winnow.js";

const VISITS = visitsOf({ mail: 400, news: 90, secret: 5 });
const FREQUENCIES = ["frequencies", "visits.csv", "--item", "area", "--user", "user", "--epsilon", "2"];

describe("winnow frequencies", () => {
  it("tells how many people items have, without a name, and the same again under its id", async () => {
    const place = folder({ "visits.csv": VISITS });
    const asked = [...FREQUENCIES, "--max-items-per-user", "3", "--release-id", "a"];
    const { exit, stdout, stderr } = await place.winnow([...asked, "--json", "--plot", "a.svg"]);
    expect(exit, stderr).toBe(0);
    const release = readRelease(stdout);
    const { frequencies = [] } = release.answer;
    expect(Math.abs(frequencies[0].users - 400)).toBeLessThan(40);
    expect(Math.abs(frequencies[1].users - 90)).toBeLessThan(40);
    const svg = readFileSync(place.file("a.svg"), "utf8");
    expect(svg).toBe(toSvg(release));
    expect(stdout + stderr + svg).not.toMatch(/mail|news|secret/);
    expect(stderr).toContain("Before you release: noise alone adds about");
    expect(stderr).not.toContain("δ");
    const { stdout: table } = await place.winnow([...asked, "--statement"]);
    expect(table).toMatch(/users \(≤ 3 items each\) +items that have so many\n.*\n +\d+ +1\n/);
    expect(table).toContain("each user is counted for at most 3 items, and far more people may have an item");
    expect(release.answer.counted).toBe("users (each counted for at most 3 items)");
    expect(table).toContain("No item is named, and no list of items was needed");
    expect(await chargesIn(place)).toBe(1);
    expectRefused(await place.winnow([...FREQUENCIES, "--release-id", "a"]), {
      exit: 2,
      code: "release-id-taken",
    });
    await place.winnow(["budget", "init", "visits.csv", "--epsilon", "3"]);
    expectRefused(await place.winnow(FREQUENCIES), { exit: 3, code: "over-budget" });
  });

  it("costs what a dry run says, and nothing is read for it", async () => {
    const { exit, stdout } = await folder().winnow([...FREQUENCIES, "--dry-run"]);
    expect(exit).toBe(0);
    expect(stdout).toMatch(/The release would cost ε = (1\.9\d*|2)\n/);
    expect(stdout).toMatch(/people +each person counts for at most 1 item\n/);
  });
});
