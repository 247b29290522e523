import { createServer } from "node:http";
import { describe, expect, it } from "vitest";
import { settingsFor } from "../../src/sources/clickhouse/clickhouse-connection.js";
import { openClickhouse } from "../../src/sources/clickhouse/clickhouse-source.js";
import { collect } from "./support/histograms.js";
import { expectRefusal } from "./support/refusals.js";

const server = (settings: Record<string, string>) => new Map(Object.entries(settings));

describe("The settings of a count in ClickHouse", () => {
  it("are read-only, and exact whatever the account's profile says", () => {
    const current = server({
      readonly: "0",
      timeout_overflow_mode: "break",
      skip_unavailable_shards: "1",
      extremes: "0",
    });
    expect(settingsFor(current, {})).toEqual({
      readonly: 1,
      timeout_overflow_mode: "throw",
      skip_unavailable_shards: 0,
    });
  });

  it("name nothing that the server does not know, and leave a read-only account read-only", () => {
    expect(settingsFor(server({ readonly: "2" }), {})).toEqual({});
    expect(settingsFor(server({ readonly: "1", extremes: "0" }), { timeLimit: 5 })).toEqual({});
  });

  it("have the limits that are asked for, in whole seconds and bytes", () => {
    expect(settingsFor(server({ readonly: "0" }), { timeLimit: 1500, memoryLimit: 1e9 + 0.5 })).toEqual({
      readonly: 1,
      max_execution_time: 2,
      max_memory_usage: 1e9,
      max_bytes_before_external_group_by: 5e8,
      max_bytes_before_external_sort: 5e8,
    });
  });

  it("are refused where they are fixed and could give partial counts", async () => {
    for (const settings of [
      { group_by_overflow_mode: "any" },
      { distributed_group_by_no_merge: "1" },
      { limit: "10" },
      { bool_true_representation: "yes" },
      { output_format_tsv_crlf_end_of_line: "1" },
    ])
      await expectRefusal(
        Promise.resolve().then(() => settingsFor(server({ readonly: "1", ...settings }), {})),
        "server-refused",
      );
  });

  it.each([
    ["0", "0"],
    ["1", null],
  ])(
    "keep the key of a bound out of the query log, unless they are fixed: readonly %s",
    async (readonly, logged) => {
      const seen = new Map<string, URLSearchParams>();
      const server = createServer(async (request, response) => {
        const query = Buffer.concat(await request.toArray()).toString();
        if (query.includes("winnow_users")) seen.set(query, new URL(`http://x${request.url}`).searchParams);
        if (query.startsWith("DESCRIBE")) response.end("user\tString\nitem\tString\n");
        else response.end(query.includes("system.settings") ? `readonly\t${readonly}\n` : "1\ta\n");
      });
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      const address = server.address();
      const port = typeof address === "object" ? address?.port : undefined;
      const source = await openClickhouse(`clickhouse://127.0.0.1:${port}/x`, { table: "visits" });
      const bound = { itemsPerUser: 2, key: new Uint8Array(32).fill(0xab) };
      const columns = { item: "item", user: "user" };
      for (const each of [bound, undefined])
        await collect(source, { kind: "largest", rows: 9 }, columns, each);
      await source.close();
      server.close();
      const log = [...seen].map(([query, parameters]) => [
        query.includes("ab".repeat(32)),
        parameters.get("log_queries"),
      ]);
      expect(log).toEqual([
        [true, logged],
        [false, null],
      ]);
    },
  );
});
