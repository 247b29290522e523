/**
 * One shard: counts the distinct users of its items, pushes each item once into a stream of its own, and sends the stream
 * to the main thread. What is sent holds noise, so it is moved, not copied, and used once.
 */
import { parentPort, workerData } from "node:worker_threads";
import { DuckDBInstance } from "@duckdb/node-api";
import { TopKStream } from "winnow-dp";
import { LISTED, SHARD_OF } from "./partition.mjs";

const { files, shard, options } = workerData;
const instance = await DuckDBInstance.create(":memory:", { threads: "1", memory_limit: "256MB" });
const connection = await instance.connect();
const rows = `read_parquet('${files.replaceAll("'", "''")}', hive_partitioning = false)`;

// The rule, checked where it can be: an item of another shard would be pushed there too, or with a part of its count.
const strays = await connection.runAndReadAll(`SELECT 1 FROM ${rows} WHERE ${SHARD_OF} <> ${shard} LIMIT 1`);
if (strays.currentRowCount > 0) throw new Error(`shard ${shard} has items of another shard`);

const counts = await connection.stream(`
  SELECT item, count(DISTINCT "user")::DOUBLE
  FROM (SELECT item FROM ${LISTED} WHERE ${SHARD_OF} = ${shard}) LEFT JOIN ${rows} USING (item)
  GROUP BY item`);

/** @type {TopKStream<string>} */
const stream = new TopKStream(options);
let pushed = 0;
for (let chunk = await counts.fetchChunk(); chunk && chunk.rowCount > 0; chunk = await counts.fetchChunk()) {
  const [items, users] = chunk.getColumns();
  items.forEach((item, row) => {
    stream.push(String(item), Number(users[row]));
  });
  pushed += chunk.rowCount;
}
connection.closeSync();
instance.closeSync();

const state = stream.detach();
parentPort?.postMessage({ shard, pushed, state }, [state.words.buffer, state.bits.buffer]);
