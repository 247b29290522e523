/** `--by`: one answer for each group, on the command line, in every output, and as a second verifier prices it. */
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readRelease } from "winnow-release";
import { winnowHere } from "../support/in-process.js";
import { folder } from "../support/winnow.js";

const countries = ["IT", "DE", "FR"];
const rows = Array.from({ length: 3000 }, (_, i) => {
  const country = countries[i % 3];
  return `u${i},${country},2026-${10 + (i % 2)},${country}-${i % 9 < 6 ? 1 : 2},${i % 100}`;
});
const FILES = {
  "visits.csv": `user,country,month,page,amount\n${rows.join("\n")}\n`,
  "countries.txt": "IT\nXX\nDE\nFR\n",
  "pages.txt": "IT-1\nIT-2\nDE-1\nDE-2\nFR-1\nFR-2\n",
  "budgets.csv": "country,budget\nDE,3/4\n",
  "both.csv": "month,country\n2026-11,DE\n2026-10,IT\n",
};
const ASK = ["--item", "page", "--user", "user", "--yes"];
const BY = ["--by", "country", "--max-groups-per-user", "2"];
const top = (...more: string[]) => ["top", "visits.csv", ...ASK, ...BY, "-k", "1", "--epsilon", "1", ...more];
const LISTED = ["--groups", "countries.txt", "--domain", "pages.txt"];

describe("winnow top --by", () => {
  it("answers every listed group in the order of the list, also an empty one", async () => {
    const place = folder(FILES);
    const run = await winnowHere(place, top(...LISTED, "--json"));
    expect(run.exit, run.stderr).toBe(0);
    const { schema, question, answer, loss } = readRelease(run.stdout);
    expect([schema, loss.readable, question.groups?.maxGroupsPerUser]).toEqual([
      "winnow-release/3",
      "ε = 1",
      2,
    ]);
    expect(answer.groups?.map(({ name }) => name)).toEqual([["IT"], ["XX"], ["DE"], ["FR"]]);
    const winners = answer.groups?.map(({ answer: { winners } }) => winners[0].item);
    expect([winners?.[0], winners?.[2], winners?.[3]]).toEqual(["IT-1", "DE-1", "FR-1"]);
    expect(run.stderr).toContain("3 of the 4 groups have users in the rows");
  });

  it("shows the split before, also that of selected groups, and charges once", async () => {
    const place = folder(FILES);
    const listed = await winnowHere(place, top(...LISTED, "--group-budgets", "budgets.csv", "--dry-run"));
    expect(listed.stdout).toContain("(DE: 0.75, each other group: 0.25 (ε))");
    const selected = await winnowHere(place, top("--domain", "pages.txt", "--delta", "1e-6", "--csv"));
    expect(selected.exit, selected.stderr).toBe(0);
    expect(selected.stderr).toContain("ε = 0.25, δ = 0.000001 to select them, and ε = 0.375 for each group");
    expect(selected.stdout.split("\r\n").slice(0, 2).join()).toMatch(
      /^group,rank,item,gap_max_2_groups_per_user/,
    );
    const budget = await winnowHere(place, ["budget", "show", "--json"]);
    expect(JSON.stringify(JSON.parse(budget.stdout))).toContain('"releases":1');
  });

  it("takes two columns as one group, and draws small multiples", async () => {
    const place = folder(FILES);
    const by = ["--by", "month,country", "--max-groups-per-user", "1", "--groups", "both.csv"];
    const run = await winnowHere(place, [
      ...["top", "visits.csv", ...ASK, "-k", "1", "--epsilon", "1", "--domain", "pages.txt"],
      ...[...by, "--plot", "groups.svg", "--statement"],
    ]);
    expect(run.exit, run.stderr).toBe(0);
    expect(run.stdout).toContain("2026-11 · DE");
    expect(run.stdout).toContain("Groups: by month and country: a public list of 2 groups");
    expect(run.stdout).toContain("only the largest loss of a group counts, however many groups there are");
    const picture = readFileSync(place.file("groups.svg"), "utf8");
    expect(picture).toContain("2026-10 · IT");
  });

  it.each<[string, string[], string]>([
    ["a limit without groups", ["--max-groups-per-user", "2"], "--max-groups-per-user needs --by"],
    ["groups without a limit", ["--by", "country"], "--max-groups-per-user must say"],
    ["no list and no δ", BY, "--delta must be given"],
    ["three columns", ["--by", "a,b,c", "--max-groups-per-user", "1"], "--by must be a column, or two"],
    [
      "budgets without a list",
      [...BY, "--delta", "1e-6", "--group-budgets", "budgets.csv"],
      "needs a public list",
    ],
    [
      "the column of items",
      ["--by", "page", "--max-groups-per-user", "1", "--groups", "countries.txt"],
      "--by must be another column",
    ],
    [
      "a column that isn't there",
      ["--by", "land", "--max-groups-per-user", "1", "--groups", "countries.txt"],
      'no column "land" for --by',
    ],
    ["the rows as the list", [...BY, "--groups", "visits.csv"], "--groups must be a public file"],
  ])("refuses %s before anything is charged", async (_, more, sentence) => {
    const place = folder(FILES);
    const run = await winnowHere(place, [
      ...["top", "visits.csv", ...ASK, "-k", "1", "--epsilon", "1", "--domain", "pages.txt", ...more],
    ]);
    expect(run.exit).not.toBe(0);
    expect(run.stderr).toContain(sentence);
  });

  it("is priced by a second verifier, which finds a spoiled parameter and a missing group", async () => {
    const place = folder(FILES);
    await winnowHere(place, ["budget", "init", "visits.csv", "--epsilon", "20", "--delta", "1e-3"]);
    const unknown = ["--groups", "countries.txt", "--delta", "1e-6"];
    for (const more of [
      LISTED,
      [...unknown, "--group-budgets", "budgets.csv", "--counts"],
      ["--delta", "1e-6"],
    ]) {
      const run = await winnowHere(place, top(...more));
      expect(run.exit, run.stderr).toBe(0);
    }
    const values = [
      "--column",
      "amount",
      "--user",
      "user",
      "--yes",
      "-q",
      "0.5",
      "--range",
      "0..100",
      "--epsilon",
      "1",
    ];
    const other = [
      ["quantile", "visits.csv", ...values, ...BY, "--groups", "countries.txt"],
      ["frequencies", "visits.csv", ...ASK, ...BY, "--epsilon", "1", "--groups", "countries.txt"],
      ["names", "visits.csv", ...ASK, ...BY, "--epsilon", "1", ...unknown, "--max-items-per-user", "1"],
    ];
    for (const args of other) {
      const run = await winnowHere(place, args);
      expect(run.exit, run.stderr).toBe(0);
    }
    const script = new URL("../../verify.py", import.meta.url).pathname;
    const checked = spawnSync("python3", [script, place.file("winnow.ledger")], { encoding: "utf8" });
    expect(checked.stdout + checked.stderr).toContain("All is well");
    await winnowHere(place, ["budget", "export", "--output", "ledger.jsonl"]);
    writeFileSync(place.file("spoil.py"), SPOIL);
    const spoiled = spawnSync("python3", [place.file("spoil.py"), script, place.file("ledger.jsonl")], {
      encoding: "utf8",
    });
    expect(spoiled.stdout + spoiled.stderr).toBe("24 spoiled, 24 found\n");
  });
});

