/**
 * A private top five of a data set in shards. Rows of visits lie in Parquet files, partitioned by page; a worker thread
 * for each shard counts its pages and keeps the few that can still win; the main thread merges what the workers send, and
 * answers. No thread sees all candidates, and a few hundred bytes cross from each, whatever the number of rows.
 *
 *     node examples/shards/main.js
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { DuckDBInstance } from "@duckdb/node-api";
import { TopKStream } from "winnow-dp";
import { PAGES, SHARD_OF, SHARDS } from "./partition.mjs";

const ROWS = 200_000;
const USERS = 20_000;
/** Counts of distinct users are monotone: one user more moves all of them up or leaves them. */
const OPTIONS = { k: 5, epsilon: 1, resolution: "0.1", monotone: true };

const folder = await mkdtemp(join(tmpdir(), "winnow-shards-"));
try {
  await writeShards();
  /** @type {TopKStream<string>} */
  const whole = new TopKStream(OPTIONS);
  const reports = await Promise.all(Array.from({ length: SHARDS }, (_, shard) => countShard(shard)));
  for (const { state } of reports) whole.attach(state);
  const pushed = reports.reduce((sum, report) => sum + report.pushed, 0);
  // Shards are disjoint because each checked its own items; together they must be the whole public list.
  if (pushed !== PAGES) throw new Error(`the shards pushed ${pushed} of ${PAGES} candidates`);
  const { winners, privacy } = whole.finish();
  console.log(`${ROWS} visits of ${USERS} users to ${PAGES} pages, counted in ${SHARDS} shards.\n`);
  for (const { candidate, gap } of winners)
    console.log(`  ${candidate.padEnd(12)} leads the next by about ${gap?.toNumber().toFixed(1)} users`);
  if (privacy.measure === "pure") console.log(`\nPrivacy loss: epsilon = ${privacy.epsilon}.`);
} finally {
  await rm(folder, { recursive: true });
}

/** Visits as someone else would have written them: a partition for each shard, pages with Zipf's law. */
async function writeShards() {
  const instance = await DuckDBInstance.create(":memory:", { threads: "1" });
  const connection = await instance.connect();
  await connection.run(`
    COPY (
      SELECT *, ${SHARD_OF} AS shard
      FROM (
        SELECT 'user ' || (random() * ${USERS})::INTEGER AS "user",
               'page ' || least(floor(pow(${PAGES}, random())), ${PAGES - 1})::INTEGER AS item
        FROM range(${ROWS})
      )
    ) TO '${folder}' (FORMAT parquet, PARTITION_BY (shard), OVERWRITE)`);
  connection.closeSync();
  instance.closeSync();
}

/**
 * @typedef {{ shard: number, pushed: number, state: import("winnow-dp").StreamState<string> }} Report
 * @param {number} shard
 * @returns {Promise<Report>}
 */
function countShard(shard) {
  const files = join(folder, `shard=${shard}`, "*.parquet");
  const worker = new Worker(new URL("./shard.mjs", import.meta.url), {
    workerData: { files, shard, options: OPTIONS },
  });
  return new Promise((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", reject);
    worker.once("exit", () => reject(new Error(`shard ${shard} ended without a report`)));
  });
}
