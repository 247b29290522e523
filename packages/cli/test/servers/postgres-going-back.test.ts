import { afterAll, beforeAll } from "vitest";
import { describeGoingBack } from "../ledger/support/going-back.js";
import { describeOnPostgres } from "./support/installed.js";
import { LedgerServer } from "./support/postgres-ledgers.js";

const LAST = "(SELECT hash FROM log WHERE sequence = 3)";

describeOnPostgres("a ledger on PostgreSQL that is lost", () => {
  let ledgers: LedgerServer;
  beforeAll(async () => {
    ledgers = await LedgerServer.start();
  });
  afterAll(() => ledgers?.stop());

  describeGoingBack(
    "the ledger of a server",
    ["an older dump restored", "dropped", "its database dropped", "its last entries removed by the owner"],
    {
      fresh: () => ledgers.fresh(),
      copy: async (location) => ({
        "an older dump restored": await ledgers.dump(location),
        dropped: () => ledgers.sql(location, "DROP SCHEMA winnow_ledger CASCADE"),
        "its database dropped": async () => {
          const database = new URL(location).pathname.slice(1);
          await ledgers.run("postgres", `DROP DATABASE ${database} WITH (FORCE)`);
        },
        "its last entries removed by the owner": () =>
          ledgers.tamper(
            location,
            `DELETE FROM log WHERE sequence > 3; UPDATE head SET sequence = 3, hash = ${LAST};
              UPDATE summarised SET sequence = 3, hash = ${LAST}`,
          ),
      }),
    },
  );
});
