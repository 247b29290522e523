/**
 * What can happen to the database of a service: how to provoke it, what an analyst sees meanwhile, and what is charged. The sentences are
 * the table of docs/guide/running-faults.md, and database-away.test.ts holds the service to the outcomes.
 * @module
 */
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { Pooler } from "../../../../bench/src/scale/pooler.js";
import { PostgresServer } from "../../../../bench/src/scale/postgres-server.js";
import type { LedgerServer } from "../../../cli/test/servers/support/postgres-ledgers.js";
import { CHARGER } from "../../../cli/test/servers/support/postgres-ledgers.js";
import type { DatabaseProxy } from "./database-proxy.js";

/** A service is running over the ledger, and reaches it through the proxy. */
export interface Stage {
  readonly ledgers: LedgerServer;
  readonly proxy: DatabaseProxy;
  /** Of the ledger, for its owner. */
  readonly location: string;
  /** Charges a release that must be answered. */
  readonly charge: () => Promise<void>;
}

export interface DatabaseFault {
  readonly title: string;
  readonly sees: string;
  readonly charged: string;
  /** What a request may be answered with while it lasts. */
  readonly outcomes: readonly string[];
  /** Whether every request is refused. */
  readonly refusesAll: boolean;
  /** Whether the service works again by itself when it is over. */
  readonly recovers: boolean;
  /** Whether the connection of the service outlasts it. */
  readonly keepsConnection?: true;
  /** Before the service starts. */
  readonly prepare?: (stage: Omit<Stage, "charge">) => Promise<() => Promise<void>>;
  /** Makes it happen. */
  readonly provoke: (stage: Stage) => Promise<Provoked>;
}

interface Provoked {
  /** It is over. */
  readonly end: () => Promise<void> | void;
  /** Puts the servers back as they were, once the service has stopped. */
  readonly cleanUp?: () => Promise<void>;
}

const [ANSWERED, UNAVAILABLE, UNKNOWN] = ["201", "503 ledger-unavailable", "503 charge-unknown"];

export const DATABASE_FAULTS: readonly DatabaseFault[] = [
  {
    title: "connections cut, server up",
    sees: "Nothing: the service connects again and repeats the transaction.",
    charged: "Each release once.",
    outcomes: [ANSWERED],
    refusesAll: false,
    recovers: true,
    provoke: async ({ ledgers }) => {
      await ledgers.run(
        "postgres",
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '${CHARGER}'`,
      );
      return { end: () => {} };
    },
  },
  {
    title: "server stopped",
    sees: "`ledger-unavailable` at once, until the server is back; then answers, without a restart.",
    charged: "Nothing. If it stopped during a commit: `charge-unknown`, and the same key tells.",
    outcomes: [UNAVAILABLE, UNKNOWN],
    refusesAll: true,
    recovers: true,
    provoke: async ({ ledgers }) => {
      await ledgers.server.crash();
      return { end: () => ledgers.server.restart() };
    },
  },
  {
    title: "server frozen, or the network swallows everything",
    sees: "The first requests wait, at most 8 seconds, all later ones get `ledger-unavailable` at once.",
    charged: "Nothing, or `charge-unknown` for a commit that was on its way.",
    outcomes: [UNAVAILABLE, UNKNOWN],
    refusesAll: true,
    recovers: true,
    provoke: async ({ ledgers }) => ({ end: ledgers.server.freeze() }),
  },
  {
    title: "server slow, 50 ms a message",
    sees: "Answers, some ticks later.",
    charged: "Each release once.",
    outcomes: [ANSWERED],
    refusesAll: false,
    recovers: true,
    keepsConnection: true,
    provoke: async ({ proxy }) => {
      proxy.delay = 50;
      return {
        end: () => {
          proxy.delay = 0;
        },
      };
    },
  },
  {
    title: "server full of connections",
    sees: "Nothing while the service keeps its connection; if that breaks, `ledger-unavailable` until there is a place.",
    charged: "Nothing meanwhile.",
    outcomes: [UNAVAILABLE],
    refusesAll: true,
    recovers: true,
    provoke: async ({ ledgers, location, proxy }) => {
      const others: pg.Client[] = [];
      const fill = async () => {
        for (;;) {
          const client = new pg.Client(ledgers.asCharger(location));
          client.on("error", () => {});
          try {
            await client.connect();
          } catch {
            await client.end().catch(() => {});
            return;
          }
          others.push(client);
        }
      };
      await fill();
      proxy.target = NOWHERE; // the place of the service is taken before it can come back
      const services =
        "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'winnow' AND usename = 'charger'";
      proxy.cut();
      while (String((await ledgers.run("postgres", services))[0][0]) !== "0") await sleep(20);
      await fill();
      proxy.target = ledgers.server.port;
      return {
        end: async () => {
          await Promise.all(others.map((client) => client.end()));
        },
      };
    },
  },
  {
    title: "failover to a standby that has everything (synchronous replication)",
    sees: "`ledger-unavailable` while neither takes writes; then answers, old ones too.",
    charged: "Each release once; no charge is lost.",
    outcomes: [UNAVAILABLE, UNKNOWN],
    refusesAll: true,
    recovers: true,
    provoke: (stage) => failover(stage, { isSynchronous: true }),
  },
  {
    title: "failover to a standby that lags behind",
    sees: "`ledger-unavailable` for everything, until an operator has the newest copy and starts the service again.",
    charged: "Nothing more: the service knows an entry that is gone (`ledger-replaced` in its log).",
    outcomes: [UNAVAILABLE, UNKNOWN],
    refusesAll: true,
    recovers: false,
    provoke: (stage) => failover(stage, { isSynchronous: false }),
  },
  {
    title: "pgbouncer in transaction mode, killed and started again",
    sees: "`ledger-unavailable` at once while it is away; otherwise nothing.",
    charged: "Each release once.",
    outcomes: [UNAVAILABLE, UNKNOWN],
    refusesAll: true,
    recovers: true,
    prepare: async ({ ledgers, proxy }) => {
      pooler = await Pooler.start(ledgers.server, [CHARGER], 2);
      proxy.target = pooler.port;
      return async () => {
        await pooler?.stop();
        proxy.target = ledgers.server.port;
      };
    },
    provoke: async () => {
      await pooler?.crash();
      return { end: () => pooler?.restart(CHARGER) };
    },
  },
];

let pooler: Pooler | undefined;

/** A port that nobody listens on. */
const NOWHERE = 1;

/** The primary dies, and the standby takes over at its address. */
async function failover(
  { ledgers, proxy, charge }: Stage,
  { isSynchronous }: { readonly isSynchronous: boolean },
): Promise<Provoked> {
  const primary = ledgers.server;
  const standby = await PostgresServer.standbyOf(primary, { isSynchronous });
  if (!isSynchronous) await standby.stopFollowing();
  await charge();
  await primary.crash();
  return {
    end: async () => {
      await standby.promote();
      proxy.target = standby.port;
    },
    cleanUp: async () => {
      await standby.stop();
      await primary.restart();
      await primary.sql("ALTER SYSTEM RESET synchronous_standby_names");
      await primary.sql("SELECT pg_reload_conf()");
      proxy.target = primary.port;
    },
  };
}
