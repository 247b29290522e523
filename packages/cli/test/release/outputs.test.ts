import { readFileSync, symlinkSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { chargesIn, expectRefused } from "../support/expect-refused.js";
import { winnowHere } from "../support/in-process.js";
import { AREAS, VISITS } from "../support/visits.js";
import { folder } from "../support/winnow.js";

const FILES = { "visits.csv": VISITS, "areas.txt": AREAS };
const ASKED = ["top", "visits.csv", "-k", "2", "--epsilon", "1", "--domain", "areas.txt"];

describe("the files of a run are never its output:", () => {
  it.each([
    ["the ledger", "winnow.ledger"],
    ["the log of the ledger", "./winnow.ledger-wal"],
    ["the rows", "visits.csv"],
    ["the list of candidates", "sub/../areas.txt"],
    ["the rows by another name", "link.csv"],
  ])("%s", async (_, output) => {
    const place = folder(FILES);
    symlinkSync("visits.csv", place.file("link.csv"));
    for (const option of ["--output", "--plot", "--registry"]) {
      const ended = await winnowHere(place, [...ASKED, option, output, "--force"]);
      expectRefused(ended, { exit: 2, code: "usage", says: "cannot be its output" });
    }
    expect(readFileSync(place.file("visits.csv"), "utf8")).toBe(VISITS);
    expect(await chargesIn(place)).toBe(0);
  });

  it("nor is one file both outputs", async () => {
    const ended = await winnowHere(folder(FILES), [...ASKED, "--output", "a.svg", "--plot", "./a.svg"]);
    expectRefused(ended, { exit: 2, code: "usage", says: "must be different files" });
  });
});

describe("a record for the registry of deployments", () => {
  it("is written beside the release, with the fields to complete", async () => {
    const place = folder(FILES);
    const { exit, stderr, stdout } = await winnowHere(place, [...ASKED, "--registry", "deployment.yaml"]);
    expect(exit, stderr).toBe(0);
    expect(stdout).toContain("rank");
    expect(stderr).toContain('Complete the fields of deployment.yaml that say "FILL IN"');
    expect(readFileSync(place.file("deployment.yaml"), "utf8")).toContain("      epsilon: 1.0\n");
  });
});

describe("a reader that has seen enough", () => {
  it.each(["| head -n 1", "2>&1 | head -n 1", "2> >(head -c 1 > /dev/null)"])(
    "is no failure: %s",
    async (after) => {
      const place = folder(FILES);
      const { exit, stderr } = await place.shell([...ASKED, "--statement"], {
        before: "set -o pipefail;",
        after,
      });
      expect(exit, stderr).toBe(0);
      expect(await chargesIn(place)).toBe(1);
    },
  );
});
