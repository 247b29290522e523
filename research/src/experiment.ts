/**
 * What an experiment is given, and what it shows.
 * @module
 */

export interface Settings {
  /** How often everything random is repeated. */
  readonly trials: number;
  /** The folder of the public data, which may be missing. */
  readonly data: string;
}

export interface Section {
  readonly title: string;
  /** How it was done, and how to read it. */
  readonly notes: string;
  readonly table: string;
  readonly chart?: { readonly name: string; readonly svg: string };
}

export type Experiment = (settings: Settings) => Iterable<Section>;
