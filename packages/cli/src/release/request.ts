/**
 * Everything that is public about a release before it is made: what is asked, of which data set, by which columns, and what
 * it costs. Reading it touches no private row; at most a header, where the columns are left to be guessed.
 * @module
 */
import type { Loss } from "winnow-dp";
import { lossOf, type Question } from "winnow-release";
import type { PublicTable } from "../sources/source.js";
import { candidatesOf, questionOf } from "./ask.js";
import { checkRoles, type Roles, rolesIn } from "./columns.js";
import { datasetName } from "./dataset-name.js";
import type { ReleaseOptions } from "./options.js";
import { columnsOf } from "./public-counts.js";

export interface Request {
  readonly question: Question;
  readonly loss: Loss;
  readonly dataset: string;
  /** Unknown in a dry run that may not look at a header. */
  readonly roles: Roles | undefined;
  /** The public list of candidates, if there is one. */
  readonly items: readonly string[] | undefined;
  /** The table of the server that has it. */
  readonly table: PublicTable | undefined;
}

/** `columns` gives the names of the source's columns, if they may be looked at. */
export async function readRequest(
  kind: Question["kind"],
  location: string,
  options: ReleaseOptions,
  signal: AbortSignal,
  columns?: () => Promise<readonly string[]>,
): Promise<Request> {
  const dataset = datasetName(location, options.dataset);
  const { domain, items, table } = await candidatesOf(location, options, signal);
  questionOf(kind, domain, options, options.user); // what cannot be asked is refused before a header is read
  const roles = await rolesOf(options, columns);
  const question = questionOf(kind, domain, options, roles?.user ?? options.user);
  return { question, loss: lossOf(question), dataset, roles, items, table };
}

/** As given; otherwise from the header of the public twin, and only without one from that of the private file. */
async function rolesOf(
  options: ReleaseOptions,
  columns: (() => Promise<readonly string[]>) | undefined,
): Promise<Roles | undefined> {
  const { item, user } = options;
  if (options.public !== undefined) return rolesIn(await columnsOf(options.public, options), options);
  if (item !== undefined && user !== undefined) {
    checkRoles([item, user], { item, user });
    return { item, user };
  }
  return columns === undefined ? undefined : rolesIn(await columns(), options);
}
