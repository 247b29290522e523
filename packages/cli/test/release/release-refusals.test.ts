import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import Database from "libsql";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createLedger } from "../../src/ledger/ledger-file.js";
import { openLedger } from "../../src/ledger/open-ledger.js";
import { chargesIn, expectRefused } from "../support/expect-refused.js";
import { winnowHere } from "../support/in-process.js";
import { ORDINARY } from "../support/ordinary-account.js";
import { AREAS, VISITS } from "../support/visits.js";
import { type Ended, Folder, folder } from "../support/winnow.js";

const FILES = { "visits.csv": VISITS, "areas.txt": AREAS };
const PRICE = ["-k", "3", "--epsilon", "2", "--domain", "areas.txt"];
const top = (source: string, ...more: string[]) => [
  "top",
  source,
  "--item",
  "area",
  "--user",
  "user",
  ...PRICE,
  ...more,
];

interface Bad {
  readonly name: string;
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  readonly args: readonly string[];
  readonly expected: { exit: number; code: string; says?: string | RegExp };
}

const binary = Uint8Array.from({ length: 4096 }, (_, i) => (i * 151 + 7) % 256);

const BAD: readonly Bad[] = [
  {
    name: "a missing file",
    args: top("none.csv"),
    expected: { exit: 4, code: "missing-source", says: '"none.csv" doesn\'t exist' },
  },
  {
    name: "an empty file",
    files: { "visits.csv": "" },
    args: top("visits.csv"),
    expected: { exit: 2, code: "empty-source" },
  },
  {
    name: "a missing column",
    args: ["top", "visits.csv", "--item", "aera", "--user", "user", ...PRICE],
    expected: {
      exit: 2,
      code: "unknown-column",
      says: 'no column "aera" for --item; if the first line is a row',
    },
  },
  {
    name: "a header that does not tell the columns",
    files: { "visits.csv": "a,b,c\n1,2,3\n" },
    args: ["top", "visits.csv", ...PRICE],
    expected: {
      exit: 2,
      code: "unknown-column",
      says: "cannot be guessed from the header; if the first line is a row",
    },
  },
  {
    name: "a broken header",
    files: { "visits.csv": "user,user\na,mail\n" },
    args: top("visits.csv"),
    expected: { exit: 2, code: "broken-header" },
  },
  {
    name: "a header with an open quote",
    files: { "visits.csv": 'user,"area\na,mail\n' },
    args: top("visits.csv"),
    expected: { exit: 2, code: "broken-header" },
  },
  {
    name: "binary junk as CSV",
    files: { "visits.csv": binary },
    args: top("visits.csv"),
    expected: { exit: 2, code: "broken-header" },
  },
  {
    name: "binary junk as Parquet",
    files: { "visits.parquet": binary },
    args: top("visits.parquet"),
    expected: { exit: 4, code: "unreadable-source" },
  },
  {
    name: "binary junk as DuckDB",
    files: { "visits.duckdb": binary },
    args: top("visits.duckdb", "--table", "visits"),
    expected: { exit: 4, code: "unreadable-source" },
  },
  { name: "a directory", args: top("folder.csv"), expected: { exit: 4, code: "unreadable-source" } },
  {
    name: "more winners than candidates",
    args: ["top", "visits.csv", "-k", "9", "--epsilon", "1", "--domain", "areas.txt"],
    expected: { exit: 2, code: "k-too-large", says: /^-k must be .*1 to 4/ },
  },
  {
    name: "no price",
    args: ["top", "visits.csv", "-k", "3", "--domain", "areas.txt"],
    expected: { exit: 2, code: "usage", says: "exactly one of epsilon and rho" },
  },
  {
    name: "two prices",
    args: top("visits.csv", "--rho", "1"),
    expected: { exit: 2, code: "usage", says: "exactly one of epsilon and rho" },
  },
  {
    name: "a price that is none",
    args: ["top", "visits.csv", "-k", "3", "--epsilon=-1/2", "--domain", "areas.txt"],
    expected: { exit: 2, code: "usage", says: '--epsilon must be a rational > 0; got "-1/2"' },
  },
  {
    name: "neither a list nor a δ",
    args: ["top", "visits.csv", "-k", "3", "--epsilon", "1"],
    expected: { exit: 2, code: "usage", says: "--delta must be given" },
  },
  {
    name: "a δ that buys nothing",
    args: top("visits.csv", "--delta", "1e-6", "--mechanism", "top-k-with-gap"),
    expected: { exit: 2, code: "usage", says: "--delta" },
  },
  {
    name: "two domains",
    args: top("visits.csv", "--domain-size", "9"),
    expected: { exit: 2, code: "usage", says: "cannot be combined" },
  },
  {
    name: "no k",
    args: ["top", "visits.csv", "--epsilon", "1", "--domain", "areas.txt"],
    expected: { exit: 2, code: "usage", says: "-k must say how many winners you want" },
  },
  {
    name: "a list that is missing",
    args: ["top", "visits.csv", "-k", "1", "--epsilon", "1", "--domain", "none.txt"],
    expected: { exit: 4, code: "missing-source" },
  },
  {
    name: "an option that doesn't exist",
    args: top("visits.csv", "--epsilom", "1"),
    expected: { exit: 2, code: "usage", says: 'Did you mean "--epsilon"?' },
  },
  {
    name: "JSON and CSV at once",
    args: top("visits.csv", "--json", "--csv"),
    expected: { exit: 2, code: "usage" },
  },
  {
    name: "standard input without a name",
    args: top("-", "--format", "csv"),
    expected: { exit: 2, code: "usage", says: "--dataset" },
  },
  {
    name: "a scheme that is no source",
    args: top("ftp://example.org/visits.csv"),
    expected: { exit: 2, code: "usage" },
  },
  {
    name: "a file to be written that exists",
    files: { "old.svg": "before" },
    args: top("visits.csv", "--plot", "old.svg"),
    expected: { exit: 2, code: "file-exists" },
  },
  {
    name: "a release id that cannot be typed",
    args: top("visits.csv", "--release-id", " june"),
    expected: { exit: 2, code: "usage", says: "--release-id" },
  },
];

