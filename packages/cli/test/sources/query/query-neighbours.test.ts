import { describe, expect, it } from "vitest";
import { amount } from "../../../../core/test/support/amount.js";
import { Reader } from "../../../src/sources/files/reader.js";
import { openSource } from "../../../src/sources/open-source.js";
import type { Source } from "../../../src/sources/source.js";
import { runSql, useFolder } from "../source-folder.js";
import { expectAdditive, type PairRow, queryPairs, TRIED_QUERIES } from "./support/query-pairs.js";

/** The servers have their turn in same-rows-on-servers.test.ts and trino.test.ts. */
const PAIRS = queryPairs(amount(300, 10_000), "queries on neighbours");

describe("one more person, who writes what makes a query fail,", () => {
  const { folder, write } = useFolder();
  const path = `${folder}/pairs.duckdb`;

  /** As the reader's process does, without starting one for each query. */
  async function openHere(query: string): Promise<Pick<Source, "histogram" | "close">> {
    const reader = await Reader.open({ location: path, folder }, { query });
    return {
      async *histogram({ item, user, candidates }) {
        await reader.count({ roles: { item, user } });
        yield* reader.counts(candidates);
      },
      close: async () => reader.close(),
    };
  }

  it(`adds their own rows and changes no others, on ${PAIRS.pairs} pairs`, async () => {
    const line = ([user, item]: PairRow) => JSON.stringify({ user, item: item ?? null });
    const statements = Object.entries(PAIRS.tables).map(([table, rows]) => {
      const file = write(`${table}.ndjson`, `${rows.map(line).join("\n")}\n`);
      return `CREATE TABLE made.${table} AS SELECT "user", item FROM read_json('${file}', format = 'newline_delimited', columns = {'user': 'VARCHAR', item: 'VARCHAR'})`;
    });
    await runSql(`ATTACH '${path}' AS made`, ...statements);
    await expectAdditive(TRIED_QUERIES, PAIRS, openHere);
  });

  it("is found out if the query is trusted: then the count of all ends", async () => {
    const query = `SELECT "user", CAST(item AS INTEGER) AS item FROM pairs_with`;
    const source = await openSource(path, { query, trustQuery: true });
    const candidates = { kind: "largest", rows: 1 } as const;
    const counting = source.histogram({ item: "item", user: "user", candidates })[Symbol.asyncIterator]();
    await expect(counting.next()).rejects.toMatchObject({ code: "unreadable-source" });
    await source.close();
  });
});
