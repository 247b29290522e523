/**
 * The one order in which an answer about people is made: the stored answer if there is one; guards; whether the price fits;
 * someone's agreement; perhaps a reservation; the counts; the draw, which no one sees; the last questions; the charge together
 * with the answer in one transaction; and only then the answer.
 *
 * Up to the counts everything is free, and follows from public values or is for the curator only. After that, the way in which a
 * run ends may depend on the rows, so a front end can turn a failure into a refusal that is charged in full
 * and looks the same whatever the reason. Once `settle` has returned, nothing stops the charge. What `record` returns may be
 * shown, and nothing else.
 * @module
 */
import type { Loss } from "winnow-dp";

/**
 * What happens, by who knows how. `R` is what the ledger returns.
 *
 * @inline
 */
export interface Steps<Rows, Drawn, R> {
  /** The stored answer; nothing else runs if there is one. */
  stored?(): Promise<R | undefined>;
  /** Throws for whatever may not be asked at all. */
  guard?(): Promise<void>;
  /** Throws if the price doesn't fit; returns the most that the answer can cost. */
  admit(): Promise<Loss>;
  /** The last chance to refuse for nothing. */
  confirm?(reserved: Loss): Promise<void> | void;
  /** Whether the price is set aside before a row is read. */
  readonly isReserved?: boolean | undefined;
  /** Left out where nothing is ever set aside. */
  reserve?(): Promise<unknown>;
  /** Begins to count, as late as possible. */
  count(): Promise<Rows>;
  draw(rows: Rows): Promise<Drawn> | Drawn;
  /** Whether count and draw may start again, with fresh bits: nothing is charged yet, and no one has seen anything. */
  mayRetry?(error: unknown): Promise<boolean>;
  /** The refusal of a failure that is charged in full; undefined for one that is free. */
  onRowsFailed?(error: unknown): Refused | undefined;
  /** After the draw. Without an answer, the failure is about to be charged. */
  settle?(drawn: Drawn | undefined): Promise<void> | void;
  record(drawn: Drawn): Promise<R>;
  /** A reservation that stays although there is no answer. */
  onKept?(reserved: Loss): void;
  /** Ends the work until `settle` has returned. */
  readonly signal?: AbortSignal | undefined;
}

type Refused = Error;

/**
 * What the ledger returned, and what was drawn for it; only stored answers have no draw.
 *
 * @inline
 */
export interface Ordered<Drawn, R> {
  readonly release: R;
  readonly drawn?: Drawn;
}

/** Takes the steps of a release in the order that makes it safe. */
export async function inSafeOrder<Rows, Drawn, R>(steps: Steps<Rows, Drawn, R>): Promise<Ordered<Drawn, R>> {
  const { signal, isReserved = false } = steps;
  const stored = await steps.stored?.();
  if (stored !== undefined) return { release: stored };
  await steps.guard?.();
  const reserved = await steps.admit();
  await steps.confirm?.(reserved);
  signal?.throwIfAborted();
  if (isReserved) await steps.reserve?.();
  let isCharged = isReserved;
  try {
    let drawn: Drawn;
    try {
      drawn = await drawnWithRetries(steps);
    } catch (error) {
      const refusal = steps.onRowsFailed?.(error);
      if (refusal === undefined) throw error;
      await steps.settle?.(undefined);
      if (!isReserved) await steps.reserve?.();
      isCharged = true;
      throw refusal;
    }
    await steps.settle?.(drawn);
    signal?.throwIfAborted();
    return { release: await steps.record(drawn), drawn };
  } catch (error) {
    if (isCharged) steps.onKept?.(reserved);
    throw error;
  }
}

async function drawnWithRetries<Rows, Drawn>(steps: Steps<Rows, Drawn, unknown>): Promise<Drawn> {
  for (;;) {
    try {
      return await steps.draw(await steps.count());
    } catch (error) {
      if ((await steps.mayRetry?.(error)) !== true) throw error;
    }
  }
}