describe("winnow top refuses, in one sentence and for nothing,", () => {
  const locked = new Folder(mkdtempSync(join(tmpdir(), "winnow-test-")));
  let lockedOut: Promise<Ended>;
  let release: () => void;

  // It waits for a quarter of a minute, and the others need not wait with it.
  beforeAll(async () => {
    for (const [name, content] of Object.entries(FILES)) writeFileSync(locked.file(name), content);
    (await openLedger(locked.file("winnow.ledger"), { create: true })).close();
    const holder = new Database(locked.file("winnow.ledger"));
    holder.exec("BEGIN IMMEDIATE");
    lockedOut = locked.winnow(top("visits.csv"));
    release = () => {
      holder.exec("ROLLBACK");
      holder.close();
    };
  });
  afterAll(() => rmSync(locked.path, { recursive: true }));

  it.each(BAD)("$name", async ({ files, args, expected, ...bad }) => {
    const isFirst = BAD.find(({ expected: { code } }) => code === expected.code)?.name === bad.name;
    const place = folder({ ...FILES, ...files });
    mkdirSync(place.file("folder.csv"));
    expectRefused(await (isFirst ? place.winnow(args) : winnowHere(place, args)), expected);
    expect(await chargesIn(place)).toBe(0);
  });

  it("a file that it may not read", async () => {
    const place = folder(FILES);
    chmodSync(place.file("visits.csv"), 0o000);
    const ended = await place.shell(top("visits.csv"), { before: ORDINARY.join(" ") });
    expectRefused(ended, { exit: 4, code: "no-permission" });
  });

  it("a ledger in a folder that may not be written, with a new ledger and with an old one", async () => {
    const place = folder(FILES);
    for (const prepare of [() => {}, () => createLedger(place.file("winnow.ledger"))]) {
      prepare();
      chmodSync(place.path, 0o555);
      const ended = await place.shell(top("visits.csv"), { before: ORDINARY.join(" ") });
      chmodSync(place.path, 0o755);
      expectRefused(ended, { exit: 4, code: "no-permission", says: /ledger/ });
    }
  });

  it("a release over the budget, and says what is left and what would fit", async () => {
    const place = folder(FILES);
    await place.winnow(["budget", "init", "visits.csv", "--epsilon", "3/2"]);
    const says =
      /costs epsilon = 2, but the remaining budget of "visits\.csv" is epsilon = 1\.5 of .*at most epsilon = 1\.5 would fit/;
    expectRefused(await place.winnow(top("visits.csv")), { exit: 3, code: "over-budget", says });
    expect(await chargesIn(place)).toBe(0);
  });

  it("a ledger that is none", async () => {
    const place = folder({
      ...FILES,
      "winnow.ledger": "no ledger at all, but long enough to look like a file",
    });
    expectRefused(await place.winnow(top("visits.csv")), { exit: 4, code: "ledger-broken" });
  });

  // Nothing can be written where files may have no size.
  it("a full disk", async () => {
    const place = folder(FILES);
    expectRefused(await place.shell(top("visits.csv"), { before: "ulimit -f 0;" }), {
      exit: 4,
      code: "disk-full",
    });
    expect(await chargesIn(place)).toBe(0);
  });

  it("a ledger that another run holds for too long", async () => {
    const ended = await lockedOut;
    release();
    expectRefused(ended, { exit: 4, code: "ledger-locked" });
    expect(await chargesIn(locked)).toBe(0);
  });
});

