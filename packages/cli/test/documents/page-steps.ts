/**
 * The shell blocks of a page as steps, the files that it shows, and whether a step printed what the page shows.
 * @module
 */
const BLOCK = /^```sh\n(.*?)^```$(?:\n+^```text\n(.*?)^```$)?/gms;
const EXPECTED_EXIT = /^# exit (\d+)$/;

export interface Step {
  readonly command: string;
  readonly exit: number;
  /** The text block after the command's block, if it is the last command there. */
  readonly shows: string;
}

/** The commands of a page's shell blocks. `# exit 3` above a command says that it fails, and how. */
export function stepsOf(page: string): Step[] {
  return [...page.matchAll(BLOCK)].flatMap(([, block, shows = ""]) => {
    const lines = block.replaceAll(/\\\n\s*/g, "").split("\n");
    const steps = lines
      .map((line, i) => ({
        command: line.trim(),
        exit: Number(EXPECTED_EXIT.exec(lines[i - 1] ?? "")?.[1] ?? 0),
        shows: "",
      }))
      .filter(({ command }) => command !== "" && !command.startsWith("#"));
    return steps.map((step, i) => (i === steps.length - 1 ? { ...step, shows } : step));
  });
}

const FILE = /^```json \[([\w.-]+)\]\n(.*?)^```$/gms;

/** The files that the reader of the page is told to save: the blocks of JSON with a name. */
export function filesOf(page: string): Record<string, string> {
  return Object.fromEntries(Array.from(page.matchAll(FILE), ([, name, text]) => [name, text]));
}

/** The shown lines that an output doesn't have, apart from numbers, bars and the width of columns. `…` stands for anything. */
export function linesNotIn(output: string, shows: string): string[] {
  const printed = new Set(output.split("\n").map(shape));
  return shows.split("\n").filter((line) => line !== "" && !line.includes("…") && !printed.has(shape(line)));
}

/** The same for every release of the same rows: the words in their order. */
function shape(line: string): string {
  return line
    .replaceAll(/[\d,.]+/g, "0")
    .replaceAll(/[─█▏▎▍▌▋▊▉]+/g, "")
    .replaceAll(/\s+/g, " ")
    .trim();
}
