/**
 * What all formats have in common: columns that are known before a row is read, and SQL that gives the two wanted ones as
 * text.
 * @module
 */

export interface Roles {
  readonly item: string;
  readonly user: string;
}

export interface Relation {
  /** None where the format has no schema: then any name may be asked for. */
  readonly columns: readonly string[];
  readonly dialect: Readonly<Record<string, string>>;
  /** Whether a row without item stands for a line that could not be read. */
  readonly isReadByLine: boolean;
  /** A SELECT with the columns `item` and `"user"`; empty or NULL where absent. */
  rows(roles: Roles): string;
}

/** Files that were found, of one format. */
export interface FoundFiles {
  /** Absolute. */
  readonly paths: readonly string[];
  readonly isGzip: boolean;
}
