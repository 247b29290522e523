/** Mistakes that would publish private rows, or charge for nothing: each is refused before anything is charged. */
import { copyFileSync, linkSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { DuckDBInstance } from "@duckdb/node-api";
import { describe, expect, it, onTestFinished } from "vitest";
import { COUNT_FAILED } from "winnow-release";
import { Rows } from "../../src/release/rows.js";
import { openSource } from "../../src/sources/open-source.js";
import { chargesIn, expectRefused } from "../support/expect-refused.js";
import { winnowHere } from "../support/in-process.js";
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
    expect((await winnowHere(place, ["budget", "init", "other", "--epsilon", "1"])).exit).toBe(0);
    symlinkSync("visits.csv", place.file("link.txt"));
    linkSync(place.file("visits.csv"), place.file("hard.txt"));
    copyFileSync(place.file("visits.csv"), place.file("copy.txt"));
    for (const option of [
      ["--domain", path],
      ["--domain", "areas.txt", "--public", path],
    ]) {
      const ended = await winnowHere(place, top("visits.csv", ...option));
      expectRefused(ended, { exit: 2, code: "not-public", says });
      const dry = await winnowHere(place, top("visits.csv", ...option, "--dry-run"));
      expectRefused(dry, { exit: 2, code: "not-public", says });
    }
    expect(await chargesIn(place)).toBe(0);
  });

  it("is found among the files of a pattern", async () => {
    const place = folder(FILES);
    mkdirSync(place.file("logs"));
    for (const day of ["a1", "b2"]) writeFileSync(place.file(`logs/${day}.csv`), `${VISITS}${day},mail\n`);
    const ended = await winnowHere(place, top("logs/[a-z]?.csv", "--domain", "logs/b2.csv", "--dry-run"));
    expectRefused(ended, { exit: 2, code: "not-public", says: "is the source itself" });
  });

  it.each([
    ["a hidden file that the engine reads", "logs/*.csv", ".hidden.csv"],
    ["a file in any folder", "logs/**", "deep/b2.csv"],
    ["a hidden file in any folder", "logs/**", ".hidden.csv"],
    ["a file of a negated class", "logs/[!a]*.csv", "b2.csv"],
    ["a file of a class with a caret, which negates nothing", "logs/[^b]2.csv", "b2.csv"],
    ["a file in a linked folder", "logs/linked/*.csv", "linked/b2.csv"],
  ])("is found by the engine's own patterns, as a copy and by its mark: %s", async (_, pattern, name) => {
    const place = folder(FILES);
    mkdirSync(place.file("logs/deep"), { recursive: true });
    mkdirSync(place.file("elsewhere"));
    symlinkSync("../elsewhere", place.file("logs/linked"));
    writeFileSync(place.file(`logs/${name}`), VISITS);
    copyFileSync(place.file("visits.csv"), place.file("copy.txt"));
    const charge = (dataset: string, list: string) =>
      winnowHere(place, top(pattern, "--format", "csv", "--dataset", dataset, "--domain", list));
    const copied = await charge("visits", "copy.txt");
    expectRefused(copied, { exit: 2, code: "not-public", says: "is a copy of the source" });
    expect((await charge("visits", "areas.txt")).exit).toBe(0);
    const again = await charge("other people", "areas.txt");
    expectRefused(again, { exit: 2, code: "which-dataset", says: "These rows were charged to" });
  });

  it("is known by its mark once it was charged: for a plan, and for a release about other rows", async () => {
    const place = folder({
      ...FILES,
      "other.csv": `${VISITS}p,mail\n`,
      "synthetic.csv": `${VISITS}q,news\n`,
    });
    const listed = ["--domain", "areas.txt"];
    expect((await winnowHere(place, top("visits.csv", ...listed))).exit).toBe(0);
    copyFileSync(place.file("visits.csv"), place.file("copy.csv"));
    mkdirSync(place.file("sub"));
    copyFileSync(place.file("visits.csv"), place.file("sub/deep.csv"));
    const plan = (file: string) => ["plan", "-k", "2", "--runs", "2", "--epsilon", "1", "--public", file];
    const says = 'has rows that were charged to "visits.csv"';
    for (const file of ["visits.csv", "copy.csv", "sub/deep.csv"])
      expectRefused(await winnowHere(place, plan(file)), { exit: 2, code: "not-public", says });
    for (const more of [[], ["--dry-run"]])
      expectRefused(await winnowHere(place, top("other.csv", ...listed, "--public", "copy.csv", ...more)), {
        exit: 2,
        code: "not-public",
        says,
      });
    expectRefused(await winnowHere(place, plan("winnow.ledger")), { exit: 2, code: "not-public" });
    expect((await winnowHere(place, plan("synthetic.csv"))).exit).toBe(0);
    expect(await chargesIn(place)).toBe(1);
  });

  it("is compared with the files that are read, also if another appears meanwhile", async () => {
    const place = folder(FILES);
    mkdirSync(place.file("logs"));
    writeFileSync(place.file("logs/a.csv"), "user,item\nu1,mail\n");
    const rows = new Rows(place.file("logs/*.csv"), {});
    expect(await rows.files()).toEqual([place.file("logs/a.csv")]);
    writeFileSync(place.file("logs/b.csv"), VISITS);
    const source = await rows.open();
    onTestFinished(() => source.close());
    const counted: Record<string, number> = {};
    const request = { item: "item", user: "user", candidates: { kind: "largest", rows: 100 } } as const;
    for await (const { items, users } of source.histogram(request))
      for (const [i, item] of items.entries()) counted[item] = users[i]!;
    expect(counted).toEqual({ mail: 1 });
  });
});

