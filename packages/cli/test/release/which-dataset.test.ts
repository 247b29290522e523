/** A new account beside one that is meant: the curator says which. */
import { copyFileSync, renameSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { isNearName } from "../../../release/src/words/near-names.js";
import { chargesIn, expectRefused } from "../support/expect-refused.js";
import { winnowHere } from "../support/in-process.js";
import { AREAS, VISITS } from "../support/visits.js";
import { folder } from "../support/winnow.js";

const FILES = { "visits.csv": VISITS, "areas.txt": AREAS };
const top = (source: string, ...more: string[]) => [
  ...["top", source, "-k", "2", "--epsilon", "1", "--domain", "areas.txt"],
  ...more,
];

describe("a new account", () => {
  it("beside a budget of nearly the same name is refused until the curator says which", async () => {
    const place = folder(FILES);
    const init = await winnowHere(place, ["budget", "init", "visits", "--epsilon", "2"]);
    expect(init.exit, init.stderr).toBe(0);
    const says = 'The ledger has a budget for "visits", and "visits.csv" would be a new account beside it.';
    for (const more of [[], ["--dry-run"]])
      expectRefused(await winnowHere(place, top("visits.csv", ...more)), {
        exit: 2,
        code: "which-dataset",
        says,
      });
    const typo = await winnowHere(place, top("visits.csv", "--dataset", "vsits"));
    expectRefused(typo, { exit: 2, code: "which-dataset" });
    expect(await chargesIn(place)).toBe(0);
    expect((await winnowHere(place, top("visits.csv", "--dataset", "visits"))).exit).toBe(0);
    expect((await winnowHere(place, top("visits.csv", "--new-dataset"))).exit).toBe(0);
    expect((await winnowHere(place, top("visits.csv"))).exit).toBe(0); // it is no longer new
  });

  it("for rows that were charged before is refused, renamed or copied, until the curator says which", async () => {
    const place = folder(FILES);
    expect((await winnowHere(place, top("visits.csv", "--dataset", "june"))).exit).toBe(0);
    copyFileSync(place.file("visits.csv"), place.file("copy.csv"));
    renameSync(place.file("visits.csv"), place.file("renamed.csv"));
    for (const name of ["copy.csv", "renamed.csv"]) {
      const says = `These rows were charged to "june" before, and "${name}" would be a new account beside it.`;
      expectRefused(await winnowHere(place, top(name)), { exit: 2, code: "which-dataset", says });
    }
    expect(await chargesIn(place)).toBe(1);
    expect((await winnowHere(place, top("copy.csv", "--dataset", "june"))).exit).toBe(0);
    expect((await winnowHere(place, top("renamed.csv", "--new-dataset"))).exit).toBe(0);
    expect(await chargesIn(place)).toBe(3);
  });

  it("beside any budget needs one of its own, or the curator's word that its people are others", async () => {
    const place = folder({ ...FILES, "logins.csv": `${VISITS}\n` });
    expect((await winnowHere(place, ["budget", "init", "visits.csv", "--epsilon", "1"])).exit).toBe(0);
    expect((await winnowHere(place, top("visits.csv"))).exit).toBe(0);
    expectRefused(await winnowHere(place, top("visits.csv")), { exit: 3, code: "over-budget" });
    const says = 'The ledger limits "visits.csv", and "logins.csv" would be a new account without a budget.';
    for (const more of [[], ["--dry-run"], ["--reserve"]])
      expectRefused(await winnowHere(place, top("logins.csv", ...more)), {
        exit: 2,
        code: "no-budget",
        says,
      });
    const named = top("visits.csv", "--dataset", "others", "--dry-run");
    expectRefused(await winnowHere(place, named), { exit: 2, code: "no-budget" });
    expect(await chargesIn(place)).toBe(1);
    expect((await winnowHere(place, top("logins.csv", "--new-dataset"))).exit).toBe(0);
    await winnowHere(place, ["budget", "init", "others", "--epsilon", "1"]);
    expect((await winnowHere(place, named)).exit).toBe(0);
  });

  it("for other rows, and beside an account without a budget, needs no word", async () => {
    const place = folder({ ...FILES, "visits.tsv": VISITS.replaceAll(",", "\t") });
    for (const name of ["visits.csv", "visits.tsv"])
      expect((await winnowHere(place, top(name))).exit).toBe(0);
    const late = await winnowHere(place, ["budget", "init", "visits", "--epsilon", "2"]);
    expect(late.stderr).toContain(
      'The ledger also has "visits.csv", "visits.tsv": this budget is for "visits" only.',
    );
  });
});

describe("nearly the same name", () => {
  it.each([
    ["visits", "visits.csv"],
    ["Visits", "visits.csv.gz"],
    ["web-visits", "web_visits.parquet"],
    ["visits", "vsits"],
    ["customers", "customer"],
  ])("%s and %s", (one, other) => expect(isNearName(one, other)).toBe(true));

  it.each([
    ["visits", "visits"],
    ["visits", "clicks"],
    ["visits-2023", "visits-2024.csv"],
    ["a", "b"],
    ["cats", "bats"],
  ])("but not %s and %s", (one, other) => expect(isNearName(one, other)).toBe(false));
});
