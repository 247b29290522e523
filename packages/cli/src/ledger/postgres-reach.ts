/**
 * The connection of a ledger to its server, and what happens when the server is away.
 *
 * A run of the command line connects when it needs to and waits (`postgres-store.ts` tries again). A service must not: a hundred
 * requests would each wait for a server that isn't there. So after one attempt that fails, the server counts as away. Every request is then
 * refused at once, and one attempt at a time runs in the background, after pauses that grow, until one succeeds.
 * @module
 */
import { setTimeout as sleep } from "node:timers/promises";
import { LostConnection, type Session } from "./postgres-session.js";

/** In milliseconds: the first pause between attempts in the background, and the longest; each is twice the one before. */
const [FIRST_PAUSE, LONGEST_PAUSE] = [100, 5000];

export interface ReachOptions {
  /** Attempts run in the background while the server is away. */
  readonly isServed?: boolean | undefined;
  /** A first connection. */
  readonly session?: Session | undefined;
  /** Told of each connection that replaces another. */
  readonly onReconnect?: (() => void) | undefined;
}

export class Reach {
  readonly #connect: () => Promise<Session>;
  /** Whether attempts run in the background while the server is away. */
  readonly #isServed: boolean;
  readonly #onReconnect: () => void;
  readonly #closing = new AbortController();
  #session: Session | undefined;
  /** Whether there was a connection before. */
  #hadSession: boolean;
  /** The error of the last attempt, while the server is away. */
  #away: unknown;
  #comingBack: Promise<void> | undefined;

  constructor(
    connect: () => Promise<Session>,
    { isServed = false, session, onReconnect = () => {} }: ReachOptions = {},
  ) {
    this.#connect = connect;
    this.#isServed = isServed;
    this.#session = session;
    this.#hadSession = session !== undefined;
    this.#onReconnect = onReconnect;
  }

  /** Whether another attempt now would be useless. */
  get isAway(): boolean {
    return this.#away !== undefined || this.#closing.signal.aborted;
  }

  /** The connection that is open. */
  get current(): Session {
    if (this.#session === undefined) throw new LostConnection();
    return this.#session;
  }

  /** The connection, or a new one; throws at once while the server is away. */
  async session(): Promise<Session> {
    if (this.#session !== undefined) return this.#session;
    if (this.#closing.signal.aborted) throw new LostConnection();
    if (this.#away !== undefined) throw this.#away;
    try {
      return this.#keep(await this.#connect());
    } catch (error) {
      if (this.#isServed) {
        this.#away = error;
        this.#comingBack ??= this.#comeBack();
      }
      throw error;
    }
  }

  /** Gives up the connection, and doesn't wait for answers that are under way. */
  async drop(): Promise<void> {
    const session = this.#session;
    this.#session = undefined;
    const ended = session?.end();
    if (!this.#isServed) await ended; // a service has others waiting, and the server may not answer the goodbye
  }

  /** Ends the attempts in the background, too. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.drop();
  }

  async #comeBack(): Promise<void> {
    const { signal } = this.#closing;
    try {
      for (let pause = FIRST_PAUSE; ; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
        await sleep(pause, undefined, { signal, ref: false });
        try {
          this.#keep(await this.#connect());
          this.#away = undefined;
          return;
        } catch (error) {
          this.#away = error;
        }
      }
    } catch {
      // Closed meanwhile.
    } finally {
      this.#comingBack = undefined;
    }
  }

  #keep(session: Session): Session {
    if (this.#closing.signal.aborted) {
      void session.end();
      throw new LostConnection();
    }
    this.#session = session;
    if (this.#hadSession) this.#onReconnect();
    this.#hadSession = true;
    return session;
  }
}
