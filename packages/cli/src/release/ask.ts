/**
 * From options to a question: the candidates, the price and who is protected, all before a row is read.
 * @module
 */
import { WinnowError } from "winnow-dp";
import { type Domain, listedDomain, type Question, readQuestion } from "winnow-release";
import { readDomain } from "../domain.js";
import { Refusal } from "../refusal.js";
import { readPublicTable } from "../sources/public-table.js";
import type { PublicTable } from "../sources/source.js";
import type { ReleaseOptions } from "./options.js";
import { withoutIdleDefaults } from "./without-idle-defaults.js";

export interface Candidates {
  readonly domain: Domain;
  /** The names, where there is a list. */
  readonly items?: readonly string[];
  /** The table of the server that has them. */
  readonly table?: PublicTable;
}

/** Among whom the winners are. */
export async function candidatesOf(
  location: string,
  options: ReleaseOptions,
  signal?: AbortSignal,
): Promise<Candidates> {
  const { domain: path, domainTable, domainColumn, domainSize, defaults = [] } = options;
  refuseSeveral({ "--domain": path, "--domain-table": domainTable, "--domain-size": domainSize });
  const isIdle = domainColumn !== undefined && path === undefined && domainTable === undefined;
  if (isIdle && !defaults.includes("domainColumn"))
    throw new Refusal("usage", "--domain-column needs a CSV file in --domain, or a --domain-table.");
  if (domainTable !== undefined) {
    const table = { table: domainTable, column: domainColumn };
    const items = await readPublicTable(location, table, options, signal);
    return { domain: await listedDomain(items), items, table };
  }
  if (path !== undefined) {
    const items = await readDomain(path, domainColumn);
    return { domain: await listedDomain(items), items };
  }
  if (domainSize !== undefined) return { domain: { kind: "integers", below: domainSize } };
  if (options.delta === undefined)
    throw new Refusal(
      "usage",
      "Without a public list of candidates (--domain, --domain-table or --domain-size) the items themselves are private: give a --delta, such as 1e-6.",
    );
  return { domain: { kind: "unknown" } };
}

function refuseSeveral(given: Readonly<Record<string, unknown>>): void {
  const names = Object.keys(given).filter((name) => given[name] !== undefined);
  if (names.length > 1)
    throw new Refusal("usage", `${names.join(" and ")} cannot both say who the candidates are.`);
}

/** The question. `user` is the column, if it is known yet. */
export function questionOf(
  kind: Question["kind"],
  domain: Domain,
  options: ReleaseOptions,
  user: string | undefined,
): Question {
  const k = kind === "top" ? options.k : options.maxK;
  if (k === undefined) throw new Refusal("usage", "-k must say how many winners you want, such as -k 10.");
  const { epsilon, rho, delta, resolution, mechanism, neighbours } = withoutIdleDefaults(
    kind,
    domain,
    options,
  );
  const unit =
    options.unit ?? (user === undefined ? "one value of the user column" : `one value of column ${user}`);
  try {
    return readQuestion({ kind, k, domain, neighbours, mechanism, epsilon, rho, delta, resolution, unit });
  } catch (error) {
    throw isTooMany(error, domain, k) ? new Refusal("k-too-large", `${asSentence(error)}.`) : error;
  }
}

function isTooMany(error: unknown, domain: Domain, k: number): error is WinnowError {
  const size = domain.kind === "listed" ? domain.size : domain.kind === "integers" ? domain.below : Infinity;
  return error instanceof WinnowError && error.field === "k" && k >= size;
}

function asSentence({ message }: WinnowError): string {
  return message.replace('"k"', "-k");
}
