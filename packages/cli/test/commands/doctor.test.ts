import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { folder } from "../support/winnow.js";

describe("winnow doctor", () => {
  it("finds this machine fit, and leaves nothing behind", async () => {
    const place = folder();
    const { exit, stdout, stderr } = await place.winnow(["doctor"]);
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: "" });
    for (const name of ["winnow", "Node", "random bits", "engine", "ledger"])
      expect(stdout).toContain(`✓ ${name}`);
    expect(readdirSync(place.path)).toEqual([]);
  });

  it("finds a ledger that is none, and says so", async () => {
    const place = folder({
      "winnow.ledger": "this is no ledger of Winnow, and longer than the header of one",
    });
    const { exit, stdout, stderr } = await place.winnow(["doctor", "--json"]);
    expect(exit).toBe(4);
    const ledger = JSON.parse(stdout).findings.find(({ name }: { name: string }) => name === "ledger");
    expect(ledger).toMatchObject({ isNeeded: true, isWell: false });
    expect(stderr).toContain("Not ready to release: ledger.");
  });
});
