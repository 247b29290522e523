/**
 * The options that the questions share. Values that belong to the guarantee stay text until the library parses
 * them.
 * @module
 */
import type { Command } from "commander";
import {
  type AskedPeriod,
  type EpsilonFrom,
  kindOf,
  type Neighbours,
  type OptionName,
  type Question,
} from "winnow-release";
import {
  type AnyOptionName,
  addOptions,
  DEFAULT_LEDGER,
  mechanismNames,
  type Taken,
} from "../command-options.js";
import type { SourceOptions } from "../sources/source.js";
import { anotherItem } from "./items.js";

export interface ReleaseOptions extends SourceOptions {
  readonly item?: string;
  /** The items of a row as canonical texts, instead of one column. */
  readonly items?: readonly string[];
  /** The public map of items. */
  readonly map?: string;
  /** The column of values, instead of the item. */
  readonly column?: string;
  readonly user?: string;
  readonly k?: number;
  readonly maxK?: number;
  readonly epsilon?: string;
  readonly rho?: string;
  readonly delta?: string;
  readonly resolution?: string;
  readonly counts?: boolean;
  readonly maxItemsPerUser?: number;
  readonly maxValuesPerUser?: number;
  /** A list of shares, and the two ends of the grid, as typed. */
  readonly quantiles?: string;
  readonly range?: string;
  readonly step?: string;
  readonly atMost?: number;
  /** One or two columns, as typed. */
  readonly by?: string;
  readonly groups?: string;
  readonly maxGroupsPerUser?: number;
  readonly groupBudgets?: string;
  readonly mechanism?: string;
  /** A public guess at the data, as typed. */
  readonly guess?: string;
  /** The share of the loss for a choice by looking at the rows. */
  readonly tune?: string;
  readonly set?: boolean;
  readonly outsiderShare?: string;
  readonly neighbours?: Neighbours;
  readonly domain?: string;
  readonly domainTable?: string;
  readonly domainColumn?: string;
  readonly domainSize?: number;
  readonly public?: string;
  /** The schema of the source as CSVW-EO metadata. */
  readonly metadata?: string;
  /** The public list of candidates that the metadata have. */
  readonly candidates?: readonly string[];
  readonly labels?: string;
  /** The column of days, and the period that is asked about, as typed. */
  readonly time?: string;
  readonly period?: string;
  /** The period in the account's horizon. */
  readonly about?: AskedPeriod;
  readonly unit?: string;
  readonly dataset?: string;
  /** The curator says that a new account is about different people. */
  readonly newDataset?: boolean;
  readonly ledger: string;
  readonly releaseId?: string;
  /** Reserve the price in the ledger before the rows are read. */
  readonly reserve?: boolean;
  /** The file for the opening of the bits that the release commits to. */
  readonly commitBits?: string;
  /** A private key of the ledger, whose witnesses the policy names. */
  readonly sign?: string;
  readonly policy?: string;
  readonly requireWitness?: number;
  readonly passphraseFile?: string;
  readonly dryRun?: boolean;
  readonly epsilonFrom?: EpsilonFrom;
  readonly json?: boolean;
  readonly csv?: boolean;
  readonly plot?: string;
  readonly statement?: boolean;
  /** The file for a record of the registry of deployments. */
  readonly registry?: string;
  readonly output?: string;
  readonly force?: boolean;
  /** Answer yes to the questions that a terminal would ask. */
  readonly yes?: boolean;
  /** The configuration file, if there is one. */
  readonly config?: string;
  /** Which of these come from the configuration file. */
  readonly defaults?: readonly string[];
}

/** Adds the options of a kind: the usual ones first, then all others, by what they are about. */
export function addReleaseOptions(command: Command, kind: Question["kind"]): Command {
  const { options, shape } = kindOf({ kind });
  const names = mechanismNames(kind);
  const asked = (name: OptionName): Taken => ({
    name,
    text: options.texts?.[name],
    ...(name === "mechanism" && { choices: names }),
  });
  // The mechanism is an option only where there are several.
  const others = options.others.filter((name) => name !== "mechanism" || names.length > 1);
  // Numbers have no names to label, and a preview needs no twin.
  const isNamed = shape === "winners";
  const twin: Taken = isNamed
    ? { name: "public" }
    : { name: "public", text: "a public or synthetic twin of the rows, for the schema" };
  addOptions(command.optionsGroup("Usual options:"), [...options.usual.map(asked), ...USUAL]);
  command.options.find(({ long }) => long === "--item")?.argParser(anotherItem);
  const chosen = others.includes("guess") ? (["tune"] as const) : [];
  addOptions(command.optionsGroup("More on the question:"), [...others.map(asked), ...chosen]);
  const own = shape === "values" ? (["numbers"] as const) : (["map"] as const);
  addOptions(command.optionsGroup("Reading:"), [...own, ...READING, twin]);
  addOptions(command.optionsGroup("Ledger:"), LEDGER);
  return addOptions(command.optionsGroup("Output:"), ["json", "csv", ...(isNamed ? LABELS : []), ...OUTPUT]);
}

const USUAL = ["plot", "output", "dryRun"] as const;
const READING = [
  ...(["format", "table", "query", "trustQuery", "delimiter", "quote", "header", "multiline"] as const),
  ...(["where", "types", "time", "period", "memoryLimit", "timeLimit", "metadata"] as const),
];
const LEDGER: readonly (AnyOptionName | Taken)[] = [
  { name: "ledger", default: DEFAULT_LEDGER },
  ...(["dataset", "newDataset", "releaseId", "reserve", "commitBits"] as const),
  ...(["sign", "policy", "requireWitness", "passphraseFile", "yes"] as const),
];
const LABELS = ["labels"] as const;
const OUTPUT = ["epsilonFrom", "statement", "registry", "force"] as const;
