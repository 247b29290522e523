import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { DuckDBInstance } from "@duckdb/node-api";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type StreamState, TopKStream } from "winnow-dp";

const SHARD = new URL("../../../../examples/shards/shard.mjs", import.meta.url);
const OPTIONS = { k: 3, scale: "1e-6", monotone: true };

interface Report {
  readonly pushed: number;
  readonly state: StreamState<string>;
}

describe("Shards in worker threads", () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "winnow-shards-test-"));
    const instance = await DuckDBInstance.create(":memory:", { threads: "1" });
    const connection = await instance.connect();
    // Page n has as many users as its number says, below twenty.
    await connection.run(`CREATE TABLE visits AS SELECT 'user ' || person AS "user", 'page ' || page AS item
      FROM range(20) AS pages (page), range(20) AS people (person) WHERE person < page`);
    for (let shard = 0; shard < 4; shard++)
      await connection.run(`COPY (FROM visits WHERE md5_number_lower(item) % 4 = ${shard})
        TO '${join(folder, `${shard}.parquet`)}' (FORMAT parquet)`);
    await connection.run(`COPY visits TO '${join(folder, "all.parquet")}' (FORMAT parquet)`);
    connection.closeSync();
    instance.closeSync();
  });
  afterAll(() => rm(folder, { recursive: true }));

  function count(file: string, shard: number): Promise<Report> {
    const worker = new Worker(SHARD, { workerData: { files: join(folder, file), shard, options: OPTIONS } });
    return new Promise((resolve, reject) => {
      worker.once("message", resolve);
      worker.once("error", reject);
    });
  }

  it("send streams that merge into the answer over all of them", async () => {
    const whole = new TopKStream<string>(OPTIONS);
    let pushed = 0;
    for (let shard = 0; shard < 4; shard++) {
      const report = await count(`${shard}.parquet`, shard);
      whole.attach(report.state);
      pushed += report.pushed;
    }
    expect(pushed).toBe(2000);
    expect(whole.finish().winners.map(({ candidate }) => candidate)).toEqual([
      "page 19",
      "page 18",
      "page 17",
    ]);
  });

  it("refuse items that another shard counts too", async () => {
    await expect(count("all.parquet", 2)).rejects.toThrow("shard 2 has items of another shard");
  });
});
