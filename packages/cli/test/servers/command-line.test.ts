import { readdirSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { COUNT_FAILED } from "winnow-release";
import {
  CLICKHOUSE_PASSWORD,
  type ClickhouseServer,
  startCluster,
} from "../../../../bench/src/scale/clickhouse-cluster.js";
import { POSTGRES_PASSWORD, PostgresServer } from "../../../../bench/src/scale/postgres-server.js";
import { winnowHere } from "../support/in-process.js";
import { type Ended, type Folder, folder } from "../support/winnow.js";
import { BreakingProxy } from "./support/breaking-proxy.js";
import * as clickhouseVisits from "./support/clickhouse-visits.js";
import type { Row } from "./support/histograms.js";
import { describeOnBoth } from "./support/installed.js";
import { loadCluster, loadPostgres } from "./support/load.js";
import * as postgresVisits from "./support/postgres-visits.js";
import { expectNothingSecret } from "./support/refusals.js";

/** So far apart that at ε = 1 no noise changes the order but once in 10^20 runs. */
const COUNTS = { mail: 300, news: 200, "private-row": 100 };
const ROWS = Object.entries(COUNTS).flatMap(([item, users]) =>
  Array.from({ length: users }, (_, user): Row => [`person ${user}`, item]),
);
const ASKED = ["--item", "item", "--user", "user", "-k", "2", "--epsilon", "1", "--dataset", "clinic"];
const LISTED = [...ASKED, "--domain", "items.txt"];
const ITEMS = "maps\nmail\nnews\nprivate-row\n";

/** A ledger whose budget is that of one release. */
async function openFolder(): Promise<Folder> {
  const here = folder({ "items.txt": ITEMS });
  expect((await winnowHere(here, ["budget", "init", "clinic", "--epsilon", "1"])).exit).toBe(0);
  return here;
}

/** One sentence and the next step, nothing on standard output, nothing secret anywhere. */
function expectOneSentence({ exit, stdout, stderr }: Ended, expected: number): void {
  expect({ exit, stdout }, stderr).toEqual({ exit: expected, stdout: "" });
  expect(stderr).toMatch(/^winnow: [^\n]+\.\n {2}[^\n]+ \[[a-z-]+\]\n$/m);
  expectNothingSecret(stderr);
}

/** The whole budget is still there: one release fits, and no second. */
async function expectNothingCharged(here: Folder, source: readonly string[]): Promise<void> {
  const released = await winnowHere(here, ["top", ...source, ...LISTED, "--json"]);
  expect(released.exit, released.stderr).toBe(0);
  expect((await winnowHere(here, ["top", ...source, ...LISTED])).exit).toBe(3);
}

describeOnBoth("winnow top on a server", () => {
  let postgres: PostgresServer;
  let shards: ClickhouseServer[] = [];

  beforeAll(async () => {
    [postgres, shards] = await Promise.all([PostgresServer.start(), startCluster()]);
    await Promise.all([loadPostgres(postgres, ROWS), loadCluster(shards, ROWS)]);
    await postgres.sql(`
      CREATE FUNCTION watch() RETURNS text LANGUAGE plpgsql AS
      $$ BEGIN INSERT INTO visits VALUES ('secret_statement', 'x'); RETURN 'private-row'; END $$;
      CREATE VIEW watching AS SELECT "user", watch() AS item FROM visits;
      CREATE SEQUENCE counter;
      CREATE VIEW slow AS ${postgresVisits.ENDLESS}`);
    await shards[0].sql(`CREATE VIEW slow AS ${clickhouseVisits.ENDLESS}`);
  });
  afterAll(async () => {
    await Promise.allSettled([postgres?.stop(), ...shards.map((shard) => shard.stop())]);
  });

  const sources = (): [string, string[]][] => [
    ["PostgreSQL", [postgres.url(), "--table", "visits"]],
    ["ClickHouse", [shards[0].url(), "--table", "visits"]],
  ];

  it("releases the same from both, for a public list and for an unknown domain", async () => {
    for (const [, source] of sources()) {
      const here = folder({ "items.txt": ITEMS });
      const listed = await here.winnow(["top", ...source, ...LISTED, "--json"]);
      expect(listed.exit, listed.stderr).toBe(0);
      const { answer } = JSON.parse(listed.stdout);
      expect(answer.winners.map(({ item }: { item: string }) => item)).toEqual(["mail", "news"]);
      const unknown = await here.winnow(["top", ...source, ...ASKED, "--delta", "1e-3", "--yes", "--json"]);
      expect(unknown.exit, unknown.stderr).toBe(0);
      expectNothingSecret(listed.stdout.replaceAll("private-row", "") + listed.stderr);
    }
  });

  it("charges a trusted query that fails on some rows, and refuses it alike whatever the reason", async () => {
    const failing = [
      [
        postgres.url(),
        `SELECT "user", CASE WHEN "user" = 'person 7' THEN (1 / (length("user") - 8))::text ELSE item END AS item FROM visits`,
      ],
      [
        postgres.url(),
        `SELECT "user", CASE WHEN "user" = 'person 7' THEN pg_cancel_backend(pg_backend_pid())::text ELSE item END AS item FROM visits`,
      ],
      [
        shards[0].url(),
        `SELECT user, item FROM visits WHERE user != 'person 7' UNION ALL SELECT user, toString(throwIf(length(user) = 8)) AS item FROM visits`,
      ],
    ] as const;
    const told = [];
    for (const [url, query] of failing) {
      const here = await openFolder();
      const asked = ["top", url, "--trust-query", "--query", query, ...LISTED, "--release-id", "one"];
      const { exit, stdout, stderr } = await winnowHere(here, asked);
      expect(exit, stderr).toBe(4);
      expect(stdout).toBe("");
      expectNothingSecret(stderr);
      told.push(stderr.split("\n").filter((line) => !line.includes("not for release")));
      expect(told.at(-1)!.join("\n")).toContain(COUNT_FAILED);
      expect((await winnowHere(here, [...asked.slice(0, -1), "two"])).exit).toBe(3); // the whole budget was charged
    }
    expect(new Set(told.map((lines) => lines.join("\n"))).size).toBe(1);
  });

  it("answers a query that isn't trusted whatever one person writes", async () => {
    for (const [url, query] of [
      [postgres.url(), `SELECT "user", lower(item) AS item FROM visits WHERE item <> 'x'`],
      [shards[0].url(), "SELECT user, lower(item) AS item FROM visits WHERE item != 'x'"],
    ]) {
      const here = folder({ "items.txt": ITEMS });
      const { exit, stdout, stderr } = await here.winnow(["top", url, "--query", query, ...LISTED, "--json"]);
      expect(exit, stderr).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject({ notes: [], source: { dialect: { query } } });
      expect(stderr).not.toContain("--trust-query");
    }
  });

  it("takes the password from the environment, and never shows it", async () => {
    const here = folder({ "items.txt": ITEMS });
    const withoutPassword = (url: string) => url.replace(/:[^:@/]+@/, "@");
    const env = { PGPASSWORD: POSTGRES_PASSWORD, CLICKHOUSE_PASSWORD };
    for (const [, [url, ...table]] of sources()) {
      const { exit, stdout, stderr } = await here.winnow(
        ["top", withoutPassword(url), ...table, ...LISTED, "--statement"],
        { env },
      );
      expect(exit, stderr).toBe(0);
      expectNothingSecret(stderr + stdout.replaceAll("private-row", ""));
    }
  });

  it("keeps no password in the name of the data set, the release or the ledger", async () => {
    for (const [, source] of sources()) {
      const here = folder({ "items.txt": ITEMS });
      const asked = LISTED.filter((word) => word !== "--dataset" && word !== "clinic");
      const { exit, stdout, stderr } = await here.winnow(["top", ...source, ...asked, "--json"]);
      expect(exit, stderr).toBe(0);
      expect(JSON.parse(stdout).dataset).toMatch(/^(postgres|clickhouse):\/\/127\.0\.0\.1:\d+\/\w+$/);
      const log = await winnowHere(here, ["budget", "log"]);
      const files = readdirSync(here.path).filter((name) => name !== "items.txt");
      expect(files).toContain("winnow.ledger");
      const kept = files.map((name) => readFileSync(here.file(name), "latin1"));
      expectNothingSecret([stdout, stderr, log.stdout, log.stderr, ...kept].join("\n"));
    }
  });

  it("refuses what it cannot read with one sentence, and charges nothing", async () => {
    const here = await openFolder();
    const failing: [number, string[]][] = [
      [4, [postgres.url("wrong password"), "--table", "visits"]],
      [4, [shards[0].url({ password: "wrong password" }), "--table", "visits"]],
      [4, ["postgres://127.0.0.1:1/postgres", "--table", "visits"]],
      [2, [postgres.url(), "--table", "visitors"]],
      [2, [shards[0].url(), "--table", "visitors"]],
      [2, [postgres.url(), "--query", 'SELECT "user", item AS thing FROM visits']],
      [2, [shards[0].url(), "--query", "SELECT user, item AS thing FROM visits"]],
      [2, [postgres.url(), "--table", "watching"]],
      [2, [postgres.url(), "--query", "DELETE FROM visits RETURNING *"]],
      [2, [postgres.url(), "--query", "WITH gone AS (DELETE FROM visits RETURNING *) SELECT * FROM gone"]],
      [2, [shards[0].url(), "--query", "SELECT * FROM (INSERT INTO visits VALUES ('a', 'b'))"]],
      [4, [postgres.url(), "--table", "slow", "--time-limit", "1s"]],
      [4, [shards[0].url(), "--table", "slow", "--time-limit", "1s"]],
    ];
    for (const [exit, source] of failing)
      expectOneSentence(await winnowHere(here, ["top", ...source, ...LISTED]), exit);
    const [[exit, source]] = failing;
    expectOneSentence(await here.winnow(["top", ...source, ...LISTED]), exit);
    expect(await postgres.sql("SELECT count(*) FROM visits")).toBe(String(ROWS.length));
    await expectNothingCharged(here, [postgres.url(), "--table", "visits"]);
  });

  it("refuses when a shard is down", async () => {
    const here = await openFolder();
    const source = [shards[0].url(), "--table", "visits"];
    await shards[1].crash();
    try {
      expectOneSentence(await here.winnow(["top", ...source, ...LISTED]), 4);
    } finally {
      await shards[1].restart();
    }
    await expectNothingCharged(here, source);
  });

  it("refuses when PostgreSQL dies in the middle and stays away", async () => {
    await expectRefusedAfterCrash(postgres, () => postgresVisits.expectCounting(postgres));
  });

  it("refuses when ClickHouse dies in the middle and stays away", async () => {
    await expectRefusedAfterCrash(shards[0], () => clickhouseVisits.expectCounting(shards[0]));
  });

  async function expectRefusedAfterCrash(
    server: PostgresServer | ClickhouseServer,
    expectCounting: () => Promise<void>,
  ): Promise<void> {
    const here = await openFolder();
    const run = here.winnow(["top", server.url(), "--table", "slow", ...LISTED]);
    await expectCounting();
    await server.crash();
    try {
      expectOneSentence(await run, 4);
    } finally {
      await server.restart();
    }
    await expectNothingCharged(here, [server.url(), "--table", "visits"]);
  }

  it.each([
    ["PostgreSQL", () => postgres],
    ["ClickHouse", () => shards[0]],
  ])("goes on when %s comes back", async (_, server) => {
    const here = await openFolder();
    const proxy = await BreakingProxy.start(server().port, async () => {
      await server().crash();
      await server().restart();
    });
    const url = proxy.through(server().url());
    const run = await here.winnow(["top", url, "--table", "visits", ...LISTED, "--json"]);
    proxy.stop();
    expect(run.exit, run.stderr).toBe(0);
    expect(JSON.parse(run.stdout).answer.winners).toHaveLength(2);
  });
});
