import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import { histogramOf, runSql, useFolder } from "./source-folder.js";

const ITEMS = [
  "apple",
  "pear",
  "17",
  "17.0",
  " 17",
  "a,b",
  'say "hi"',
  "é",
  "e\u0301",
  "\uFEFFmark",
  "tab\there",
  "=1+1",
  "'",
  "semi;colon",
  "😀",
];

describe("the same rows give the same histogram, row for row", () => {
  const { folder, write } = useFolder();
  const rows: { user: string; item: string }[] = [];
  const expected: Record<string, number> = {};

  beforeAll(async () => {
    for (let user = 0; user < 40; user++)
      for (const [i, item] of ITEMS.entries())
        if ((user * 7 + i * 3) % 5 < 2)
          rows.push({ user: `user ${user}`, item }, { user: `user ${user}`, item });
    rows.push({ user: "", item: "apple" }, { user: "nobody", item: "" });
    for (const item of ITEMS)
      expected[item] = new Set(
        rows.filter((row) => row.item === item && row.user !== "").map(({ user }) => user),
      ).size;

    const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
    const lines = (delimiter: string) =>
      ["user", ...rows.map(({ user }) => quoted(user))].map((user, i) =>
        [user, "x", i === 0 ? "item" : quoted(rows[i - 1].item)].join(delimiter),
      );
    write("rows.csv", lines(",").join("\n").replace(",x,", ",other,"));
    write("rows.tsv", lines("\t").join("\r\n").replace("\tx\t", "\tother\t"));
    write("rows.ndjson", rows.map((row) => JSON.stringify(row)).join("\n"));
    write("rows.json", JSON.stringify(rows, null, 2));
    for (const name of ["rows.csv", "rows.ndjson", "rows.json"])
      write(`${name}.gz`, gzipSync(readFileSync(`${folder}/${name}`)));
    write(
      "part-1.csv",
      `user,item\n${rows
        .slice(0, 100)
        .map(({ user, item }) => `${quoted(user)},${quoted(item)}`)
        .join("\n")}`,
    );
    write(
      "part-2.csv",
      `user,item\n${rows
        .slice(100)
        .map(({ user, item }) => `${quoted(user)},${quoted(item)}`)
        .join("\n")}\n`,
    );
    // Quoted by a sign that is not there: each line is one value.
    for (const name of ["rows.csv", "rows.ndjson", "rows.json"])
      await runSql(
        `COPY (FROM read_csv('${folder}/${name}', columns = {'line': 'VARCHAR'}, header = false, delim = E'\\x01', quote = '', escape = '', nullstr = 'none', auto_detect = false))
          TO '${folder}/${name}.zst' (FORMAT csv, HEADER false, DELIMITER E'\\x01', QUOTE E'\\x02', COMPRESSION zstd)`,
      );
    await runSql(
      `CREATE TABLE visits AS SELECT "user", item FROM read_json('${folder}/rows.ndjson', columns = {'user': 'VARCHAR', 'item': 'VARCHAR'})`,
      `COPY visits TO '${folder}/rows.parquet'`,
      `ATTACH '${folder}/rows.duckdb' AS made; CREATE TABLE made.visits AS FROM visits`,
    );
  });

  it.each([
    ["CSV", "rows.csv", {}],
    ["TSV", "rows.tsv", {}],
    ["NDJSON", "rows.ndjson", {}],
    ["JSON", "rows.json", { multiline: true }],
    ["Parquet", "rows.parquet", {}],
    ["CSV through gzip", "rows.csv.gz", {}],
    ["NDJSON through gzip", "rows.ndjson.gz", {}],
    ["JSON through gzip", "rows.json.gz", { multiline: true }],
    ["CSV through zstd", "rows.csv.zst", {}],
    ["NDJSON through zstd", "rows.ndjson.zst", {}],
    ["JSON through zstd", "rows.json.zst", { multiline: true }],
    ["a pattern of files", "part-*.csv", {}],
    ["CSV with multiline fields allowed", "rows.csv", { multiline: true }],
    ["a table of a DuckDB file", "rows.duckdb", { table: "visits" }],
    ["a table with its schema", "rows.duckdb", { table: "main.visits" }],
    [
      "a query of a DuckDB file",
      "rows.duckdb",
      { trustQuery: true, query: 'SELECT "user", item FROM visits WHERE item IS NOT NULL; -- all' },
    ],
  ])("through %s", async (_, name, options) => {
    const { histogram } = await histogramOf(`${folder}/${name}`, options);
    expect(histogram).toEqual(expected);
  });

  it.each(["\n", "\r\n\n", "\n\n\r"])("through CSV with blank lines before the header: %j", async (blank) => {
    write("blank.csv", `${blank}user,item\na,x\n\nb,x\n`);
    expect((await histogramOf(`${folder}/blank.csv`)).histogram).toEqual({ x: 2 });
    await expect(histogramOf(`${folder}/blank.csv`, { multiline: true })).rejects.toMatchObject({
      code: "broken-header",
    });
    write("blunk.csv", "user,item\nc,y\n");
    expect((await histogramOf(`${folder}/bl?nk.csv`)).histogram).toEqual({ x: 2, y: 1 });
  });

  it.each([
    ["CSV", "rows.csv", "csv"],
    ["gzip", "rows.csv.gz", "csv"],
    ["zstd", "rows.csv.zst", "csv"],
    ["Parquet", "rows.parquet", "parquet"],
  ])("through standard input with %s", async (_, name, format) => {
    expect(await throughStandardInput(`${folder}/${name}`, format)).toEqual(expected);
  });

  it("counts only what has rows, most users first, and ties by name", async () => {
    const { histogram } = await histogramOf(`${folder}/rows.csv`, {}, { kind: "largest", rows: 3 });
    const best = Object.entries(expected).sort(
      ([a, m], [b, n]) => n - m || Buffer.compare(Buffer.from(a), Buffer.from(b)),
    );
    expect(Object.entries(histogram).sort()).toEqual(best.slice(0, 3).sort());
  });
});

/** In a process of its own, whose standard input is the file. */
async function throughStandardInput(path: string, format: string): Promise<unknown> {
  const module = fileURLToPath(new URL("../../dist/sources/open-source.js", import.meta.url));
  const script = `const { openSource } = await import(${JSON.stringify(module)});
    const source = await openSource("-", { format: ${JSON.stringify(format)} });
    const counts = {};
    for await (const { items, users } of source.histogram({ item: "item", user: "user", candidates: { kind: "largest", rows: 1000 } }))
      items.forEach((item, i) => { counts[item] = users[i]; });
    await source.close();
    console.log(JSON.stringify(counts));`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  child.stdin.end(readFileSync(path));
  let output = "";
  for await (const chunk of child.stdout) output += chunk;
  return JSON.parse(output);
}
