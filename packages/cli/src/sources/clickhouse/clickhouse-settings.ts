/**
 * Settings under which ClickHouse counts exactly or fails. An account's profile may allow partial results when a
 * limit is hit, leave out shards that are down, return each shard's counts unmerged, or write values in another
 * way. The settings are sent with each query. If an account's settings are fixed, they are compared, and refused
 * if a count under them could differ.
 * @module
 */
import { Refusal } from "../../refusal.js";
import type { SourceOptions } from "../source.js";

export type Settings = Record<string, string | number>;

/** Those of these settings that the server knows must have these values. */
const EXACT: Settings = {
  read_overflow_mode: "throw",
  read_overflow_mode_leaf: "throw",
  group_by_overflow_mode: "throw",
  sort_overflow_mode: "throw",
  result_overflow_mode: "throw",
  timeout_overflow_mode: "throw",
  timeout_overflow_mode_leaf: "throw",
  set_overflow_mode: "throw",
  join_overflow_mode: "throw",
  transfer_overflow_mode: "throw",
  distinct_overflow_mode: "throw",
  skip_unavailable_shards: 0,
  distributed_group_by_no_merge: 0,
  optimize_distributed_group_by_sharding_key: 0, // exact only if the sharding key places the rows
  partial_result_on_first_cancel: 0,
  parallel_replicas_count: 0, // reads only part of the rows
  parallel_replica_offset: 0,
  use_query_cache: 0, // may be outdated
  additional_result_filter: "",
  join_use_nulls: 0,
  aggregate_functions_null_for_empty: 0,
  extremes: 0,
  limit: 0,
  offset: 0,
  bool_true_representation: "true",
  bool_false_representation: "false",
  date_time_output_format: "simple",
  output_format_decimal_trailing_zeros: 0,
  output_format_tsv_crlf_end_of_line: 0,
};

/** Makes an abandoned request end its query. */
const CANCEL = "cancel_http_readonly_queries_on_client_close";

/** The statement that asks for the names and values of the settings that matter. */
export const ASK_SETTINGS = `SELECT name, value FROM system.settings WHERE name IN (${[...Object.keys(EXACT), CANCEL, "readonly", "max_query_size"].map((name) => `'${name}'`).join(", ")})`;

/** The settings to send with each query to a server with these settings. */
export function settingsFor(current: ReadonlyMap<string, string>, limits: SourceOptions): Settings {
  const different = Object.entries(EXACT).filter(
    ([name, value]) => current.has(name) && current.get(name) !== String(value),
  );
  if (current.get("readonly") === "1") {
    if (different.length === 0) return {};
    throw new Refusal(
      "server-refused",
      "The ClickHouse account's fixed settings allow incomplete counts, or change how values are written.",
    );
  }
  return {
    ...(current.get("readonly") === "0" && { readonly: 1 }),
    ...Object.fromEntries(different),
    ...(current.has(CANCEL) && { [CANCEL]: 1 }),
    ...limitsOf(limits),
  };
}

function limitsOf({ timeLimit, memoryLimit }: SourceOptions): Settings {
  return {
    ...(timeLimit !== undefined && { max_execution_time: Math.ceil(timeLimit / 1000) }),
    ...(memoryLimit !== undefined && {
      max_memory_usage: Math.floor(memoryLimit),
      max_bytes_before_external_group_by: Math.floor(memoryLimit / 2),
      max_bytes_before_external_sort: Math.floor(memoryLimit / 2),
    }),
  };
}
