/**
 * The command that asks the same question of the same columns, to paste into a shell. File names are placeholders; every
 * other value is quoted so that the shell reads it as text, whatever it holds.
 * @module
 */
import { type Release, visible } from "winnow-release";

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
  if (visible(text) !== text) return escapedWord(text);
  return /^[\w.,:/=+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** A terminal acts on control characters while they are pasted, whatever the shell thinks: they are written as escapes. */
function escapedWord(text: string): string {
  const escaped = Array.from(text, (character) => {
    if (character === "\\" || character === "'") return `\\${character}`;
    if (visible(character) === character) return character;
    return `\\U${character.codePointAt(0)!.toString(16).padStart(8, "0")}`;
  });
  return `$'${escaped.join("")}'`;
}
