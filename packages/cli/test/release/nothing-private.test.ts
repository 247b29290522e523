/** A canary in private rows: unless it is a winner of the release, nobody hears of it. */
import { describe, expect, it } from "vitest";
import { winnowHere } from "../support/in-process.js";
import { AREAS, VISITS } from "../support/visits.js";
import { folder } from "../support/winnow.js";

const CANARY = "canary7f3a";
/** As an item outside the list, as a user, in an open quote, in a field too many, beside bytes that are no text, alone. */
const PRIVATE = [
  `x,${CANARY}\n`,
  `${CANARY},mail\n`,
  `x,"${CANARY}\n`,
  `x,mail,${CANARY}\n`,
  Buffer.concat([Buffer.from(`x,${CANARY}`), Buffer.from([0xff, 0x0a])]),
  `${CANARY}\n`,
].map((line) => Buffer.from(line));
const ASKED = ["top", "rows.csv", "-k", "3", "--epsilon", "2"];

describe("what stands in private rows", () => {
  it.each([
    ["a public list", ["--domain", "areas.txt", "--statement"]],
    ["an unknown domain", ["--delta", "1e-6", "--json"]],
  ])("is nowhere in what a run over %s says", async (_, domain) => {
    const rows = Buffer.concat([Buffer.from(VISITS), ...PRIVATE]);
    const place = folder({ "rows.csv": rows, "areas.txt": AREAS });
    const { exit, stdout, stderr } = await winnowHere(place, [...ASKED, ...domain]);
    expect(exit, stderr).toBe(0);
    expect(stderr).toContain("not for release: 4 lines couldn't be parsed");
    expect(stdout + stderr).not.toContain(CANARY);
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
    const { stdout, stderr } = await winnowHere(place, [...ASKED, ...options]);
    expect(stdout + stderr).not.toContain(CANARY);
  });
});
