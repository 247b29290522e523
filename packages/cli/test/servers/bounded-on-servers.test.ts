import { afterAll, beforeAll, expect, it } from "vitest";
import { PostgresServer } from "../../../../bench/src/scale/postgres-server.js";
import { openSource } from "../../src/sources/open-source.js";
import { BOUNDS, boundedHere, byCountAndBytes, NAMES_BY_BYTES, type Pair } from "../support/bounded-rows.js";
import { collect, countHere } from "./support/histograms.js";
import { describeOnPostgres } from "./support/installed.js";
import { loadPostgres } from "./support/load.js";

const ROLES = { item: "item", user: "user" };

// What all engines keep of a person's items is in support/promises.ts.
describeOnPostgres("With a limit on the items of a person, in PostgreSQL", () => {
  const tied = NAMES_BY_BYTES.flatMap((item, i) =>
    (i % 4 === 0 ? ["u", "v"] : ["u"]).map((user): Pair => [user, item]),
  );
  let postgres: PostgresServer;

  beforeAll(async () => {
    postgres = await PostgresServer.start();
    await loadPostgres(postgres, tied);
  });
  afterAll(() => postgres?.stop());

  it("one person who is written in several ways is bounded as one, whatever comes first", async () => {
    const rows = ["(1, 'a')", "(1.00, 'b')", "(1.0, 'c')", "(2.0, 'a')"];
    const [bound] = BOUNDS;
    const expected = boundedHere(
      [
        ["1", "a"],
        ["1", "b"],
        ["1", "c"],
        ["2.0", "a"],
      ],
      bound,
    );
    for (const values of [rows, [...rows].reverse()]) {
      const query = `SELECT * FROM (VALUES ${values.join(", ")}) AS rows ("user", item)`;
      const source = await openSource(postgres.url(), { trustQuery: true, query });
      expect(await collect(source, { kind: "largest", rows: 9 }, ROLES, bound)).toEqual(expected);
    }
  });

  it("a column's collation moves no tie", async () => {
    const query = `SELECT "user" COLLATE "en-x-icu" AS "user", item COLLATE "en-x-icu" AS item FROM visits`;
    const source = await openSource(postgres.url(), { trustQuery: true, query });
    const order = byCountAndBytes(countHere(tied));
    expect(await collect(source, { kind: "largest", rows: 12 })).toEqual(order.slice(0, 12));
    expect(await collect(source, { kind: "largest", rows: 12 }, ROLES, BOUNDS[2])).toEqual(
      order.slice(0, 12),
    );
  });
});
