/**
 * The same check on the curator's own file: the file without the rows of one of its people, for some people chosen at
 * random; and the file with the rows of a hostile stranger. Each file is read as a release reads it, by a separate process.
 * The report contains nothing that was read.
 * @module
 */
import { seededEntropy } from "winnow-dp/testing";
import { Refusal, splitHeader } from "winnow-release";
import type { Compression } from "../sources/files/compressed.js";
import { givenDialect } from "../sources/files/delimited-files.js";
import { fileFormat, firstLine } from "../sources/files/find-files.js";
import { spoolJsonArray } from "../sources/files/json-files.js";
import { makePrivateFolder, removePrivateFolder } from "../sources/files/private-folder.js";

import { openSource } from "../sources/open-source.js";
import type { Candidates, ContributionBound, SourceOptions } from "../sources/source.js";
import {
  boundOf,
  type Counts,
  comparePair,
  type PairResult,
  type Questions,
  type ReplayReport,
  reportOf,
} from "./compare-pair.js";
import { type FileNeighbours, lineNeighbours, parquetNeighbours } from "./file-neighbours.js";
import type { Row } from "./hostile-lines.js";
import { EVERY_ITEM, questionsOver } from "./replay-neighbours.js";

export interface DataReplayOptions {
  /** One file; rows on a server are counted there. */
  readonly location: string;
  readonly options?: SourceOptions | undefined;
  readonly item: string;
  readonly user: string;
  /** How many people are left out in turn, and how many strangers are added. Default 20. */
  readonly people?: number | undefined;
  readonly seed?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** The share done. */
  readonly onProgress?: ((share: number) => void) | undefined;
}

const MOST_CANDIDATES = 100;
const SEED = "data";

export async function replayData(replay: DataReplayOptions): Promise<ReplayReport> {
  const folder = makePrivateFolder();
  let neighbours: FileNeighbours | undefined;
  try {
    const { location, options = {}, item, user, seed = SEED } = replay;
    const { format } = fileFormat(location, options);
    const bound = boundOf(seed);
    const whole = await countSource(location, options, { item, user }, bound, replay.signal);
    if (whole instanceof Refusal) throw whole;
    neighbours = await neighboursOf(replay, folder);
    const candidates = [...whole.all.keys()].sort().slice(0, MOST_CANDIDATES);
    const questions = await questionsOver(candidates.length > 0 ? candidates : ["no one"]);
    return await replayAll(replay, format, whole, neighbours, questions);
  } finally {
    neighbours?.close();
    removePrivateFolder(folder);
  }
}

async function replayAll(
  { options = {}, people = 20, seed = SEED, signal, onProgress }: DataReplayOptions,
  format: string,
  whole: Counts,
  neighbours: FileNeighbours,
  questions: Questions,
): Promise<ReplayReport> {
  const entropy = seededEntropy(seed);
  const persons = await neighbours.people(people, entropy);
  const results: PairResult[] = [];
  const total = persons.length + people;
  for (let pair = 0; pair < total; pair++) {
    const isPerson = pair < persons.length;
    const path = await (isPerson ? neighbours.without(persons[pair]) : neighbours.withStranger(entropy));
    const plain = { ...options, format: undefined };
    const counts = await countSource(path, plain, neighbours.roles, boundOf(seed), signal);
    const [less, more] = isPerson ? [counts, whole] : [whole, counts];
    results.push(await comparePair(format, less, more, questions, `${seed} ${pair}`));
    onProgress?.((pair + 1) / total);
  }
  return reportOf(results, seed);
}

async function neighboursOf(replay: DataReplayOptions, folder: string): Promise<FileNeighbours> {
  const { location, options = {}, item, user } = replay;
  const roles = { item, user };
  const { format, compression } = fileFormat(location, options);
  switch (format) {
    case "parquet":
      return parquetNeighbours(location, roles, folder);
    case "json":
      return objectNeighbours(
        await spoolJsonArray({ paths: [location], compression }, folder),
        "none",
        roles,
        folder,
        true,
      );
    case "ndjson":
      return objectNeighbours(location, compression, roles, folder, false);
    case "csv":
    case "tsv": {
      const [header = ""] = await firstLine(location, compression);
      const { columns, ...dialect } = splitHeader(header, givenDialect(format, options));
      return lineNeighbours(
        { path: location, compression, layout: { format, columns, dialect, roles } },
        folder,
      );
    }
    case "duckdb":
      throw new Refusal("usage", "The replay needs one file of rows, not a database.");
  }
}

function objectNeighbours(
  path: string,
  compression: Compression,
  roles: Row,
  folder: string,
  isArray: boolean,
): FileNeighbours {
  const dialect = { delimiter: ",", quote: '"' };
  const layout = { format: "ndjson", columns: [roles.item, roles.user], dialect, roles } as const;
  return lineNeighbours({ path, compression, layout, isArray }, folder);
}

/** Users of each item, with and without the limit, and of each number, read as a release reads them. */
async function countSource(
  location: string,
  options: SourceOptions,
  roles: Row,
  bound: ContributionBound,
  signal: AbortSignal | undefined,
): Promise<Counts> {
  try {
    const source = await openSource(location, options);
    const count = async (candidates: Candidates, bound?: ContributionBound) => {
      const counts = new Map<string, number>();
      const request = { ...roles, candidates, bound, signal };
      for await (const { items, users } of source.histogram(request))
        for (const [i, item] of items.entries()) counts.set(item, users[i]);
      return counts;
    };
    try {
      return {
        all: await count(EVERY_ITEM),
        kept: await count(EVERY_ITEM, bound),
        numbers: await count({ kind: "numbers" }, bound).catch(unlessNotNumbers),
      };
    } finally {
      await source.close();
    }
  } catch (error) {
    if (error instanceof Refusal && error.code !== "interrupted") return error;
    throw error;
  }
}

/** A column whose type can't hold numbers has none. */
function unlessNotNumbers(error: unknown): ReadonlyMap<string, number> {
  if (error instanceof Refusal && error.code === "unknown-column") return new Map();
  throw error;
}