describe("a release that is charged and cannot be shown", () => {
  it("says how to have it again, which costs nothing", async () => {
    const place = folder(FILES);
    const shown = await place.shell(top("visits.csv", "--release-id", "june"), { after: "> /dev/full" });
    expectRefused(shown, { exit: 4, code: "not-written", says: "It is recorded as june." });
    const again = await place.winnow(top("visits.csv", "--release-id", "june"));
    expect(again.exit).toBe(0);
    expect(again.stdout).toMatch(/1 +mail /);
    expect(await chargesIn(place)).toBe(1);
  });
});

describe("winnow top on a database refuses a query, even if it is trusted,", () => {
  it.each([
    ["that writes", "DELETE FROM visits"],
    ["that copies to a file", "COPY visits TO 'out.csv'"],
    ["that attaches another file", "ATTACH 'other.duckdb'"],
    ["that reads another file", "SELECT * FROM read_csv('areas.txt')"],
    ["that is two", "SELECT * FROM visits; SELECT 1"],
    ["that is none", "SELEC"],
  ])("%s", async (_, query) => {
    const place = folder(FILES);
    await makeDatabase(place);
    const ended = await winnowHere(place, top("visits.duckdb", "--trust-query", "--query", query));
    expectRefused(ended, { exit: 2, code: "bad-query" });
    expect(await chargesIn(place)).toBe(0);
  });

  it("and answers one that reads", async () => {
    const place = folder(FILES);
    await makeDatabase(place);
    const { exit, stdout, stderr } = await place.winnow(
      top("visits.duckdb", "--query", 'SELECT "user", area FROM visits'),
    );
    expect(exit, stderr).toBe(0);
    expect(stdout).toMatch(/1 +mail /);
  });
});

async function makeDatabase(place: Folder): Promise<void> {
  const instance = await DuckDBInstance.create(place.file("visits.duckdb"));
  const connection = await instance.connect();
  await connection.run(
    `CREATE TABLE visits AS SELECT * FROM read_csv('${place.file("visits.csv")}', all_varchar = true)`,
  );
  connection.closeSync();
  instance.closeSync();
}
