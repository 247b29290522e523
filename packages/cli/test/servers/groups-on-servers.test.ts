import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  CLUSTER,
  type ClickhouseServer,
  startCluster,
} from "../../../../bench/src/scale/clickhouse-cluster.js";
import { PostgresServer } from "../../../../bench/src/scale/postgres-server.js";
import { TrinoCluster } from "../../../../bench/src/scale/trino-cluster.js";
import { openSource } from "../../src/sources/open-source.js";
import type { Panel, Source } from "../../src/sources/source.js";
import {
  countGroups,
  countGroupsHere,
  GROUP_CANDIDATES,
  GROUP_REQUESTS,
  groupedRows,
  isCounted,
  PANELS,
} from "../support/grouped-rows.js";
import { describeOnClickhouse, describeOnPostgres, describeOnTrino } from "./support/installed.js";
import { expectRefusal } from "./support/refusals.js";

const COLUMNS = ["country", "month", "user", "item"] as const;
const rows = groupedRows();
const hex = (text: string) => Buffer.from(text, "utf8").toString("hex");
const valuesOf = (text: (hex: string) => string) =>
  rows.map((row) => `(${COLUMNS.map((column) => text(hex(row[column]))).join(", ")})`);
const PART = 400;
const parts = (values: readonly string[]) =>
  Array.from({ length: Math.ceil(values.length / PART) }, (_, i) => values.slice(i * PART, (i + 1) * PART));

/** The same counts as files give (sources/groups.test.ts), which are those of the library. */
function countsGroups(url: () => string) {
  it.each(GROUP_CANDIDATES.map((candidates) => [JSON.stringify(candidates), candidates] as const))(
    "%s",
    async (_, candidates) => {
      const source = await openSource(url(), { table: "visits" });
      try {
        for (const groups of GROUP_REQUESTS)
          expect(await countGroups(source, groups, candidates), JSON.stringify(groups.by)).toEqual(
            countGroupsHere(rows, groups, candidates),
          );
      } finally {
        await source.close();
      }
    },
  );

  it("a list of candidates that is too long to send gives the same", async () => {
    const long = Array.from({ length: 60_000 }, (_, i) => `absent item ${i}`);
    const [groups] = GROUP_REQUESTS;
    const candidates = { kind: "listed", items: ["a", "A", ...long] } as const;
    const source = await openSource(url(), { table: "visits" });
    try {
      expect(await countGroups(source, groups, candidates)).toEqual(
        countGroupsHere(rows, groups, candidates),
      );
    } finally {
      await source.close();
    }
  });

  it("counts the people of a period, the same as everywhere", async () => {
    const source = await openSource(url(), { table: "visits" });
    try {
      for (const [i, panel] of [PANELS[0][0], PANELS[0][5], PANELS[1][1]].entries()) {
        const counted = rows.filter(({ user }) => isCounted(user, panel));
        const [groups, candidates] = [GROUP_REQUESTS[i], GROUP_CANDIDATES[1]];
        expect(await countGroups(source, groups, candidates, panel)).toEqual(
          countGroupsHere(counted, groups, candidates),
        );
      }
      expect(await allCounts(source, PANELS[1])).toEqual(allHere(PANELS[1]));
    } finally {
      await source.close();
    }
  });

  it("refuses columns that are missing or have another role", async () => {
    const source = await openSource(url(), { table: "visits" });
    try {
      const ask = (by: readonly string[]) =>
        countGroups(source, { ...GROUP_REQUESTS[0], by }, GROUP_CANDIDATES[0]);
      await expectRefusal(ask(["land"]), "unknown-column");
      await expectRefusal(ask(["user"]), "usage");
    } finally {
      await source.close();
    }
  });
}

/** How many people have an item, in the periods together, without a limit and with one that doesn't bite. */
async function allCounts(source: Source, panels: readonly Panel[]) {
  const sums: Record<string, number> = {};
  for (const panel of panels)
    for (const bound of [undefined, { itemsPerUser: 1000, key: new Uint8Array(32) }])
      for await (const { items, users } of source.histogram({
        ...{ item: "item", user: "user", candidates: { kind: "largest", rows: 1000 }, bound, panel },
      }))
        for (const [i, item] of items.entries()) sums[item] = (sums[item] ?? 0) + users[i];
  return sums;
}

function allHere(panels: readonly Panel[]) {
  const sums: Record<string, number> = {};
  for (const item of new Set(rows.map((row) => row.item)))
    for (const panel of panels) {
      const people = rows.filter((row) => row.item === item && row.user !== "" && isCounted(row.user, panel));
      const users = new Set(people.map(({ user }) => user)).size;
      if (item !== "" && users > 0) sums[item] = (sums[item] ?? 0) + 2 * users;
    }
  return sums;
}