describe("a list of candidates", () => {
  it("that is a CSV file needs its column", async () => {
    const place = folder({ ...FILES, "areas.csv": "id,name\n1,mail\n2,news\n3,maps\n" });
    const ended = await winnowHere(place, top("visits.csv", "--domain", "areas.csv"));
    const says =
      '--domain-column must name the column of "areas.csv" that has the candidates; it has "id", "name".';
    expectRefused(ended, { exit: 2, code: "usage", says });
    expect(await chargesIn(place)).toBe(0);
    const named = await winnowHere(
      place,
      top("visits.csv", "--domain", "areas.csv", "--domain-column", "name"),
    );
    expect(named.exit, named.stderr).toBe(0);
  });

  it.each(["areas.ndjson", "areas.parquet", "areas.txt.gz"])("is not of another format: %s", async (name) => {
    const place = folder({ ...FILES, [name]: AREAS });
    expectRefused(await winnowHere(place, top("visits.csv", "--domain", name)), { exit: 2, code: "usage" });
  });

  it.each([
    ["a list", ["--domain", "others.txt"], "0 of 4 items in the rows are in the list of 3 candidates."],
    ["numbers", ["--domain-size", "9"], "0 of 4 items in the rows are in the list of 9 candidates."],
  ])(
    "that matches nothing is shown to the curator and charged with --yes only: %s",
    async (_, domain, match) => {
      const place = folder({ ...FILES, "others.txt": "Mail\nNews\nMaps\n" });
      const asked = await winnowHere(place, top("visits.csv", ...domain));
      expectRefused(asked, { exit: 2, code: "unconfirmed" });
      expect(asked.stderr).toContain(`not for release: ${match}`);
      expect(await chargesIn(place)).toBe(0);
      const confirmed = await winnowHere(place, top("visits.csv", ...domain, "--yes"));
      expect(confirmed.exit, confirmed.stderr).toBe(0);
      expect(confirmed.stderr).toContain(`not for release: ${match}`);
      expect(await chargesIn(place)).toBe(1);
    },
  );

  it("that has one in ten of the items, and of which one in ten has users, needs no confirmation", async () => {
    const rows = [...Object.keys(FAR_APART), ...Array.from({ length: 36 }, (_, i) => `x${i}`)];
    const visits = `user,area\n${rows.map((area, i) => `p${i},${area}`).join("\n")}\n`;
    const list = [...Object.keys(FAR_APART), ...Array.from({ length: 36 }, (_, i) => `y${i}`)];
    const place = folder({ "visits.csv": visits, "areas.txt": list.join("\n") });
    const tenth = await winnowHere(place, top("visits.csv", "--domain", "areas.txt"));
    expect(tenth.exit, tenth.stderr).toBe(0);
    const told = "not for release: 4 of 40 items in the rows are in the list of 40 candidates.";
    expect(tenth.stderr).toContain(told);
    const longer = `${list.join("\n")}\ny\n`;
    const more = folder({ "visits.csv": `${visits}p,z\n`, "areas.txt": longer });
    expectRefused(await winnowHere(more, top("visits.csv", "--domain", "areas.txt")), {
      exit: 2,
      code: "unconfirmed",
    });
  });
});

