/**
 * The place of a release in its ledger, as the release carries it, with a signed head if its ledger signs them.
 * @module
 */

/** Where a release is in the ledger. */
export interface LedgerPlace {
  readonly sequence: number;
  /** The hash of its entry. */
  readonly head: string;
  /** A signed head of the ledger that includes the entry. */
  readonly witnessed?: WitnessedPlace;
}

/**
 * A signed head, and how the entry leads to it; all hashes are in hexadecimal.
 *
 * @inline
 */
export interface WitnessedPlace {
  /** The hash of the entry before: the release and this give the text of the entry. */
  readonly previous: string;
  /** The nodes beside the way from the entry to the node over all entries (RFC 6962). */
  readonly path: readonly string[];
  /** The head as a signed note, with the cosignatures of witnesses. */
  readonly note: string;
}

const HASH = /^[\da-f]{64}$/;

/** Undefined for what isn't one. */
export function readWitnessedPlace(value: unknown): WitnessedPlace | undefined {
  const { previous, path, note, ...more } = (value ?? {}) as Partial<Record<keyof WitnessedPlace, unknown>>;
  const isWhole = isHash(previous) && Array.isArray(path) && path.every(isHash) && typeof note === "string";
  return isWhole && Object.keys(more).length === 0 ? { previous, path, note } : undefined;
}

function isHash(value: unknown): value is string {
  return typeof value === "string" && HASH.test(value);
}
