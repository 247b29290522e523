/**
 * The measurements of docs/guide/scale.md: `npm run scale -- [part …]`, parts being vary and heads (less than a minute each), streams,
 * file, command-line, groups, groups-2, postgres, clickhouse, trino, trino-10, service, service-load and service-growth, all of them by default. Needs PostgreSQL, ClickHouse, Trino (see
 * bench/trino/pom.xml), about 10 GB of disk and 12 GB of memory; servers and files are gone afterwards.
 * @module
 */
import { measureCommandLine } from "./measure-command-line.js";
import { measureClickhouse, measurePostgres, measureTrino } from "./measure-engines.js";
import { measureGroups } from "./measure-groups.js";
import { measureHeads } from "./measure-heads.js";
import { measureGrowth, measureLoad, measureService } from "./measure-service.js";
import { measureFile, measureStream } from "./measure-streams.js";
import { varyClickhouse, varyPostgres } from "./measure-variation.js";

const PARTS: Readonly<Record<string, () => Promise<object[]> | object[]>> = {
  vary: async () => [...(await varyPostgres()), ...(await varyClickhouse())].map(rounded),
  streams: () => [10, 100, 1000, 10_000].map(measureStream),
  file: async () => [await measureFile(1e8, 100)],
  "command-line": async () => (await measureCommandLine(2e7)).map(rounded),
  groups: async () => (await measureGroups(2e7)).map(rounded),
  "groups-2": async () => (await measureGroups(2e6)).map(rounded),
  postgres: async () =>
    (await measurePostgres({ rows: 1e7, users: 1e6, items: 1e5, rounds: 3 })).map(rounded),
  clickhouse: async () =>
    (await measureClickhouse({ rows: 5e7, users: 2e6, items: 2e5, rounds: 2 })).map(rounded),
  trino: async () => (await measureTrino(1, 2)).map(rounded),
  "trino-10": async () => (await measureTrino(10, 1)).map(rounded),
  service: async () => (await measureService(1e7)).map(rounded),
  "service-load": async () => (await measureLoad()).map(rounded),
  heads: async () => [...(await measureHeads(100)), ...(await measureHeads(1e5))].map(rounded),
  "service-growth": async () => (await measureGrowth([1e3, 1e4, 1e5, 1e6])).map(rounded),
};

const wanted = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(PARTS);
if (wanted.some((part) => PARTS[part] === undefined))
  throw new Error(`expected parts among ${Object.keys(PARTS).join(", ")}`);
for (const part of wanted) {
  console.log(`\n${part}`);
  console.table(await PARTS[part]());
}

function rounded(row: object): object {
  const round = (value: unknown) => (typeof value === "number" ? Number(value.toPrecision(3)) : value);
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, round(value)]));
}
