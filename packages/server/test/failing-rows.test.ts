import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it, onTestFinished } from "vitest";
import { COUNT_FAILED } from "winnow-release";
import { PostgresServer } from "../../../bench/src/scale/postgres-server.js";
import { describeOnPostgres } from "../../cli/test/servers/support/installed.js";
import { openService, type ServiceFolder, serviceFolder, TOP } from "./support/service-folder.js";

/** A service over the machine's own readers; each release counts anew. */
async function serving(source: Readonly<Record<string, unknown>>, write: (folder: ServiceFolder) => void) {
  const folder = await serviceFolder({
    "datasets/visits/maxAge": 0,
    "datasets/unlisted": undefined,
    "datasets/minutes": undefined,
    "analysts/alice/caps": { visits: { epsilon: "3" } },
    ...Object.fromEntries(Object.entries(source).map(([name, value]) => [`datasets/visits/${name}`, value])),
  });
  onTestFinished(folder.remove);
  write(folder);
  const opened = await openService(folder, { openRows: folder.host.openRows });
  onTestFinished(() => opened.service.close());
  return { ...opened, folder };
}

/** A release on rows that fail: it is refused with the same sentence, and charged. */
async function expectCharged({ service, events }: Awaited<ReturnType<typeof serving>>) {
  const refusal = { code: "count-failed", message: COUNT_FAILED };
  await expect(service.release("bob", "visits", TOP as never, "key")).rejects.toMatchObject(refusal);
  expect(events.filter(({ event }) => event === "count-failed")).toHaveLength(1);
  expect((await service.budget("bob", "visits")).cap.spent.epsilon).toBe("1");
}

const CSV = "user,area\nann,mail\nbob,news\n";
const ROWS = [
  { user: "ann", area: "mail" },
  { user: "bob", area: "news" },
];

describe("rows that can't be read are charged and refused alike", () => {
  it.each<[string, (bytes: Buffer) => Buffer]>([
    [
      "a wrong checksum",
      (bytes) => Buffer.from(bytes.map((byte, at) => (at === bytes.length - 6 ? ~byte : byte))),
    ],
    ["bytes after its end", (bytes) => Buffer.concat([bytes, Buffer.from("trailing")])],
    ["a cut end", (bytes) => bytes.subarray(0, -5)],
  ])("a gzip file with %s", async (_, damage) => {
    const packed = gzipSync(CSV);
    const name = "visits.csv.gz";
    const served = await serving({ source: name }, ({ path }) => writeFileSync(join(path, name), packed));
    writeFileSync(join(served.folder.path, name), damage(packed));
    await expectCharged(served);
  });

  it("a JSON array with a malformed element", async () => {
    const name = "visits.json";
    const served = await serving({ source: name, multiline: true }, ({ path }) =>
      writeFileSync(join(path, name), JSON.stringify(ROWS)),
    );
    const broken = JSON.stringify(ROWS).replace('"news"', '"news');
    writeFileSync(join(served.folder.path, name), broken);
    await expectCharged(served);
  });
});

describeOnPostgres(
  "rows of a PostgreSQL server that raise what servers raise are charged and refused alike",
  () => {
    it.each([
      ["a missing permission", "RAISE EXCEPTION 'row' USING ERRCODE = '42501'"],
      ["an invalid authorization", "RAISE EXCEPTION 'row' USING ERRCODE = '28000'"],
      ["a failed connection", "RAISE EXCEPTION 'row' USING ERRCODE = '08006'"],
      ["the end of its own session", "PERFORM pg_terminate_backend(pg_backend_pid())"],
    ])("%s", async (_, statement) => {
      const server = await PostgresServer.start();
      onTestFinished(() => server.stop());
      await server.sql(`
      CREATE TABLE private (person text, place text, ok boolean);
      INSERT INTO private VALUES ('ann', 'mail', true), ('bob', 'news', true);
      CREATE FUNCTION masked(place text, ok boolean) RETURNS text LANGUAGE plpgsql AS
        $$ BEGIN IF NOT ok THEN ${statement}; END IF; RETURN place; END $$;
      CREATE VIEW visits AS SELECT person AS "user", masked(place, ok) AS area FROM private`);
      const served = await serving({ source: server.url(), table: "visits" }, () => {});
      await server.sql("UPDATE private SET ok = false WHERE person = 'bob'");
      await expectCharged(served);
    });
  },
);
