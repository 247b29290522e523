import { existsSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readConfig, Service } from "winnow-server";
import { type ClickhouseServer, startCluster } from "../../../../bench/src/scale/clickhouse-cluster.js";
import { PostgresServer } from "../../../../bench/src/scale/postgres-server.js";
import { openLedger } from "../../src/ledger/open-ledger.js";
import { machineHost } from "../../src/serve/machine.js";
import { openSource, readPublicTable } from "../../src/sources/open-source.js";
import { folder } from "../support/winnow.js";
import { collect, countHere, type Row, sorted, TRICKY, trickyRows } from "./support/histograms.js";
import { describeOnBoth } from "./support/installed.js";
import { loadCluster, loadPostgres } from "./support/load.js";
import { expectNothingSecret } from "./support/refusals.js";

/** Candidates that have rows, others that have none, some twice, and rows that name none. */
const LISTED = [...TRICKY.slice(0, 20), "absent", "absent too"];
const NAMED: Row[] = [...LISTED.map((item): Row => ["x", item]), ["y", "a"], ["y", ""], ["y", undefined]];
const OPTIONS = { table: "visits" };
const CAP = { epsilon: "9000000" };
const BUDGET = { measure: "pure", ...CAP } as const;

// What every server promises of one is in support/promises.ts.
describeOnBoth("A public table of the server as the domain", () => {
  let postgres: PostgresServer;
  let shards: ClickhouseServer[] = [];

  beforeAll(async () => {
    [postgres, shards] = await Promise.all([PostgresServer.start(), startCluster()]);
    await Promise.all([loadPostgres(postgres, trickyRows()), loadCluster(shards, trickyRows())]);
    await loadPostgres(postgres, NAMED, "names");
    // The names are on the server that is asked; the other shard has no such table.
    await loadCluster([shards[0]], NAMED, "names_of_both");
    await shards[0].sql("CREATE TABLE names ENGINE = Memory AS SELECT user, item FROM names_of_both_shard");
    for (const server of [postgres, shards[0]])
      await server.sql("CREATE VIEW single AS SELECT item FROM names");
    await postgres.sql("CREATE TABLE numbers (n int); INSERT INTO numbers VALUES (17), (18), (17), (NULL)");
    await shards[0].sql("CREATE TABLE numbers (n Nullable(Int32)) ENGINE = Memory");
    await shards[0].sql("INSERT INTO numbers VALUES (17), (18), (17), (NULL)");
    for (const server of [postgres, shards[0]])
      await server.sql("CREATE VIEW nothing AS SELECT item FROM names WHERE item = 'nothing'");
  });
  afterAll(async () => {
    await Promise.allSettled([postgres?.stop(), ...shards.map((shard) => shard.stop())]);
  });

  const engines: [string, () => PostgresServer | ClickhouseServer][] = [
    ["PostgreSQL", () => postgres],
    ["ClickHouse", () => shards[0]],
  ];

  it.each(engines)("is read by %s each name once, exactly as it is written", async (_, server) => {
    const read = (table: string, column?: string) =>
      readPublicTable(server().url(), { table, column }, OPTIONS, undefined);
    expect((await read("single")).sort()).toEqual([...LISTED].sort());
    expect((await read("numbers")).sort()).toEqual(["17", "18"]);
  });

  it.each(engines)("is joined by %s also if its names are numbers", async (_, server) => {
    const source = await openSource(server().url(), OPTIONS);
    const numbers = { kind: "listed", items: ["17", "18"], table: { table: "numbers" } } as const;
    expect(sorted(await collect(source, numbers))).toEqual([
      ["17", countHere(trickyRows()).get("17")],
      ["18", 0],
    ]);
    await source.close();
  });

  it.each(engines)("makes the same release on %s as the list in a file", async (_, server) => {
    const here = folder({ "names.txt": LISTED.join("\n") });
    const asked = ["top", server().url(), "--table", "visits", "--item", "item", "--user", "user", "-k", "2"];
    const release = async (...domain: string[]) => {
      const args = [...asked, "--epsilon", "1000000", "--yes", "--dataset", "clinic", ...domain, "--json"];
      const { exit, stdout, stderr } = await here.winnow(args);
      expect(exit, stderr).toBe(0);
      const { question, answer } = JSON.parse(stdout);
      return { question, items: answer?.winners.map(({ item }: { item: string }) => item) };
    };
    const table = ["--domain-table", "names", "--domain-column", "item"];
    const listed = await release("--domain", "names.txt");
    expect(listed.question.domain).toMatchObject({ kind: "listed", size: LISTED.length });
    expect(listed.items).toEqual([LISTED[19], LISTED[18]]);
    expect(await release(...table)).toEqual(listed);
    expect(await release("--domain-table", "single")).toEqual(listed);
    expect((await release(...table, "--dry-run")).question).toEqual(listed.question);
  });

  it.each(engines)("serves the same answer from %s as for the list in a file", async (_, server) => {
    const here = folder({ "names.txt": LISTED.join("\n") });
    const ledger = await openLedger(here.file("winnow.ledger"), { create: true });
    const sets = ["table", "file"];
    for (const name of sets) await ledger.setBudget(name, BUDGET);
    await ledger.close();
    const rows = { source: server().url(), table: "visits", item: "item", user: "user" };
    const allow = { kinds: ["top"], k: 2, epsilon: "1000000", weakProtection: true };
    const list = { kind: "list", table: "names", column: "item" };
    const config = readConfig({
      ledger: "winnow.ledger",
      tick: 1,
      datasets: {
        table: { ...rows, allow, domain: list },
        file: { ...rows, allow, domain: { kind: "list", file: "names.txt" } },
      },
      analysts: { ann: { caps: Object.fromEntries(sets.map((name) => [name, CAP])) } },
    });
    const failures: unknown[] = [];
    const host = machineHost(here.file("service.json"), config);
    const service = await Service.open(config, host, {
      onEvent: (event) => event.event !== "count-slow" && failures.push(event),
    });
    const ask = { kind: "top", k: 2, epsilon: "1000000", mechanism: "top-k" } as const;
    const answers = [];
    for (const name of sets) {
      const { question, answer } = (await service.release("ann", name, ask, name)).release;
      answers.push({ question, items: answer.winners.map(({ item }) => item) });
    }
    expect(answers[0]).toEqual(answers[1]);
    expect(answers[0]).toMatchObject({
      question: { domain: { size: LISTED.length } },
      items: [LISTED[19], LISTED[18]],
    });
    expect(failures).toEqual([]);
    await service.close();
  });

  it("is refused with one sentence if it cannot be one, and nothing is recorded", async () => {
    const here = folder({ "names.txt": "a\nb\n", "visits.csv": "user,item\nann,a\n" });
    const failing: [string, string[]][] = [
      ["unknown-table", ["--domain-table", "nowhere"]],
      ["unknown-column", ["--domain-table", "names", "--domain-column", "itme"]],
      ["unknown-column", ["--domain-table", "names"]],
      ["usage", ["--domain-table", "nothing"]],
      ["usage", ["--domain-table", '"names', "--domain-column", "item"]],
      ["not-public", ["--domain-table", '"visits"', "--domain-column", "item"]],
      ["usage", ["--domain-table", "names", "--domain", "names.txt"]],
      ["usage", ["--domain-column", "item"]],
    ];
    const asked = ["--item", "item", "--user", "user", "-k", "1", "--epsilon", "1"];
    const sources = engines.map(([, server]) => [server().url(), "--table", "visits", "--dataset", "clinic"]);
    for (const source of sources)
      for (const [code, domain] of failing) {
        const { exit, stdout, stderr } = await here.winnow(["top", ...source, ...asked, ...domain]);
        expect({ exit, stdout, code: /\[([a-z-]+)\]\n$/.exec(stderr)?.[1] }).toEqual({
          exit: 2,
          stdout: "",
          code,
        });
        expectNothingSecret(stderr);
      }
    const file = await here.winnow(["top", "visits.csv", ...asked, "--domain-table", "names"]);
    expect(file).toMatchObject({ exit: 2, stdout: "" });
    expect(file.stderr).toContain("--domain-table needs a source on a server");
    expect(existsSync(here.file("winnow.ledger"))).toBe(false);
  });
});
