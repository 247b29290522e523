import { describe, expect, it } from "vitest";
import { settingsFor } from "../../src/sources/clickhouse/clickhouse-settings.js";
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
});
