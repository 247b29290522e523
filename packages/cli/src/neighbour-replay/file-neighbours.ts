/**
 * Neighbours of somebody's own file: without the rows of one of its people, or with those of a stranger.
 * @module
 */
import type { Entropy } from "winnow-dp";
import type { Row } from "./line-writer.js";

export interface FileNeighbours {
  /** The columns of the neighbours. */
  readonly roles: Row;
  /** Some people of the file, drawn at random, each once: private. */
  people(most: number, entropy: Entropy): Promise<readonly string[]>;
  /** Writes the neighbour and gives its path. */
  without(person: string): Promise<string>;
  withStranger(entropy: Entropy): Promise<string>;
  close(): void;
}

/** Somebody who is in no file. */
export const STRANGER = "stranger \u2603 17.0";
