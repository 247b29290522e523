import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
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

  it("a file of a pattern", async () => {
    const place = folder(FILES);
    mkdirSync(place.file("logs"));
    writeFileSync(place.file("logs/a.csv"), VISITS);
    const words = [...ASKED.with(1, "logs/*.csv"), "--output", "logs/a.csv", "--force"];
    expectRefused(await winnowHere(place, words), { exit: 2, code: "usage", says: "cannot be its output" });
    expect(readFileSync(place.file("logs/a.csv"), "utf8")).toBe(VISITS);
  });

  it.each([
    [["budget", "export", "--output", "winnow.ledger", "--force"], "winnow.ledger", "is a ledger"],
    [
      ["plan", "-k", "2", "--scores", "scores.txt", "--epsilon", "1", "--plot", "scores.txt", "--force"],
      ...["scores.txt", "is an input"],
    ],
    [
      ["export", "csvw", "--item", "area", "--user", "user", "--domain", "areas.txt"].concat(
        ...["-o", "areas.txt", "--force"],
      ),
      ...["areas.txt", "is an input"],
    ],
  ] as [string[], string, string][])("of any command: %s", async (words, name, says) => {
    const place = folder({ ...FILES, "scores.txt": "5\n4\n3\n2\n1\n" });
    expect((await winnowHere(place, ASKED)).exit).toBe(0);
    const before = readFileSync(place.file(name));
    expectRefused(await winnowHere(place, words), { exit: 2, code: "usage", says });
    expect(readFileSync(place.file(name))).toEqual(before);
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

describe("what a reader of a release sees", () => {
  it("is how ε was chosen, as someone says, and labels in the chart too", async () => {
    const place = folder({
      "visits.csv": `user,item\n${Array.from({ length: 600 }, (_, i) => `u${i},area ${i % 3 === 0 ? 1 : 0}\n`).join("")}`,
      "areas.txt": "area 0\narea 1\n",
      "labels.csv": "item,label\narea 0,The front page\n",
    });
    const asked = ["top", "visits.csv", "-k", "1", "--epsilon", "1", "--domain", "areas.txt", "--counts"];
    const said = ["--epsilon-from", "before", "--plot", "areas.svg", "--labels", "labels.csv", "--statement"];
    const { exit, stdout, stderr } = await place.winnow([...asked, ...said]);
    expect(exit, stderr).toBe(0);
    expect(stdout).toContain("Its ε was fixed before anyone looked at the rows.");
    expect(stdout).toContain("How ε was chosen: before anyone looked at the rows");
    expect(readFileSync(place.file("areas.svg"), "utf8")).toContain(">The front page<");
  });
});
