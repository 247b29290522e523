import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { folder } from "../support/winnow.js";

describe("winnow demo", () => {
  it("tells the story with real commands, and leaves nothing behind", async () => {
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
    expect(stdout).toContain("The ledger is whole: 2 entries");
    expect(readdirSync(place.path)).toEqual([]);
  });
});
