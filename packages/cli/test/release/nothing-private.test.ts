/** A canary in private rows: it may be a winner of the release, and appears nowhere else. */
import { describe, expect, it } from "vitest";
import { AREAS, VISITS } from "../support/visits.js";
import { folder } from "../support/winnow.js";

const CANARY = "canary7f3a";
const PRIVATE = [
  ["as an item outside the list", `x,${CANARY}\n`],
  ["as a user", `${CANARY},mail\n`],
  ["in an open quote", `x,"${CANARY}\n`],
  ["in a field too many", `x,mail,${CANARY}\n`],
  ["beside bytes that are no text", Buffer.concat([Buffer.from(`x,${CANARY}`), Buffer.from([0xff, 0x0a])])],
  ["in a line on its own", `${CANARY}\n`],
] as const;
const ASKED = ["top", "rows.csv", "-k", "3", "--epsilon", "2"];

describe("what stands in private rows", () => {
  it.each(PRIVATE)("%s is nowhere in what a run says", async (_, line) => {
    const place = folder({
      "rows.csv": Buffer.concat([Buffer.from(VISITS), Buffer.from(line)]),
      "areas.txt": AREAS,
    });
    for (const domain of [
      ["--domain", "areas.txt", "--statement"],
      ["--delta", "1e-6", "--json"],
    ]) {
      const { exit, stdout, stderr } = await place.winnow([...ASKED, ...domain]);
      expect(exit, stderr).toBe(0);
      expect(stdout + stderr).not.toContain(CANARY);
    }
  });

  it.each([
    ["a wrong column", ["--item", "aera", "--user", "user", "--domain", "areas.txt"]],
    ["a wrong format", ["--format", "parquet", "--domain", "areas.txt"]],
    ["too little time", ["--time-limit", "1ms", "--domain", "areas.txt"]],
    ["JSON that is none", ["--format", "ndjson", "--item", "a", "--user", "b", "--domain", "areas.txt"]],
  ])("is not in the refusal of %s", async (_, options) => {
    const place = folder({
      "rows.csv": `user,area\n${`${CANARY},${CANARY}\n`.repeat(50)}`,
      "areas.txt": AREAS,
    });
    const { stdout, stderr } = await place.winnow([...ASKED, ...options]);
    expect(stdout + stderr).not.toContain(CANARY);
  });
});
