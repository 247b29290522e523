/**
 * The release: everything that is published about one answer, and everything needed to check and repeat its claim. It
 * holds public values only. The schema is versioned and described in docs/guide/releases.md. Version 3 has answers in groups, and
 * is only written for them.
 * @module
 */
import type { LossJson } from "winnow-dp";
import type { LedgerPlace } from "../ledger/witnessed-place.js";
import type { NamedMechanism } from "../mechanisms/of-question.js";
import type { Answer } from "../question/answer.js";
import type { Question } from "../question/question.js";

/** The usual version of release documents. */
export const RELEASE_SCHEMA = "winnow-release/2";
/** Releases in groups have this version, and only they. */
export const GROUPS_SCHEMA = "winnow-release/3";

/** The program that made a release. */
export interface Software {
  /** The program that made the release, such as "winnow-cli". */
  readonly name: string;
  readonly version: string;
  /** The versions of the packages that computed it. */
  readonly packages: Readonly<Record<string, string>>;
}

/** Where the counts came from, in public terms. */
export interface ReleaseSource {
  /** What a service calls the rows, where several data sets share an account. */
  readonly name?: string;
  /** The columns that were read: of items or of values, and of users. */
  readonly item: string;
  readonly user: string;
  /** How: format, delimiter, quote, encoding …, all fixed before a row was read. */
  readonly dialect: Readonly<Record<string, string>>;
}

/** Exact numbers as text, and the same in words, rounded up. */
export type ReleaseLoss = LossJson & { readonly readable: string };

/** A commitment to the bits of a release, made before its rows are read. */
export interface ReservedBits {
  /** How the seed is expanded. */
  readonly generator: string;
  /** The commitment to the seed: 64 hexadecimal digits. */
  readonly seed: string;
}

/** Hashes that hide what they commit to, each of 64 hexadecimal digits. */
export interface ReleaseBits extends ReservedBits {
  /** To the counts and the answer. */
  readonly counts: string;
}

/**
 * What an account set aside for a release, and what it counts.
 *
 * @inline
 */
export interface ReleaseCharge {
  readonly reserved: ReleaseLoss;
  readonly settled: ReleaseLoss;
}

/** The answer in a document. */
export interface ReleaseAnswer extends Omit<Answer, "loss"> {
  /** What its numbers count, where people count for a limited number of items or values: `countedInWords` of the question. */
  readonly counted?: string;
}

/**
 * How ε was chosen: by looking at predictions from the private rows, from a public twin of them, or before anyone looked. The first
 * reveals a little about the rows that no loss covers.
 */
export const EPSILON_SOURCES = ["private-rows", "public-twin", "before"] as const;
/** How ε was chosen. */
export type EpsilonFrom = (typeof EPSILON_SOURCES)[number];

/** A release document: all that is published about an answer. */
export interface Release {
  readonly schema: typeof GROUPS_SCHEMA | typeof RELEASE_SCHEMA;
  readonly id: string;
  readonly dataset: string;
  /** The public name of the person who asked, where a service answers several. */
  readonly analyst?: string;
  /** ISO 8601 in UTC. */
  readonly time: string;
  readonly software: Software;
  readonly question: Question;
  readonly mechanism: NamedMechanism;
  /** What the release promises on its own, whatever the answer. */
  readonly loss: ReleaseLoss;
  /** What its account set aside and what it counts instead, where only used rounds are paid; otherwise all of `loss`. */
  readonly charge?: ReleaseCharge;
  readonly answer: ReleaseAnswer;
  readonly source: ReleaseSource;
  /** Where it is recorded: the number of its row and the hash of the chain up to it. */
  /** Commitments to the bits, the counts and the answer, for someone who may see the rows. */
  readonly bits?: ReleaseBits;
  readonly ledger?: LedgerPlace;
  /** How ε was chosen, where the curator or the front end knows; it is part of the promise and costs nothing to say. */
  readonly epsilonFrom?: EpsilonFrom;
  /** What a reader should know besides, in sentences made of public values. */
  readonly notes: readonly string[];
}

/** A release that is not recorded yet: its account decides what it is counted as. */
export type NewRelease = Omit<Release, "ledger" | "charge">;
