/**
 * A public list of names: a number n for the names 0 … n − 1, or a file with one name on each line.
 * @module
 */
import { readPublicLines } from "./public-file.js";
import { Refusal } from "./refusal.js";

const MOST = 10_000_000;

export async function readNames(option: string, given: string | undefined): Promise<string[]> {
  if (given === undefined)
    throw new Refusal("usage", `--${option} expected a number, or a file with one name on each line.`);
  if (/^\d+$/.test(given)) return numbered(option, Number(given));
  const names = (await readPublicLines(`The list of ${option}`, given)).filter((line) => line !== "");
  if (names.length === 0 || new Set(names).size < names.length)
    throw new Refusal(
      "usage",
      `--${option} expected one or more names, each once, in ${JSON.stringify(given)}.`,
    );
  return names;
}

function numbered(option: string, count: number): string[] {
  if (count < 1 || count > MOST)
    throw new Refusal("usage", `--${option} expected a number from 1 to ${MOST}, got ${count}.`);
  return Array.from({ length: count }, (_, i) => String(i));
}
