/**
 * Ledgers of every older version of the tables and functions, as they were made then (older-schemas), with entries and outdated totals: refused
 * as they are, brought up to date by their owner, and then the same ledger.
 */
import { readdirSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { Ledger, MemoryStore, readQuestion } from "winnow-release";
import { all, exampleRelease } from "../../../release/test/ledger/laws/place.js";
import {
  DEFAULT_ROLE,
  makeServerLedger,
  openLedger,
  readLedgerAddress,
} from "../../src/ledger/open-ledger.js";
import { fingerprint, VERSION, versionOf } from "../../src/ledger/postgres-migration.js";
import { LISTING } from "../../src/ledger/postgres-schema.js";
import { connectTo } from "../../src/ledger/postgres-session.js";
import { describeOnPostgres } from "./support/installed.js";
import { CHARGER, LedgerServer } from "./support/postgres-ledgers.js";

const FOLDER = new URL("./older-schemas/", import.meta.url);
const VERSIONS = readdirSync(FOLDER)
  .map((file) => Number(/^(\d+)\.sql$/.exec(file)?.[1]))
  .sort((a, b) => a - b);

describeOnPostgres("a ledger of an older version", () => {
  let ledgers: LedgerServer;
  let file: Ledger;
  let texts: string[];

  beforeAll(async () => {
    ledgers = await LedgerServer.start();
    file = new Ledger(new MemoryStore(), { software: { name: "winnow-cli", version: "0.0.0" } });
    await file.setBudget("visits", { measure: "pure", epsilon: "5" });
    await file.record("visits", exampleRelease("a"), { spender: { analyst: "alice" } });
    await file.setBudget("sales", { measure: "zcdp", rho: "1", delta: "1e-5" });
    const question = readQuestion({
      k: 2,
      domain: { kind: "unknown" },
      rho: "1/10",
      delta: "1e-6",
      unit: "u",
    });
    await file.reserve("sales", "b", question);
    await file.record("visits", exampleRelease("c"));
    [, ...texts] = (await all(file.exported())).join("").trimEnd().split("\n");
  });
  afterAll(async () => {
    await file?.close();
    await ledgers?.stop();
  });

  const opened = async (location: string): Promise<Ledger> => {
    const ledger = await openLedger(location);
    onTestFinished(() => ledger.close());
    return ledger;
  };

  /** With the same entries as the file, and totals that no version would count. */
  const older = async (version: number, lines = texts): Promise<string> => {
    const name = `older_${version}_${lines.length}`;
    await ledgers.run("postgres", `CREATE DATABASE ${name}`);
    onTestFinished(async () => void (await ledgers.run("postgres", `DROP DATABASE ${name} WITH (FORCE)`)));
    const schema = readFileSync(new URL(`${version}.sql`, FOLDER), "utf8");
    await ledgers.run(
      name,
      `${schema};
      INSERT INTO winnow_ledger.secret VALUES (true, '${"0f".repeat(32)}');
      GRANT USAGE ON SCHEMA winnow_ledger TO ${DEFAULT_ROLE};
      GRANT SELECT ON ALL TABLES IN SCHEMA winnow_ledger TO ${DEFAULT_ROLE};
      GRANT EXECUTE ON FUNCTION winnow_ledger.take_turn(), winnow_ledger.append TO ${DEFAULT_ROLE};
      ${lines
        .map(
          (text, at) =>
            `INSERT INTO winnow_ledger.log SELECT ${at + 1}, encode(sha256(convert_to($line$${text}$line$, 'UTF8')), 'hex'), $line$${text}$line$;`,
        )
        .join("\n")}
      INSERT INTO winnow_ledger.accounts VALUES ('"visits"', 1, '{"charges":[],"releases":0,"units":[]}'), ('"junk"', 2, '{}');
      INSERT INTO winnow_ledger.releases VALUES ('junk', 1);
      UPDATE winnow_ledger.summarised SET sequence = head.sequence, hash = head.hash FROM winnow_ledger.head`,
    );
    return ledgers.at(name);
  };

  const listingOf = async (location: string) => {
    const session = await connectTo(readLedgerAddress(location)!.address);
    const listed = await session.query(`SET search_path = pg_catalog; ${LISTING}`);
    await session.end();
    return listed;
  };

  it("exists for each version but this one", () => {
    expect(VERSIONS).toEqual(Array.from({ length: VERSION - 1 }, (_, at) => at + 1));
  });

  it("has other objects than this one: whoever changes those raises VERSION and keeps the schema that was", async () => {
    const now = fingerprint(await listingOf(await ledgers.fresh()));
    expect([VERSION, now]).toMatchInlineSnapshot(`
      [
        7,
        "df5c704fd282f0489e403e3a2cc4de54e117b3138ef6a733df885e69c983c62c",
      ]
    `);
  });

  it.each(VERSIONS)(
    "%i is refused as it is, and is the same ledger when its owner has brought it up to date",
    async (version) => {
      const location = await older(version);
      expect(versionOf(await listingOf(location))).toBe(version);
      const needs = `The ledger is of version ${version}, and this Winnow needs version ${VERSION}: its owner brings it up to date with \`winnow budget init --server\`.`;
      for (const each of [location, ledgers.asCharger(location)]) {
        const ledger = await opened(each);
        await expect(ledger.account("visits")).rejects.toThrow(needs);
        await expect(ledger.record("visits", exampleRelease("d"))).rejects.toThrow(needs);
      }
      await expect(makeServerLedger(ledgers.asCharger(location), DEFAULT_ROLE)).rejects.toThrow(
        /Only the owner/,
      );
      expect(await makeServerLedger(location, DEFAULT_ROLE)).toEqual({ isNew: false, upgradedFrom: version });
      expect(await makeServerLedger(location, DEFAULT_ROLE)).toEqual({
        isNew: false,
        upgradedFrom: undefined,
      });

      const charger = await opened(ledgers.asCharger(location));
      expect((await charger.verify()).findings).toEqual([]);
      expect((await all(charger.exported())).join("")).toBe((await all(file.exported())).join(""));
      expect(await charger.find("a")).toEqual(await file.find("a"));
      expect(await charger.releasesOf("alice")).toEqual(await file.releasesOf("alice"));
      for (const name of ["visits", "sales"])
        expect((await charger.account(name)).summary).toEqual((await file.account(name)).summary);
      const { ledger: place } = await charger.record("visits", exampleRelease("d"));
      expect(place.sequence).toBe(texts.length + 1);
      const [[mark]] = await ledgers.sql(location, "SELECT key FROM secret");
      expect(mark).toBe("0f".repeat(32)); // sources stay known
    },
  );

  it("stays as it is if its chain is broken or an entry can't be read", async () => {
    const location = await older(3);
    await ledgers.tamper(location, "UPDATE log SET hash = repeat('a', 64) WHERE sequence = 2");
    await expect(makeServerLedger(location, DEFAULT_ROLE)).rejects.toThrow(
      /does not follow the rules of a ledger/,
    );
    expect(versionOf(await listingOf(location))).toBe(3);
    const [[accounts]] = await ledgers.sql(location, "SELECT count(*)::int FROM accounts");
    expect(accounts).toBe(2);
    await ledgers.tamper(location, "UPDATE head SET hash = repeat('b', 64)");
    await expect(makeServerLedger(location, DEFAULT_ROLE)).rejects.toThrow(
      /does not follow the rules of a ledger/,
    );
  });

  it("may also be a newer one, which isn't touched", async () => {
    const location = await ledgers.fresh();
    await ledgers.sql(location, `COMMENT ON SCHEMA winnow_ledger IS 'Winnow ledger, version ${VERSION + 1}'`);
    const newer = `The ledger is of version ${VERSION + 1}, and this Winnow knows versions up to ${VERSION}: use a newer Winnow.`;
    await expect(makeServerLedger(location, CHARGER)).rejects.toThrow(newer);
    await expect((await opened(location)).account("visits")).rejects.toThrow(newer);
  });
});
