/** Which rows count: a condition that is part of the question, recorded and stated. */
import { describe, expect, it } from "vitest";
import { chargesIn, expectRefused } from "../support/expect-refused.js";
import { winnowHere } from "../support/in-process.js";
import { folder } from "../support/winnow.js";

const rows = Array.from({ length: 600 }, (_, i) => {
  const [country, area] = i % 3 === 0 ? ["DE", "mail"] : ["FR", i % 2 === 0 ? "news" : "chess"];
  return `u${i},${area},${country},2026-${i % 3 === 0 ? "10" : "09"}-0${1 + (i % 9)}`;
});
const FILES = {
  "visits.csv": `user,area,country,day\n${rows.join("\n")}\nu999,news,DE,soon\n`,
  "areas.txt": "mail\nnews\nchess\n",
};
const top = (...more: string[]) => [
  ...["top", "visits.csv", "-k", "1", "--epsilon", "5", "--domain", "areas.txt", "--item", "area"],
  ...["--user", "user", ...more],
];

describe("--where", () => {
  it("counts the rows that fit, and the release and its statement say which", async () => {
    const place = folder(FILES);
    const where = ["--where", "country = 'DE' and day >= '2026-10-01'", "--types", "day:date"];
    const made = await winnowHere(place, top(...where, "--json"));
    expect(made.exit, made.stderr).toBe(0);
    const release = JSON.parse(made.stdout);
    expect(release.answer.winners[0].item).toBe("mail");
    expect(release.question.where).toBe("country = 'DE' and date(day) >= '2026-10-01'");
    const said = await winnowHere(place, top("--where", "country = 'FR'", "--statement"));
    expect(said.stdout).toContain("Rows that count: country = 'FR'");
    expect(said.stdout).toContain("Only rows count for which country = 'FR'.");
  });

  it("gives the stored answer only for the same condition, however it was written", async () => {
    const place = folder(FILES);
    const id = ["--release-id", "october", "--json"];
    const first = await winnowHere(place, top("--where", "date(day) >= '2026-10-01'", ...id));
    const again = await winnowHere(
      place,
      top("--where", "day >= '2026-09-30' + 1 -- October", "--types", "day:date", ...id),
    );
    expect(again.stdout).toBe(first.stdout);
    const other = await winnowHere(place, top("--where", "date(day) > '2026-10-01'", ...id));
    expectRefused(other, { exit: 2, code: "release-id-taken", says: "other parameters" });
    expect(await chargesIn(place)).toBe(1);
  });

  it.each([
    [["--where", "country = DE"], "usage", "where must be a condition on one row"],
    [["--types", "day:date"], "usage", "--types needs --where"],
    [["--where", "land = 'DE'"], "unknown-column", "The source has no column"],
  ])("is refused before a charge: %s", async (given, code, says) => {
    const place = folder(FILES);
    const ended = await winnowHere(place, top(...given));
    expectRefused(ended, { exit: 2, code, says });
    expect(await chargesIn(place)).toBe(0);
  });
});
