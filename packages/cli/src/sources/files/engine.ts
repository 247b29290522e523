/**
 * An embedded DuckDB in memory with limits, and its lock, which is set before any SQL of a user runs: from then on it
 * opens only the named files, loads no extensions and accepts no settings.
 *
 * The engine's messages quote rows and values, so Winnow drops them: only the kind of failure, in the first words,
 * selects a code and a sentence of ours. Only text that the functions here have quoted enters a statement of ours.
 * @module
 */

import { availableParallelism } from "node:os";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { Refusal, type RefusalCode } from "winnow-release";

interface EngineLimits {
  /** A folder of ours for data that doesn't fit in memory. */
  readonly folder: string;
  /** In bytes. */
  readonly memoryLimit?: number | undefined;
  readonly threads?: number | undefined;
}

export interface Engine {
  readonly connection: DuckDBConnection;
  /** From here on it can open these files only. */
  lock(files: readonly string[]): Promise<void>;
  close(): void;
}

/** Starts an engine before it is known what for: starting takes longer than finding out. */
export function startEngine(): Promise<DuckDBInstance> {
  const started = DuckDBInstance.create(":memory:", {
    autoinstall_known_extensions: "false",
    autoload_known_extensions: "false",
    preserve_insertion_order: "false",
  });
  started.catch(() => {}); // reported when it is opened
  return started;
}

export async function openEngine(limits: EngineLimits, started = startEngine()): Promise<Engine> {
  const instance = await started;
  const connection = await instance.connect();
  await connection.run(limitsSql(limits));
  // The first setting makes progress available; the second keeps it from being printed.
  await connection.run("SET enable_progress_bar = true; SET enable_progress_bar_print = false");
  return {
    connection,
    lock: (files) => lock(connection, files),
    close() {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

function limitsSql({ folder, memoryLimit, threads = threadsWithin(memoryLimit) }: EngineLimits): string {
  const memory = memoryLimit === undefined ? "" : `SET memory_limit = '${Math.floor(memoryLimit)}B';`;
  return `SET temp_directory = ${sqlText(folder)}; SET threads = ${threads}; ${memory}`;
}

/** Each thread counts in its own tables and buffers before it spills anything. */
const MEMORY_OF_A_THREAD = 64 * 2 ** 20;

/**
 * The engine groups data in as many parts as it has threads, and large parts don't fit into the cache: on two processors, four
 * threads are faster than two, and need less memory.
 */
const LEAST_THREADS = 4;

/** With too many threads for the memory, the engine fails where it would only be slower with fewer. */
export function threadsWithin(memoryLimit = Number.POSITIVE_INFINITY): number {
  const threads = Math.max(availableParallelism(), LEAST_THREADS);
  return Math.max(1, Math.min(threads, Math.floor(memoryLimit / MEMORY_OF_A_THREAD)));
}

async function lock(connection: DuckDBConnection, files: readonly string[]): Promise<void> {
  await connection.run(`SET allowed_paths = ${sqlList(files)}`);
  await connection.run("SET enable_external_access = false");
  await connection.run("SET lock_configuration = true");
}

const OUT_OF_MEMORY = /^Out of Memory/;

const FAILURE_KINDS: readonly (readonly [RegExp, RefusalCode, string])[] = [
  [/^INTERRUPT/, "interrupted", "The run was interrupted."],
  [
    /No space left on device|max_temp_directory_size/,
    "disk-full",
    "The disk is full: there is no space for data that doesn't fit in memory.",
  ],
  [OUT_OF_MEMORY, "source-limit", "Counting needs more memory than the limit allows."],
];

export function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && OUT_OF_MEMORY.test(error.message);
}

/** `sentence` describes any other kind of failure. */
export function engineRefusal(
  error: unknown,
  sentence: string,
  code: RefusalCode = "unreadable-source",
): Refusal {
  if (error instanceof Refusal) return error;
  const message = error instanceof Error ? error.message : "";
  const [, kind = code, meaning = sentence] = FAILURE_KINDS.find(([words]) => words.test(message)) ?? [];
  return new Refusal(kind, meaning);
}

/** A text as a literal. */
export function sqlText(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}

/** The name of a column or table. */
export function sqlName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A list of texts as a literal. */
export function sqlList(values: readonly string[]): string {
  return `[${values.map(sqlText).join(", ")}]`;
}