/** Each release with a scale, a threshold, a loss or a group that is wrong. */
const SPOIL = `
import copy, importlib.util, json, sys
spec = importlib.util.spec_from_file_location("verify", sys.argv[1])
verify = importlib.util.module_from_spec(spec); spec.loader.exec_module(verify)
releases = [verify.parse(line)["release"] for line in open(sys.argv[2]) if '"kind":"release"' in line]
spoiled = found = 0
def smaller(text): return str(verify.F(text) * verify.F(9, 10))
for release in releases:
    changes = []
    noise = [name for name in release["mechanism"]["parameters"] if name.split(".")[-1] in ("scale", "epsilonEach", "testVariance", "order", "variance")]
    def noisy(r):
        names = noise or ["base"]
        for name in names:
            given = r["mechanism"]["parameters"]
            given[name] = "(1/2^1)^9" if name == "base" else str(verify.F(given[name]) * (2 if name.endswith("epsilonEach") else verify.F(1, 2)))
    def less(r):
        main = "rho" if "rho" in r["loss"] else "epsilon"
        r["loss"][main] = smaller(r["loss"][main])
    def without(r): r["answer"]["groups"].pop()
    def label(r): r["answer"]["counted"] = "users"
    for change in (noisy, less, without, label):
        if change is without and release["question"]["groups"]["list"] == "selected": change = lambda r: r["answer"]["groups"].reverse()
        other = copy.deepcopy(release); change(other)
        other.pop("charge", None)
        spoiled += 1
        try: verify.check_groups(other, verify.Account())
        except Exception: found += 1
print(f"{spoiled} spoiled, {found} found")
`;
