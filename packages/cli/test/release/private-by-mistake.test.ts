/** Mistakes that would publish private rows, or charge for nothing: each is refused before anything is charged. */
import { copyFileSync, linkSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { chargesIn, expectRefused } from "../support/expect-refused.js";
import { AREAS, FAR_APART, VISITS } from "../support/visits.js";
import { folder } from "../support/winnow.js";

const FILES = { "visits.csv": VISITS, "areas.txt": AREAS };
const top = (source: string, ...more: string[]) => ["top", source, "-k", "2", "--epsilon", "1", ...more];

describe("a private file as a public one", () => {
  it.each([
    ["the source itself", "visits.csv", "is the source itself"],
    ["the source through a symbolic link", "link.txt", "is the source itself"],
    ["the source through a hard link", "hard.txt", "is the source itself"],
    ["a copy of the source", "copy.txt", "is a copy of the source"],
    ["the ledger", "winnow.ledger", "is the ledger itself"],
    ["the configuration", "winnow.json", "is the configuration itself"],
  ])("is refused, and nothing is charged: %s", async (_, path, says) => {
    const place = folder({ ...FILES, "winnow.json": '{ "k": 2 }' });
    expect((await place.winnow(["budget", "init", "other", "--epsilon", "1"])).exit).toBe(0);
    symlinkSync("visits.csv", place.file("link.txt"));
    linkSync(place.file("visits.csv"), place.file("hard.txt"));
    copyFileSync(place.file("visits.csv"), place.file("copy.txt"));
    for (const option of [
      ["--domain", path],
      ["--domain", "areas.txt", "--public", path],
    ]) {
      const ended = await place.winnow(top("visits.csv", ...option));
      expectRefused(ended, { exit: 2, code: "not-public", says });
      const dry = await place.winnow(top("visits.csv", ...option, "--dry-run"));
      expectRefused(dry, { exit: 2, code: "not-public", says });
    }
    expect(await chargesIn(place)).toBe(0);
  });

  it("is found among the files of a pattern", async () => {
    const place = folder(FILES);
    mkdirSync(place.file("logs"));
    for (const day of ["a1", "b2"]) writeFileSync(place.file(`logs/${day}.csv`), `${VISITS}${day},mail\n`);
    const ended = await place.winnow(top("logs/[a-z]?.csv", "--domain", "logs/b2.csv", "--dry-run"));
    expectRefused(ended, { exit: 2, code: "not-public", says: "is the source itself" });
  });
});

describe("a list of candidates", () => {
  it("that is a CSV file needs its column", async () => {
    const place = folder({ ...FILES, "areas.csv": "id,name\n1,mail\n2,news\n3,maps\n" });
    const ended = await place.winnow(top("visits.csv", "--domain", "areas.csv"));
    const says =
      '--domain-column must name the column of "areas.csv" that has the candidates; it has "id", "name".';
    expectRefused(ended, { exit: 2, code: "usage", says });
    expect(await chargesIn(place)).toBe(0);
    const named = await place.winnow(top("visits.csv", "--domain", "areas.csv", "--domain-column", "name"));
    expect(named.exit, named.stderr).toBe(0);
  });

  it.each(["areas.ndjson", "areas.parquet", "areas.txt.gz"])("is not of another format: %s", async (name) => {
    const place = folder({ ...FILES, [name]: AREAS });
    expectRefused(await place.winnow(top("visits.csv", "--domain", name)), { exit: 2, code: "usage" });
  });

  it.each([
    ["a list", ["--domain", "others.txt"], "0 of 4 items in the rows are in the list of 3 candidates."],
    ["numbers", ["--domain-size", "9"], "0 of 4 items in the rows are in the list of 9 candidates."],
  ])(
    "that matches nothing is shown to the curator and charged with --yes only: %s",
    async (_, domain, match) => {
      const place = folder({ ...FILES, "others.txt": "Mail\nNews\nMaps\n" });
      const asked = await place.winnow(top("visits.csv", ...domain));
      expectRefused(asked, { exit: 2, code: "unconfirmed" });
      expect(asked.stderr).toContain(`not for release: ${match}`);
      expect(await chargesIn(place)).toBe(0);
      const confirmed = await place.winnow(top("visits.csv", ...domain, "--yes"));
      expect(confirmed.exit, confirmed.stderr).toBe(0);
      expect(confirmed.stderr).toContain(`not for release: ${match}`);
      expect(await chargesIn(place)).toBe(1);
    },
  );

  it("that has one in a hundred of the items, and of which one in a hundred has users, needs no confirmation", async () => {
    const rows = [...Object.keys(FAR_APART), ...Array.from({ length: 396 }, (_, i) => `x${i}`)];
    const visits = `user,area\n${rows.map((area, i) => `p${i},${area}`).join("\n")}\n`;
    const list = [...Object.keys(FAR_APART), ...Array.from({ length: 396 }, (_, i) => `y${i}`)];
    const place = folder({ "visits.csv": visits, "areas.txt": list.join("\n") });
    expect((await place.winnow(top("visits.csv", "--domain", "areas.txt"))).exit).toBe(0);
    const longer = `${list.join("\n")}\ny\n`;
    const more = folder({ "visits.csv": `${visits}p,z\n`, "areas.txt": longer });
    expectRefused(await more.winnow(top("visits.csv", "--domain", "areas.txt")), {
      exit: 2,
      code: "unconfirmed",
    });
  });
});
