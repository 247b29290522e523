/**
 * `winnow top` from the command to the release, its own process, the reader's and the ledger included, against the plain
 * GROUP BY of the engine that it reads with, in this process: over the same reading of each line on its own, and with the
 * engine's default reader, in as many threads as the engine takes by itself; and, for comparison, over the same reading in
 * as many threads as we give it. All count exactly, in the faster of the two forms that the engine has for it.
 *
 * The rivals run in several threads and processes, so time is time on the clock: let nothing else run.
 * @module
 */
import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { type Engine, openEngine, threadsWithin } from "winnow-cli/dist/sources/files/engine.js";
import { relationOf } from "winnow-cli/dist/sources/files/open-relation.js";
import { quartiles } from "../quartiles.js";
import type { Outcome } from "../race.js";
import { runWinnow } from "../scale/run-winnow.js";
import type { MeasuredWork, Suite } from "../suite.js";

const ROWS = 10_000_000;
const [ROUNDS, QUICK_ROUNDS] = [7, 1];
const [ITEMS, USERS, K] = [100_000, 1_000_000, 10];
const ASKED = [
  "--item",
  "item",
  "--user",
  "user",
  "-k",
  String(K),
  "--epsilon",
  "1",
  "--delta",
  "1e-6",
  "--json",
];
const RIVALS = [
  { name: "GROUP BY, each line on its own", goal: 1.15 },
  { name: "GROUP BY, default reader", goal: 2 },
  { name: "GROUP BY, each line on its own, in our threads" },
];

export const top: Suite = {
  name: "top",
  works: [
    work("no field quoted", "item", ""),
    work("every field quoted", "item", ", FORCE_QUOTE *"),
    work(
      "separators in one item of twenty",
      "CASE WHEN hash(row) % 20 = 0 THEN item || ', x' ELSE item END",
      "",
    ),
  ],
};

function work(what: string, item: string, options: string): MeasuredWork {
  return {
    name: `winnow top, 10,000,000 rows of CSV, Zipf, 100,000 items, 1,000,000 users, ${what}`,
    measure: (isQuick) => measure(item, options, isQuick ? QUICK_ROUNDS : ROUNDS),
  };
}

async function measure(item: string, options: string, rounds: number): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), "winnow-bench-"));
  const path = join(folder, "visits.csv");
  const engine = await openEngine({ folder });
  try {
    await engine.connection.run(`SELECT setseed(0.5)`);
    await engine.connection.run(`COPY (SELECT "user", ${item} AS item FROM (SELECT range AS row,
      'user-' || floor(random() * ${USERS})::INTEGER AS "user", 'item-' || floor(power(${ITEMS}, random()))::INTEGER AS item
      FROM range(${ROWS}))) TO '${path}' (FORMAT csv, HEADER true ${options})`);
    return await race(engine, path, rounds);
  } finally {
    engine.close();
    rmSync(folder, { recursive: true });
  }
}

/** One after the other, round by round, so that what else the machine does hits all alike. */
async function race(engine: Engine, path: string, rounds: number): Promise<Outcome> {
  const relation = await relationOf(engine, "csv", { paths: [path], compression: "none" });
  const lineByLine = relation.rows({ item: "item", user: "user" });
  const contenders = [
    async () => void (await runWinnow(["top", path, ...ASKED])),
    () => group(engine, lineByLine, availableParallelism()),
    () => group(engine, `SELECT item, "user" FROM read_csv('${path}')`, availableParallelism()),
    () => group(engine, lineByLine, threadsWithin()),
  ];
  const times: number[][] = [];
  for (let round = 0; round <= rounds; round++) {
    const seconds: number[] = [];
    for (const contender of contenders) seconds.push(await secondsOf(contender));
    if (round > 0) times.push(seconds); // the first one fills the caches
  }
  const time = (name: string, which: number) => {
    const { median } = quartiles(times.map((round) => round[which]));
    // Allocations are in other processes and outside JavaScript.
    return { name, nanoseconds: (median * 1e9) / ROWS, milliseconds: median * 1000, bytes: Number.NaN };
  };
  return {
    unit: "row",
    subject: time("winnow top", 0),
    rivals: RIVALS.map(({ name, goal }, rival) => ({
      ...time(name, rival + 1),
      ...(goal !== undefined && { goal }),
      ratio: quartiles(times.map((round) => round[0] / round[rival + 1])),
    })),
  };
}

async function group({ connection }: Engine, rows: string, threads: number): Promise<void> {
  await connection.run(`SET threads = ${threads}`);
  const result = await connection.run(`SELECT item, count(*) AS users FROM
    (SELECT item, "user" FROM (${rows}) WHERE item <> '' AND "user" <> '' GROUP BY item, "user")
    GROUP BY item ORDER BY users DESC LIMIT ${K + 1}`);
  if ((await result.getRows()).length !== K + 1) throw new Error("the GROUP BY gave another number of rows");
}

async function secondsOf(run: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await run();
  return (performance.now() - start) / 1000;
}
