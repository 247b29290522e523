/** In which order help, completion and the schema of the service name commands, options, mechanisms and kinds: order is behaviour. */
import type { Command } from "commander";
import { describe } from "vitest";
import { SIMULATED } from "winnow-release";
import { openApiDocument } from "winnow-server";
import { type FrozenCases, frozen } from "../../../core/test/support/frozen.js";
import { createProgram } from "../../src/program.js";

function everyCommand(command: Command): Command[] {
  return [command, ...command.commands.flatMap(everyCommand)];
}

function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}

/** Options by their long names, and what may be given for them where that is a list. */
const HELP: FrozenCases = Object.fromEntries(
  everyCommand(createProgram()).map((command) => [
    `winnow help ${pathOf(command)}`,
    () => ({
      commands: command.commands.map((each) => each.name()),
      options: command.options.map(({ long, short, argChoices }) =>
        argChoices === undefined ? (long ?? short) : `${long} ${argChoices.join(" ")}`,
      ),
    }),
  ]),
);

const NAMES: FrozenCases = {
  simulated: () => Object.keys(SIMULATED),
  "the service's schema": () => {
    const lists: string[] = [];
    JSON.stringify(openApiDocument("1.0.0"), (name, value) => {
      if (name === "enum") lists.push(value.join(" "));
      return value;
    });
    return [...new Set(lists)].filter((list) => /^top/.test(list));
  },
};

describe("the order of", () => frozen(new URL("order.json", import.meta.url), { ...HELP, ...NAMES }));
