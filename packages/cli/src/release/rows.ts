/**
 * The private source of a release, opened when it is needed and once: standard input can be read a single time.
 * @module
 */
import type { Question } from "winnow-release";
import type { Candidates, Source, SourceOptions } from "../sources/source.js";

export class Rows {
  readonly #location: string;
  readonly #options: SourceOptions;
  #source: Promise<Source> | undefined;

  constructor(location: string, options: SourceOptions) {
    this.#location = location;
    this.#options = sourceOptions(options);
  }

  open(): Promise<Source> {
    const source = this.#source ?? openLazily(this.#location, this.#options);
    this.#source = source;
    return source;
  }

  async close(): Promise<void> {
    const source = await this.#source?.catch(() => undefined);
    await source?.close();
  }
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
): Candidates {
  if (domain.kind === "listed") return { kind: "listed", items };
  if (domain.kind === "integers") return { kind: "integers", below: domain.below };
  return { kind: "largest", rows: k + 1 };
}
