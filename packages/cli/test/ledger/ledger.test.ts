import { join } from "node:path";
import Database from "libsql";
import { openLedger } from "../../src/ledger/open-ledger.js";
import { temporaryFolder } from "./support/examples.js";
import { describeLedger } from "./support/ledger-rules.js";

describeLedger("the ledger of a file", {
  fresh: async () => {
    const path = join(temporaryFolder(), "l");
    await (await openLedger(path, { create: true })).close();
    return path;
  },
  sql: async (path, statements) => {
    const database = new Database(path);
    try {
      database.exec(statements);
    } finally {
      database.close();
    }
  },
  tamper: async (path, statements) => {
    const database = new Database(path);
    const triggers = database.prepare("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").all() as {
      name: string;
      sql: string;
    }[];
    for (const { name } of triggers) database.exec(`DROP TRIGGER ${name}`);
    database.exec(statements);
    for (const { sql } of triggers) database.exec(sql);
    database.close();
  },
  lock: async (path) => {
    const other = new Database(path);
    other.exec("BEGIN IMMEDIATE");
    return async () => {
      other.exec("ROLLBACK");
      other.close();
    };
  },
});
