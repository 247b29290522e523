import { afterAll, beforeAll } from "vitest";
import { describeLedger, type Keeping } from "../ledger/support/ledger-rules.js";
import { describeOnPostgres } from "./support/installed.js";
import { LedgerServer } from "./support/postgres-ledgers.js";

describeOnPostgres("a ledger on PostgreSQL", () => {
  let ledgers: LedgerServer;
  beforeAll(async () => {
    ledgers = await LedgerServer.start();
  });
  afterAll(() => ledgers?.stop());

  const keeping: Keeping = {
    fresh: () => ledgers.fresh(),
    sql: (location, statements) => ledgers.sql(location, statements),
    tamper: (location, statements) => ledgers.tamper(location, statements),
    lock: (location) => ledgers.lock(location),
  };
  describeLedger("the ledger of a server", keeping);
});
