/**
 * An embedded DuckDB in memory with limits, and the lock that is put on it before any SQL of a user runs: from
 * then on it opens the named files and no others, loads nothing and accepts no settings.
 *
 * The engine's messages quote rows and values, so none of their text is kept: only the kind of failure, in the
 * first words, selects a code and a sentence of ours. Only text that was quoted by the functions here enters a
 * statement of ours.
 * @module
 */
import { availableParallelism } from "node:os";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { Refusal, type RefusalCode } from "../../refusal.js";

interface EngineLimits {
  /** Where it may put what does not fit into memory: a folder of ours. */
  readonly folder: string;
  /** In bytes. */
  readonly memoryLimit?: number | undefined;
  readonly threads?: number | undefined;
}

export interface Engine {
  readonly connection: DuckDBConnection;
  /** From here on it sees these files only. */
  lock(files: readonly string[]): Promise<void>;
  close(): void;
}

/** Begins to make an engine before it is known what for: that takes longer than finding out. */
export function startEngine(): Promise<DuckDBInstance> {
  const started = DuckDBInstance.create(":memory:", {
    autoinstall_known_extensions: "false",
    autoload_known_extensions: "false",
    preserve_insertion_order: "false",
  });
  started.catch(() => {}); // heard by whoever opens it
  return started;
}

export async function openEngine(limits: EngineLimits, started = startEngine()): Promise<Engine> {
  const instance = await started;
  const connection = await instance.connect();
  await connection.run(limitsSql(limits));
  // Without the first there is no progress to ask for; without the second it would be printed.
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

/** Each thread counts in tables and buffers of its own before it puts anything aside. */
const MEMORY_OF_A_THREAD = 64 * 2 ** 20;

/**
 * The engine divides what it groups into as many parts as it has threads, and large parts fit no cache: on two processors four
 * threads group faster than two, and in less memory.
 */
const LEAST_THREADS = 4;

/** With too many threads for the memory the engine gives up where with fewer it would only be slower. */
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
    "The disk is full: what does not fit into memory had no place.",
  ],
  [OUT_OF_MEMORY, "source-limit", "Counting needs more memory than the limit allows."],
];

export function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && OUT_OF_MEMORY.test(error.message);
}

/** `sentence` is what a failure of any other kind means here. */
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