describeOnPostgres("A histogram in groups, in PostgreSQL", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await PostgresServer.start();
    await server.sql(`CREATE TABLE visits (country text, month text, "user" text, item text)`);
    for (const part of parts(valuesOf((text) => `convert_from('\\x${text}', 'UTF8')`)))
      await server.sql(`INSERT INTO visits VALUES ${part.join(", ")}`);
  });
  afterAll(() => server?.stop());
  countsGroups(() => server.url());

  it("refuses to say in which period someone is counted who may be written in several ways", async () => {
    const query = `SELECT * FROM (VALUES (1, 'DE', 'a'), (1.00, 'FR', 'b')) AS rows ("user", country, item)`;
    const source = await openSource(server.url(), { trustQuery: true, query });
    const refused = countGroups(source, GROUP_REQUESTS[0], GROUP_CANDIDATES[0], PANELS[0][0]);
    expect((await expectRefusal(refused, "unknown-column")).message).toContain("different texts");
    await source.close();
  });

  it("keeps the key of the periods out of its statements", async () => {
    const [{ key }] = PANELS[0];
    await server.sql(
      `CREATE VIEW spied AS SELECT a.query AS item, 'u'::text AS "user" FROM pg_catalog.pg_stat_activity AS a`,
    );
    const panel = { key, hashes: [["0".repeat(64), undefined]] } as const;
    const source = await openSource(server.url(), { table: "spied" });
    for await (const { items } of source.histogram({
      ...{ item: "item", user: "user", candidates: { kind: "largest", rows: 99 }, panel },
    })) {
      expect(items.join()).toContain("sha256");
      expect(items.join()).not.toContain(key);
    }
    await source.close();
  });

  it("one person who is written in several ways has one choice of groups", async () => {
    const values = ["(1, 'DE', 'a')", "(1.00, 'FR', 'b')", "(1.0, 'IT', 'c')"];
    for (const order of [values, values.toReversed()]) {
      const query = `SELECT * FROM (VALUES ${order.join(", ")}) AS rows ("user", country, item)`;
      const source = await openSource(server.url(), { trustQuery: true, query });
      const groups = { by: ["country"], perUser: 1, key: GROUP_REQUESTS[0].key };
      const counts = await countGroups(source, groups, { kind: "largest", rows: 9 });
      const as = (user: string) =>
        [
          ["DE", "a"],
          ["FR", "b"],
          ["IT", "c"],
        ].map(([country, item]) => ({ user, country, item, month: "1" }));
      expect(counts).toEqual(countGroupsHere(as("1"), groups, { kind: "largest", rows: 9 }));
      await source.close();
    }
  });
});

describeOnClickhouse("A histogram in groups, in a ClickHouse cluster", () => {
  let shards: ClickhouseServer[] = [];
  beforeAll(async () => {
    shards = await startCluster();
    const columns = COLUMNS.map((column) => `${column} Nullable(String)`).join(", ");
    for (const [number, shard] of shards.entries()) {
      await shard.sql(`CREATE TABLE visits_shard (${columns}) ENGINE = MergeTree ORDER BY tuple()`);
      const mine = valuesOf((text) => `unhex('${text}')`).filter((_, i) => i % shards.length === number);
      for (const part of parts(mine)) await shard.sql(`INSERT INTO visits_shard VALUES ${part.join(", ")}`);
      await shard.sql(
        `CREATE TABLE visits AS visits_shard ENGINE = Distributed(${CLUSTER}, default, visits_shard, rand())`,
      );
    }
  });
  afterAll(() => Promise.allSettled(shards.map((shard) => shard.stop())));
  countsGroups(() => shards[0].url());
});

describeOnTrino("A histogram in groups, in Trino", () => {
  let cluster: TrinoCluster;
  beforeAll(async () => {
    cluster = await TrinoCluster.start();
    await cluster.sql(`CREATE TABLE visits (country varchar, month varchar, "user" varchar, item varchar)`);
    for (const part of parts(valuesOf((text) => `from_utf8(X'${text}')`)))
      await cluster.sql(`INSERT INTO visits VALUES ${part.join(", ")}`);
  });
  afterAll(() => cluster?.stop());
  countsGroups(() => cluster.url());
});

describe("the rows of these tests", () => {
  it("have people who are counted in some periods, as many as there should be", () => {
    for (const [panels, most] of [
      [PANELS[0], 3],
      [PANELS[1], 1],
    ] as const)
      for (const user of new Set(rows.map((row) => row.user)))
        expect(panels.filter((panel) => isCounted(user, panel))).toHaveLength(most);
  });

  it("have people in more groups than they are counted in", () => {
    const [all, cut] = [GROUP_REQUESTS[3], GROUP_REQUESTS[0]].map((groups) =>
      countGroupsHere(rows, groups, { kind: "groups" }).reduce((sum, [, , users]) => sum + users, 0),
    );
    expect(cut).toBeLessThan(all);
  });
});
