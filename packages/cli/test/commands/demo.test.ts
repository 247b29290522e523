import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { folder } from "../support/winnow.js";

describe("winnow demo", () => {
  it("runs real commands, and leaves no files", async () => {
    const place = folder();
    const { exit, stdout, stderr } = await place.winnow(["demo"], { env: { TMPDIR: place.path } });
    expect(exit, stderr).toBe(0);
    const story = [
      "budget init",
      "plan -k 5",
      "top visits.csv",
      "--release-id june --csv",
      "--epsilon 3/4",
      "budget verify",
    ];
    for (const command of story)
      expect(stdout).toMatch(new RegExp(`\\$ winnow ${command.startsWith("-") ? ".*" : ""}${command}`));
    expect(stdout).toMatch(/1 +search /);
    expect(stderr).toContain("[over-budget]");
    expect(stdout).toContain("The ledger is intact: 2 entries");
    expect(readdirSync(place.path)).toEqual([]);
  });

  it("keeps the files of the guides where it is told, with an unused ledger", async () => {
    const place = folder();
    const { exit, stdout, stderr } = await place.winnow(["demo", "--fast", "--keep", "tour"]);
    expect(exit, stderr).toBe(0);
    expect(stdout).toContain("The files are in tour");
    expect(readdirSync(join(place.path, "tour")).toSorted()).toEqual([
      "areas.txt",
      "demo.ledger",
      "orders.csv",
      "scores.txt",
      "synthetic.csv",
      "visits.csv",
      "votes.csv",
    ]);
    const verified = await place.winnow(["budget", "verify", "--ledger", "tour/demo.ledger"]);
    expect(verified.stdout).toContain("The ledger is intact: 2 entries");
  });

  it("never writes into a folder that is there already", async () => {
    const place = folder();
    mkdirSync(join(place.path, "mine"));
    const { exit, stderr } = await place.winnow(["demo", "--keep", "mine"]);
    expect(exit).toBe(2);
    expect(stderr).toContain('--keep must be a folder that doesn\'t exist yet; got "mine".');
    expect(readdirSync(join(place.path, "mine"))).toEqual([]);
  });
});
