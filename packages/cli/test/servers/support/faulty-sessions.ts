/**
 * A ledger on PostgreSQL whose connection is lost at one message, counted from the first of a transaction: before the server
 * has it, after the server has done it, or so that the server doesn't notice and goes on waiting in its transaction.
 * @module
 */
import { Ledger } from "winnow-release";
import { readLedgerAddress } from "../../../src/ledger/open-ledger.js";
import { connectTo, LostConnection, type Session } from "../../../src/ledger/postgres-session.js";
import { PostgresStore } from "../../../src/ledger/postgres-store.js";

export interface Fault {
  readonly message: number;
  readonly when: "before" | "after" | "unnoticed";
}

export class FaultyLedger {
  readonly ledger: Ledger;
  /** Whether the fault has happened. */
  happened = false;
  /** Ends the sessions that the server was left waiting in. */
  readonly forgotten: (() => Promise<void>)[] = [];
  readonly #location: string;
  #fault: Fault | undefined;
  #messages = 0;

  /** `beforeCommit` may ask the session something. */
  constructor(
    location: string,
    patience: number,
    readonly beforeCommit: (session: Session) => Promise<void> = async () => {},
  ) {
    this.#location = location;
    this.ledger = new Ledger(new PostgresStore("faulty", () => this.#connect(), patience), {
      software: { name: "test", version: "0" },
    });
  }

  /** From the next transaction on. */
  fail(fault: Fault): void {
    this.#fault = fault;
    this.#messages = 0;
  }

  /** Messages since `fail`, the last of them COMMIT. */
  get messages(): number {
    return this.#messages;
  }

  async #connect(): Promise<Session> {
    const session = await connectTo(readLedgerAddress(this.#location)!.address);
    let isForgotten = false;
    const through = async <T>(send: () => Promise<T>): Promise<T> => {
      this.#messages++;
      const fault = this.happened || this.#messages !== this.#fault?.message ? undefined : this.#fault;
      if (fault === undefined) return send();
      this.happened = true;
      if (fault.when === "after") await send();
      if (fault.when === "unnoticed") {
        isForgotten = true;
        this.forgotten.push(() => session.end());
      }
      throw new LostConnection();
    };
    return {
      query: async (sql, values) => {
        if (sql === "COMMIT") await this.beforeCommit(session);
        return through(() => session.query(sql, values));
      },
      queries: (sql) => through(() => session.queries(sql)),
      end: async () => {
        if (!isForgotten) await session.end();
      },
    };
  }
}
