/**
 * The command that asks the same question of the same columns, to paste into a shell. File names are placeholders; every
 * other value is quoted so that the shell reads it as text, whatever it holds.
 * @module
 */
import type { Release } from "winnow-release";

/** The formats as the command line names them; what was generated has no file. */
const FORMATS = ["csv", "tsv", "ndjson", "parquet"];

export function asCommand({ question, source, dataset }: Release): string {
  const { kind, k, domain, epsilon, rho, delta, resolution, neighbours, mechanism, unit } = question;
  const format = source.dialect.format ?? "";
  const options = {
    item: source.item,
    user: source.user,
    epsilon,
    rho,
    delta,
    domain: domain.kind === "listed" ? "candidates.txt" : undefined,
    resolution,
    neighbours,
    mechanism,
    unit,
    dataset,
    format: FORMATS.includes(format) ? format : undefined,
  };
  const words = Object.entries(options).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name} ${shellWord(value)}`],
  );
  return [`winnow ${kind} FILE -k ${k}`, ...words].join(" \\\n  ");
}

/** Nothing is special inside single quotes but the single quote itself. */
function shellWord(text: string): string {
  return /^[\w.,:/=+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
