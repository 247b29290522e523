import { type Command, CommanderError } from "commander";
import { describe, expect, it } from "vitest";
import { commandsIn, reportFailure } from "../../src/command-line.js";
import { createProgram } from "../../src/program.js";

/** `winnow …` as in the examples, without what a shell does with it. */
const EXAMPLE = /^ {2}\$ (?:.*\| )?winnow (.*?)(?: >.*)?$/gm;

function everyCommand(command: Command): Command[] {
  return [command, ...command.commands.flatMap(everyCommand)];
}

/** What `--help` prints, examples too. */
function helpOf(command: Command): string {
  let text = "";
  command.configureOutput({
    writeOut: (part) => {
      text += part;
    },
  });
  command.outputHelp();
  return text;
}

function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}

/** A program that reads its arguments and does nothing. */
function readOnly(): { program: Command; reached: string[] } {
  const reached: string[] = [];
  const program = createProgram();
  for (const command of everyCommand(program))
    if (command.commands.length === 0) command.action(() => void reached.push(pathOf(command)));
  return { program, reached };
}

const commands = everyCommand(createProgram())
  .filter((command) => command.name() !== "help")
  .map((command): [string, Command] => [pathOf(command), command]);

describe("the help of", () => {
  it.each(commands)("%s describes it and every option of it", (_, command) => {
    expect(command.description()).not.toBe("");
    const undescribed = command.options.filter(({ description }) => description === "");
    expect(undescribed.map(({ flags }) => flags)).toEqual([]);
  });

  const withExamples = commands.filter(
    ([, command]) => command.commands.length === 0 || command.parent === null,
  );
  it.each(withExamples)("%s has examples that can be typed", async (path, command) => {
    const examples = [...helpOf(command).matchAll(EXAMPLE)].map(([, line]) => wordsOf(line));
    expect(examples.length).toBeGreaterThan(0);
    for (const words of examples.filter(([first]) => first !== "help")) {
      const { program, reached } = readOnly();
      await program.parseAsync(words, { from: "user" });
      expect(reached).toHaveLength(1);
      if (command.parent !== null) expect(reached[0]).toBe(path);
    }
  });

  /** As a shell splits them: what is in quotes is one word. */
  function wordsOf(line: string | undefined): string[] {
    return (line?.match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replaceAll('"', ""));
  }

  it.each([
    [["tpo"], "Unknown command 'tpo'. Did you mean \"top\"?"],
    [["budget", "shwo"], "Unknown command 'shwo'. Did you mean \"show\"?"],
    [["top", "visits.csv", "--epsilom=1"], "Unknown option '--epsilom=1'. Did you mean \"--epsilon\"?"],
    [["budget", "show", "--legder"], "Unknown option '--legder'. Did you mean \"--ledger\"?"],
    [["top", "visits.csv", "--quantity"], "Unknown option '--quantity'.\n"],
  ])("%j names the nearest that there is", (words, sentence) => {
    const { program } = readOnly();
    let told = "";
    expect(() => program.parse(words, { from: "user" })).toThrow(CommanderError);
    try {
      program.parse(words, { from: "user" });
    } catch (error) {
      reportFailure(error, (text) => (told += text), commandsIn(program, words));
    }
    expect(told).toContain(sentence);
  });

  it("never offers a seed for a release", () => {
    const seeded = commands.filter(([, { options }]) => options.some(({ long }) => long === "--seed"));
    expect(seeded.map(([path]) => path)).toEqual(["winnow plan", "winnow simulate"]);
  });
});

describe("the help", () => {
  const find = (name: string) => createProgram().commands.find((command) => command.name() === name)!;

  it("of adaptive lists only what it takes", () => {
    const text = helpOf(find("adaptive"));
    for (const idle of ["--mechanism", "permute-and-flip", "--resolution"]) expect(text).not.toContain(idle);
    expect(helpOf(find("top"))).toContain("permute-and-flip");
    expect(helpOf(find("top"))).not.toMatch(/"stable-top-k"/);
  });

  it("has every exit code, 1 too", () => {
    for (const code of [0, 1, 2, 3, 4, 130])
      expect(helpOf(createProgram())).toMatch(new RegExp(`^ +${code}  `, "m"));
  });
});
