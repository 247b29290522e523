/** Another working folder or a mistyped name must not start a second ledger for rows that were charged before. */
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { chargesIn, expectRefused } from "../support/expect-refused.js";
import { winnowHere } from "../support/in-process.js";
import { AREAS, VISITS } from "../support/visits.js";
import { Folder, folder } from "../support/winnow.js";

const FILES = { "visits.csv": VISITS, "areas.txt": AREAS };
const top = (source: string, list: string, ...more: string[]) => [
  ...["top", source, "-k", "2", "--epsilon", "1", "--domain", list],
  ...more,
];

/** A folder whose ledger has a budget for one release, which is spent, and a folder in it. */
async function exhausted(): Promise<{ readonly place: Folder; readonly below: Folder }> {
  const place = folder(FILES);
  expect((await winnowHere(place, ["budget", "init", "visits.csv", "--epsilon", "1"])).exit).toBe(0);
  expect((await winnowHere(place, top("visits.csv", "areas.txt"))).exit).toBe(0);
  mkdirSync(place.file("below"));
  return { place, below: new Folder(place.file("below")) };
}

describe("without --ledger", () => {
  it("a new ledger is announced by its path, and an old one isn't", async () => {
    const place = folder(FILES);
    const says = 'A new ledger was created at "winnow.ledger".';
    expect((await winnowHere(place, top("visits.csv", "areas.txt"))).stderr).toContain(says);
    expect((await winnowHere(place, top("visits.csv", "areas.txt"))).stderr).not.toContain(says);
    const other = folder();
    expect((await winnowHere(other, ["budget", "init", "x", "--epsilon", "1"])).stderr).toContain(says);
  });

  it("the ledger beside the rows is charged from any other folder, by their name and by their content", async () => {
    const { place, below } = await exhausted();
    const again = await winnowHere(below, top("../visits.csv", "../areas.txt"));
    expectRefused(again, { exit: 3, code: "over-budget" });
    expect(again.stderr).toContain('charged to the ledger "../winnow.ledger"');
    expectRefused(await winnowHere(below, top("../visits.csv", "../areas.txt", "--dry-run")), {
      exit: 3,
      code: "over-budget",
    });
    const renamed = await winnowHere(below, top("../visits.csv", "../areas.txt", "--dataset", "others"));
    expectRefused(renamed, { exit: 2, code: "which-dataset" });
    expect(existsSync(below.file("winnow.ledger"))).toBe(false);
    expect(await chargesIn(place)).toBe(1);
  });

  it("a ledger above the folder of the rows is found too, and only if it knows them", async () => {
    const { place, below } = await exhausted();
    copyFileSync(place.file("visits.csv"), below.file("visits.csv"));
    writeFileSync(below.file("others.csv"), "user,area\nu1,mail\nu2,news\n");
    const elsewhere = folder({ "areas.txt": AREAS });
    const ask = (name: string) => winnowHere(elsewhere, top(below.file(name), "areas.txt"));
    expectRefused(await ask("visits.csv"), { exit: 3, code: "over-budget" });
    expect((await ask("others.csv")).exit).toBe(0);
    expect(existsSync(elsewhere.file("winnow.ledger"))).toBe(true);
    expectRefused(await ask("visits.csv"), {
      exit: 2,
      code: "which-ledger",
      says: "would be charged instead",
    });
  });

  it("a ledger beside the rows that can't be read may know them, so the curator says which", async () => {
    const { place, below } = await exhausted();
    writeFileSync(place.file("winnow.ledger"), "not a ledger any more");
    const ended = await winnowHere(below, top("../visits.csv", "../areas.txt"));
    expect(ended.exit).not.toBe(0);
    expect(existsSync(below.file("winnow.ledger"))).toBe(false);
  });
});

describe("a ledger that --ledger names and that isn't there", () => {
  it("is refused if another one lies beside it, and created otherwise", async () => {
    const { place, below } = await exhausted();
    const typo = await winnowHere(place, top("visits.csv", "areas.txt", "--ledger", "winnow.leger"));
    const says = 'There is no ledger at "winnow.leger", but there is "winnow.ledger" beside it.';
    expectRefused(typo, { exit: 4, code: "missing-ledger", says });
    const named = ["--ledger", "team.ledger"];
    const knows = await winnowHere(below, top("../visits.csv", "../areas.txt", ...named));
    expectRefused(knows, { exit: 2, code: "which-ledger" });
    writeFileSync(below.file("others.csv"), "user,area\nu1,mail\nu2,news\n");
    const created = await winnowHere(below, top("others.csv", "../areas.txt", ...named));
    expect(created.exit, created.stderr).toBe(0);
    expect(created.stderr).toContain('A new ledger was created at "team.ledger".');
    expect(await chargesIn(place)).toBe(1);
  });

  it("can be created on purpose", async () => {
    const { place } = await exhausted();
    const named = ["--ledger", join("below", "..", "second.ledger")];
    const made = await winnowHere(place, ["budget", "init", "v2", "--epsilon", "1", ...named]);
    expect(made.exit, made.stderr).toBe(0);
    const charged = await winnowHere(
      place,
      top("visits.csv", "areas.txt", ...named, "--dataset", "v2", "--yes"),
    );
    expect(charged.exit, charged.stderr).toBe(0);
  });

  it("isn't healthy for `winnow doctor`", async () => {
    const place = folder();
    const { stdout } = await winnowHere(place, ["doctor", "--ledger", "winnow.leger"]);
    expect(stdout).toContain('there is none at "winnow.leger"');
  });
});
