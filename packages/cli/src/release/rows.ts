/**
 * The private source of a release, opened when it is needed and once: standard input can be read a single time.
 * @module
 */
import type { Question } from "winnow-release";
import type { Candidates, PublicTable, Source, SourceOptions } from "../sources/source.js";

export class Rows {
  readonly #location: string;
  readonly #options: SourceOptions;
  #opening: Promise<Source> | undefined;
  #source: Source | undefined;
  #closing: Promise<void> | undefined;

  constructor(location: string, options: SourceOptions) {
    this.#location = location;
    this.#options = sourceOptions(options);
  }

  /** Opening may take long, where rows are awaited: then the signal ends the wait. */
  open(signal?: AbortSignal): Promise<Source> {
    const opening = this.#opening ?? this.#openOnce();
    this.#opening = opening;
    return signal === undefined ? opening : Promise.race([opening, aborted(signal)]);
  }

  /** What is still being opened ends with the program. */
  async close(): Promise<void> {
    this.#closing ??= this.#source?.close();
    await this.#closing;
  }

  async #openOnce(): Promise<Source> {
    this.#source = await openLazily(this.#location, this.#options);
    return this.#source;
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

/** Engines are large: they are loaded by the commands that need one. */
export async function openLazily(location: string, options: SourceOptions): Promise<Source> {
  const { openSource } = await import("../sources/open-source.js");
  return openSource(location, options);
}

function sourceOptions(options: SourceOptions): SourceOptions {
  const { format, table, query, delimiter, quote, multiline, memoryLimit, timeLimit } = options;
  return { format, table, query, delimiter, quote, multiline, memoryLimit, timeLimit };
}

/** What the source must count: for a list, its names, which only the question's hash stands for. */
export function candidatesFor(
  { domain, k }: Pick<Question, "domain" | "k">,
  items: readonly string[] = [],
  table?: PublicTable,
): Candidates {
  if (domain.kind === "listed") return { kind: "listed", items, table };
  if (domain.kind === "integers") return { kind: "integers", below: domain.below };
  return { kind: "largest", rows: k + 1 };
}
