/**
 * Parquet files. The types of the columns stand in each file; several files are one source only if all have the same, for
 * the engine would read the others by the types of the first, and a value that does not fit would refuse them all.
 * @module
 */
import type { DuckDBConnection } from "@duckdb/node-api";
import { Refusal } from "../../refusal.js";
import { engineRefusal } from "./engine-refusal.js";
import type { Relation } from "./relation.js";
import { sqlList } from "./sql-text.js";
import { schemaOf, typedRelation } from "./typed-relation.js";

export async function openParquet(connection: DuckDBConnection, paths: readonly string[]): Promise<Relation> {
  const reader = (files: readonly string[]) => `read_parquet(${sqlList(files)}, hive_partitioning = false)`;
  try {
    const schemas: string[] = [];
    for (const path of paths) schemas.push(JSON.stringify([...(await schemaOf(connection, reader([path])))]));
    if (new Set(schemas).size > 1)
      throw new Refusal("broken-header", "The files that match the pattern have different columns.");
    return await typedRelation(connection, reader(paths), { format: "parquet" });
  } catch (error) {
    throw engineRefusal(error, "The file cannot be read as Parquet.");
  }
}