describe("a file without a header", () => {
  const ROWS = VISITS.split("\n").slice(1).join("\n");
  const CANARY = "canary7f3a";

  it.each([
    ["columns that are not there", ["--item", "area", "--user", CANARY.slice(0, -1)]],
    ["columns to be guessed", []],
  ])("has its first row in no refusal: %s", async (_, columns) => {
    const place = folder({ "visits.csv": `${CANARY},x${CANARY}\n${ROWS}`, "areas.txt": AREAS });
    const ended = await winnowHere(place, top("visits.csv", ...columns, "--domain", "areas.txt"));
    expectRefused(ended, {
      exit: 2,
      code: "unknown-column",
      says: "if the first line is a row, add --no-header",
    });
    expect(ended.stderr.replaceAll(`"${CANARY.slice(0, -1)}"`, "")).not.toContain(CANARY.slice(0, -1));
  });

  it("is read by the numbers of its columns, its first line too, and whatever stands behind them", async () => {
    const list = ["--domain", "areas.txt", "--no-header", "--item", "2", "--user", "1", "--json"];
    const place = folder({ "visits.csv": ROWS.replace("p1,mail\n", "p1,mail,more\n"), "areas.txt": AREAS });
    const { exit, stdout, stderr } = await winnowHere(place, top("visits.csv", ...list));
    expect(exit, stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      source: { item: "2", user: "1", dialect: { header: "none, columns by number", delimiter: "," } },
      answer: { winners: [{ item: "mail" }, { item: "news" }] },
    });
    const { histogram, skipped } = await histogramOf(place.file("visits.csv"), {
      header: false,
      item: "2",
      user: "1",
    });
    expect(histogram).toEqual(FAR_APART);
    expect(skipped).toBe(0);
  });

  it("has columns by number only, and is CSV or TSV", async () => {
    const place = folder({ "visits.csv": ROWS, "visits.ndjson": "", "areas.txt": AREAS });
    const list = ["--domain", "areas.txt", "--no-header"];
    const named = await winnowHere(place, top("visits.csv", ...list, "--item", "area", "--user", "1"));
    expectRefused(named, {
      exit: 2,
      code: "usage",
      says: "--item must be the number of a column, from 1 to 1000",
    });
    const lines = await winnowHere(place, top("visits.ndjson", ...list, "--item", "a", "--user", "b"));
    expectRefused(lines, {
      exit: 2,
      code: "usage",
      says: "With --no-header, the rows must be CSV or TSV; got ndjson.",
    });
  });
});

