import type { Command } from "commander";
import { describe, expect, it } from "vitest";
import { OPTIONS } from "winnow-release";
import { entryOf, optionName } from "../src/command-options.js";
import { createProgram } from "../src/program.js";
import { RUN_OPTIONS } from "../src/run-options.js";

function everyCommand(command: Command): Command[] {
  return [command, ...command.commands.flatMap(everyCommand)];
}

const commands = everyCommand(createProgram());

describe("the options of a run", () => {
  it("are not options of a question too", () => {
    expect(Object.keys(RUN_OPTIONS).filter((name) => Object.hasOwn(OPTIONS, name))).toEqual([]);
  });

  it.each([...Object.keys(OPTIONS), ...Object.keys(RUN_OPTIONS)])("%s is an option of a command", (name) => {
    const flag = optionName(name);
    const taking = commands.filter(({ options }) =>
      options.some(({ long, short }) => long === flag || short === flag),
    );
    expect(taking.length).toBeGreaterThan(0);
  });

  it("have the name that commands read them by", () => {
    const unread = commands
      .flatMap(({ options }) => options)
      .filter((option) => entryOf(option.attributeName()) !== undefined)
      .filter((option) => optionName(option.attributeName()) !== (option.long ?? option.short));
    expect(unread.map(({ flags }) => flags)).toEqual([]);
  });

  it("show the usual ones of a question before all others, in at most twelve lines of flags", () => {
    const top = commands.find((command) => command.name() === "top")!;
    const help = top.helpInformation();
    const headings = [...help.matchAll(/^(\S[^\n]*):$/gm)].map(([, heading]) => heading);
    expect(headings).toEqual([
      "Usual options",
      "More on the question",
      "Reading",
      "Ledger",
      "Output",
      "Options",
    ]);
    const usual = help.slice(help.indexOf("Usual options:"), help.indexOf("More on the question:"));
    const flags = [...usual.matchAll(/^ {2}(-\S+)/gm)].map(([, flag]) => flag);
    expect(flags).toEqual([
      ...["-k", "--item", "--user", "--epsilon", "--delta", "--domain", "--counts"],
      ...["--plot", "-o,", "--dry-run"],
    ]);
  });
});
