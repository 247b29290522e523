import { describe, expect, it } from "vitest";
import { chargesIn, expectRefused } from "../support/expect-refused.js";
import { winnowHere } from "../support/in-process.js";
import { AREAS, VISITS } from "../support/visits.js";
import { folder } from "../support/winnow.js";

const FILES = { "visits.csv": VISITS, "areas.txt": AREAS };
const ASKED = [
  "top",
  "visits.csv",
  "-k",
  "3",
  "--epsilon",
  "1/10",
  "--domain",
  "areas.txt",
  "--release-id",
  "june",
];

describe("a release id", () => {
  it("prints the same answer again and charges nothing, in every form, even without the rows", async () => {
    const place = folder(FILES);
    const columns = ["--item", "area", "--user", "user"];
    const first = await winnowHere(place, [...ASKED, ...columns, "--json"]);
    const again = await winnowHere(place, [...ASKED, ...columns, "--json"]);
    expect(again.stdout).toBe(first.stdout);
    expect(again.stderr).toContain(
      "Release june exists already: this is its stored answer, and nothing was charged.",
    );
    // The price may be written otherwise, and the rows be gone.
    const gone = ASKED.with(1, "gone.csv").with(5, "0.1");
    const later = await winnowHere(place, [...gone, ...columns, "--dataset", "visits.csv", "--csv"]);
    expect(later.exit, later.stderr).toBe(0);
    const { winners } = JSON.parse(first.stdout).answer;
    expect(
      later.stdout
        .split("\r\n")
        .slice(1, -1)
        .map((line) => line.split(",").slice(1, 3)),
    ).toEqual(winners.map(({ item, gap }: { item: string; gap: string }) => [item, gap]));
    expect(await chargesIn(place)).toBe(1);
  });

  it.each([
    ["another k", ASKED.with(3, "2")],
    ["another price", ASKED.with(5, "1/5")],
    ["another data set", [...ASKED, "--dataset", "others"]],
    ["another unit", [...ASKED, "--unit", "one household"]],
    ["another column", [...ASKED, "--item", "user", "--user", "area", "--unit", "one value of column user"]],
  ])("with %s is refused", async (_, args) => {
    const place = folder(FILES);
    await winnowHere(place, ASKED);
    expectRefused(await winnowHere(place, args), { exit: 2, code: "release-id-taken" });
    expect(await chargesIn(place)).toBe(1);
  });

  it("for rows that are read otherwise is refused", async () => {
    const place = folder(FILES);
    await winnowHere(place, [...ASKED, "--delimiter", ","]);
    expect((await winnowHere(place, ASKED)).exit).toBe(0);
    const others = [["--delimiter", ";"], ["--multiline"], ["--format", "tsv"], ["--query", "SELECT 1"]];
    for (const other of others)
      expectRefused(await winnowHere(place, [...ASKED, "--item", "area", "--user", "user", ...other]), {
        exit: 2,
        code: "release-id-taken",
      });
    expect(await chargesIn(place)).toBe(1);
  });

  it("for another list of candidates is refused", async () => {
    const place = folder({ ...FILES, "others.txt": `${AREAS}games\n` });
    await winnowHere(place, ASKED);
    const other = await winnowHere(place, ASKED.with(7, "others.txt"));
    expectRefused(other, { exit: 2, code: "release-id-taken" });
  });

  it("that two runs use at once stands for one answer and one charge", async () => {
    const place = folder(FILES);
    const [one, other] = await Promise.all([
      place.winnow([...ASKED, "--json"]),
      place.winnow([...ASKED, "--json"]),
    ]);
    expect([one.exit, other.exit]).toEqual([0, 0]);
    expect(one.stdout).toBe(other.stdout);
    expect(await chargesIn(place)).toBe(1);
  });
});
