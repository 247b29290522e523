/**
 * A public list of names on the command line, in one of four ways:
 *
 *   250               0, 1, … 249
 *   t0..t249          t0, t1, … t249
 *   cat,dog,bird      these
 *   labels.txt        one on each line of the file
 * @module
 */
import { readPublicLines } from "./public-file.js";
import { Refusal } from "./refusal.js";

const MOST = 10_000_000;
const RANGE = /^(\D*)(\d+)\.\.(\D*)(\d+)$/;

export async function readNames(option: string, given: string | undefined): Promise<string[]> {
  if (given === undefined) throw new Refusal("usage", `--${option} must be ${WAYS}.`);
  const names = numbersOf(given) ?? (given.includes(",") ? given.split(",") : await linesOf(option, given));
  const isList = names.length > 0 && !names.includes("") && new Set(names).size === names.length;
  if (!isList) throw new Refusal("usage", `--${option} must be one or more names, each once.`);
  return names;
}

const WAYS =
  "a number, a range such as t0..t9, names with commas between, or a file with one name on each line";

/** A number or a range; nothing if it is neither. */
function numbersOf(given: string): string[] | undefined {
  const range = /^\d+$/.test(given) ? ["", "", "0", "", String(Number(given) - 1)] : RANGE.exec(given);
  if (range === null || range[1] !== range[3]) return undefined;
  const [first, last] = [Number(range[2]), Number(range[4])];
  if (last - first >= MOST)
    throw new Refusal("usage", `A list must have at most ${MOST} names; got "${given}".`);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => `${range[1]}${first + i}`);
}

async function linesOf(option: string, path: string): Promise<string[]> {
  return (await readPublicLines(`The list of ${option}`, path)).filter((line) => line !== "");
}
