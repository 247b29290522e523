/**
 * Files as a source, read by an embedded DuckDB in a process of its own.
 * @module
 */
import type { Batch, Candidates, HistogramRequest, Source, SourceOptions } from "../source.js";
import { ReaderClient } from "./reader-client.js";

const ITEMS_IN_A_PART = 16_384;

export async function openDuckdb(location: string, options: SourceOptions): Promise<Source> {
  const client = new ReaderClient(options.timeLimit, location === "-");
  try {
    const { folder } = client;
    const { columns, dialect } = await client.ask({ kind: "open", location, folder, options }, "opened");
    return new DuckdbSource(client, columns, dialect);
  } catch (error) {
    await client.close();
    throw error;
  }
}

class DuckdbSource implements Source {
  readonly #client: ReaderClient;
  #skipped: number | undefined;

  constructor(
    client: ReaderClient,
    readonly columns: readonly string[],
    readonly dialect: Readonly<Record<string, string>>,
  ) {
    this.#client = client;
  }

  async *histogram({ item, user, candidates, signal, onProgress }: HistogramRequest): AsyncGenerator<Batch> {
    this.#client.onProgress = onProgress;
    const ask = this.#client;
    const counted = await ask.ask({ kind: "count", roles: { item, user } }, "counted", signal);
    this.#skipped = counted.skipped;
    const asked = await this.#withoutItems(candidates, signal);
    let { batch } = await ask.ask({ kind: "read", candidates: asked }, "batch", signal);
    while (batch.items.length > 0) {
      yield batch;
      ({ batch } = await ask.ask({ kind: "next" }, "batch", signal));
    }
  }

  skippedLines(): number | undefined {
    return this.#skipped;
  }

  close(): Promise<void> {
    return this.#client.close();
  }

  /** A public list goes to the reader in parts, each sent when the last one has been taken. */
  async #withoutItems(candidates: Candidates, signal?: AbortSignal): Promise<Candidates> {
    if (candidates.kind !== "listed") return candidates;
    let part: string[] = [];
    for await (const item of candidates.items) {
      if (part.push(item) < ITEMS_IN_A_PART) continue;
      await this.#client.ask({ kind: "list", items: part }, "listed", signal);
      part = [];
    }
    if (part.length > 0) await this.#client.ask({ kind: "list", items: part }, "listed", signal);
    await this.#client.ask({ kind: "list", items: [] }, "listed", signal);
    return { kind: "listed", items: [] };
  }
}
