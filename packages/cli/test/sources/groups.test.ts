import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSource } from "../../src/sources/open-source.js";
import type { Source, SourceOptions } from "../../src/sources/source.js";
import {
  countGroups,
  countGroupsHere,
  GROUP_CANDIDATES,
  GROUP_REQUESTS,
  groupedRows,
  isCounted,
  PANELS,
} from "../support/grouped-rows.js";
import { runSql, useFolder } from "./source-folder.js";

/** The servers: servers/groups-on-servers.test.ts. */
describe("a histogram in groups, in files", () => {
  const { folder, write } = useFolder();
  const rows = groupedRows();
  const sources = new Map<string, Source>();

  beforeAll(async () => {
    const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
    const lines = (of: (text: string) => string) => [
      "country,month,x,user,item",
      ...rows.map((row) => [row.country, row.month, "x", row.user, row.item].map(of).join(",")),
    ];
    write("rows.csv", lines(quoted).join("\n"));
    write("plain.csv", lines((text) => text).join("\n"));
    write(
      "bare.csv",
      lines((text) => text)
        .slice(1)
        .join("\n"),
    );
    write("rows.ndjson", rows.map((row) => JSON.stringify(row)).join("\n"));
    write(
      "mixed.ndjson",
      rows
        .map((row, i) => JSON.stringify(i % 2 ? row : Object.fromEntries(Object.entries(row).reverse())))
        .join("\n"),
    );
    await runSql(`COPY (FROM read_json('${folder}/rows.ndjson', columns = {'user': 'VARCHAR', 'item': 'VARCHAR', 'country': 'VARCHAR', 'month': 'VARCHAR'}))
      TO '${folder}/rows.parquet'`);
    const options: Record<string, SourceOptions> = {
      "rows.csv": {},
      "plain.csv": {},
      "rows.ndjson": {},
      "mixed.ndjson": {},
      "rows.parquet": {},
    };
    for (const [name, with_] of Object.entries(options))
      sources.set(name, await openSource(`${folder}/${name}`, with_));
  });
  afterAll(async () => {
    for (const source of sources.values()) await source.close();
  });

  it.each(["rows.csv", "plain.csv", "rows.ndjson", "mixed.ndjson", "rows.parquet"])("%s", async (name) => {
    const all = GROUP_REQUESTS.flatMap((groups) =>
      GROUP_CANDIDATES.map((candidates) => ({ groups, candidates })),
    );
    // Another format differs in the rows only.
    for (const { groups, candidates } of all.filter((_, i) => name === "rows.csv" || i % 5 === 0))
      expect(
        await countGroups(sources.get(name)!, groups, candidates),
        JSON.stringify([groups.by, groups.perUser, candidates]),
      ).toEqual(countGroupsHere(rows, groups, candidates));
    expect(sources.get(name)!.skippedLines() ?? 0).toBe(0);
  });

  it("counts the people of a period", async () => {
    for (const panel of PANELS.flat()) {
      const counted = rows.filter(({ user }) => isCounted(user, panel));
      const [[groups], [candidates]] = [GROUP_REQUESTS, GROUP_CANDIDATES];
      const found = await countGroups(sources.get("rows.csv")!, groups, candidates, panel);
      expect(found).toEqual(countGroupsHere(counted, groups, candidates));
    }
  });

  it("finds columns by their numbers in a file without a header", async () => {
    const source = await openSource(`${folder}/bare.csv`, { header: false });
    try {
      const request = { item: "5", user: "4", candidates: { kind: "largest", rows: 9 } } as const;
      const groups = { ...GROUP_REQUESTS[0], by: ["1"] };
      const counts: Record<string, number> = {};
      for await (const { group, items, users } of source.histogram({ ...request, groups }))
        for (const [i, item] of items.entries()) counts[`${group} ${item}`] = users[i];
      const expected = countGroupsHere(rows, GROUP_REQUESTS[0], request.candidates);
      expect(counts).toEqual(
        Object.fromEntries(expected.map(([group, item, users]) => [`${group} ${item}`, users])),
      );
    } finally {
      await source.close();
    }
  });

  it("counts skipped lines, and the same columns twice are refused", async () => {
    const broken = write("broken.csv", "country,user,item\nDE,u,a\nDE,u\nDE,u,b,c\nFR,v,a\n");
    const source = await openSource(broken);
    try {
      const groups = { by: ["country"], perUser: 1, key: new Uint8Array(32), listed: ["DE"] };
      const candidates = { kind: "largest", rows: 9 } as const;
      expect(await countGroups(source, groups, candidates)).toEqual([["DE", "a", 1]]);
      expect(source.skippedLines()).toBe(2);
      expect(source.itemsInRows()).toBe(1);
      for (const by of [["user"], ["country", "country"], [], ["country", "user", "item"]])
        await expect(countGroups(source, { ...groups, by }, candidates)).rejects.toThrow("--by");
      await expect(countGroups(source, { ...groups, by: ["land"] }, candidates)).rejects.toThrow(
        'no column "land"',
      );
    } finally {
      await source.close();
    }
  });

  it("counts in passes, each person in one of them", async () => {
    const { countUsers, readCounts } = await import("../../src/sources/files/count-users.js");
    const { openEngine } = await import("../../src/sources/files/engine.js");
    const { relationOf } = await import("../../src/sources/files/open-relation.js");
    const engine = await openEngine({ folder });
    try {
      const path = `${folder}/rows.ndjson`;
      const relation = await relationOf(engine, "ndjson", { paths: [path], compression: "none" });
      await relation.lines?.survey();
      const [groups] = GROUP_REQUESTS;
      const counting = { roles: { item: "item", user: "user" }, groups: { ...groups, isOfGroups: false } };
      let failures = 0;
      const connection = new Proxy(engine.connection, {
        get: (target, name) =>
          name !== "run"
            ? Reflect.get(target, name)
            : (sql: string, values: never) => {
                // As if the first attempt didn't fit into memory.
                if (failures === 0 && sql.includes("temp.aside") === false && sql.includes("beyond")) {
                  failures++;
                  return Promise.reject(new Error("Out of Memory Error: no room"));
                }
                return target.run(sql, values);
              },
      });
      await countUsers(connection, relation, counting);
      expect(failures).toBe(1);
      const counts: GroupCount[] = [];
      const candidates = { kind: "largest", rows: 1000 } as const;
      for await (const { group = "", items, users } of readCounts(engine.connection, candidates, true))
        for (const [i, item] of items.entries()) counts.push([group, item, users[i]]);
      const byName = ([a, x]: GroupCount, [b, y]: GroupCount) =>
        Buffer.compare(Buffer.from(a), Buffer.from(b)) || Buffer.compare(Buffer.from(x), Buffer.from(y));
      expect(counts.sort(byName)).toEqual(countGroupsHere(rows, groups, candidates));
    } finally {
      engine.close();
    }
  });
});

type GroupCount = readonly [group: string, item: string, users: number];