describe("a query that fails on some rows", () => {
  const failing = `SELECT "user", CASE WHEN "user" = 'bob' THEN CAST(area AS INTEGER)::VARCHAR ELSE area END AS area FROM visits`;
  const ask = async (name: string, ...options: string[]) => {
    const place = folder({ "areas.txt": AREAS });
    await makeDatabase(place.file("visits.duckdb"), name);
    const asked = top("visits.duckdb", "--query", failing, "--domain", "areas.txt", ...options);
    const ended = await winnowHere(place, asked);
    const told = ended.stderr.split("\n").filter((line) => !line.includes("not for release"));
    return { ...ended, place, told };
  };

  it("is answered without those rows, of which it tells the curator only", async () => {
    const [bob, eve] = [await ask("bob", "--json"), await ask("eve", "--json")];
    for (const { exit, stderr, told, stdout, place } of [bob, eve]) {
      expect(exit, stderr).toBe(0);
      expect(told.join("\n")).not.toMatch(/fail|skipped/);
      expect(JSON.parse(stdout).notes).toEqual([]);
      expect(await chargesIn(place)).toBe(1);
    }
    expect(bob.told).toEqual(eve.told);
  });

  it("is charged and refused if it is trusted, and the curator is told why", async () => {
    const { exit, stdout, stderr, told, place } = await ask("bob", "--trust-query", "--release-id", "one");
    expect([exit, stdout]).toEqual([4, ""]);
    expect(stderr).toContain("not for release: The engine couldn't read the source to its end.");
    expect(told.join("\n")).toContain(COUNT_FAILED);
    const log = await winnowHere(place, ["budget", "log", "--json"]);
    expect(log.stdout).toContain('"reservation"');
    const status = await winnowHere(place, ["budget", "show", "--json"]);
    expect(status.stdout).toMatch(/"totals": \[\s*\{\s*"measure": "pure",\s*"epsilon": "1"/);
  });

  it("is recorded as trusted in the release, the statement and the registry, and told at each run", async () => {
    const { exit, stdout, stderr, place } = await ask(
      "eve",
      "--json",
      "--trust-query",
      "--registry",
      "r.yaml",
    );
    expect(exit, stderr).toBe(0);
    const trusted = "The query was trusted to treat each person's rows on their own";
    expect(JSON.parse(stdout).notes).toEqual([expect.stringContaining(trusted)]);
    expect(stderr).toContain("--trust-query: Winnow doesn't check the query.");
    const registry = readFileSync(place.file("r.yaml"), "utf8");
    const preprocessing = /preprocessing_and_hyperparameter_tuning: (.*)/.exec(registry)?.[1];
    expect(preprocessing).toMatch(/^"The rows are those of the query: SELECT .*\. The query was trusted/);
    expect((await ask("eve", "--trust-query", "--statement")).stdout.replaceAll(/\s+/g, " ")).toContain(
      trusted,
    );
  });

  it("has --trust-query only with --query, and not from a file that happens to be there", async () => {
    const place = folder(FILES);
    const alone = await winnowHere(place, top("visits.csv", "--domain", "areas.txt", "--trust-query"));
    expectRefused(alone, { exit: 2, code: "usage", says: "--trust-query must go with --query." });
    writeFileSync(place.file("winnow.json"), '{ "trust-query": true }');
    const found = await winnowHere(place, top("visits.csv", "--domain", "areas.txt"));
    expectRefused(found, { exit: 2, code: "usage", says: '"trust-query" must be on the command line' });
  });
});

async function makeDatabase(path: string, name: string): Promise<void> {
  const instance = await DuckDBInstance.create(path);
  const connection = await instance.connect();
  await connection.run(
    `CREATE TABLE visits AS SELECT 'p' || i AS "user", 'mail' AS area FROM range(40) t(i)`,
  );
  await connection.run(`INSERT INTO visits VALUES ('${name}', 'mail')`);
  connection.closeSync();
  instance.closeSync();
}

async function histogramOf(
  path: string,
  { item, user, ...options }: { header: boolean; item: string; user: string },
) {
  const source = await openSource(path, options);
  const histogram: Record<string, number> = {};
  try {
    const candidates = { kind: "largest", rows: 100 } as const;
    for await (const { items, users } of source.histogram({ item, user, candidates }))
      for (const [i, name] of items.entries()) histogram[name] = users[i];
    return { histogram, skipped: source.skippedLines() };
  } finally {
    await source.close();
  }
}
