/**
 * The page of the documentation that maps the names of TypeScript to those of Python, from the description of the library.
 * @module
 */
import { CLASSES } from "../api/classes.js";
import type { Argument, Call } from "../api/describe.js";
import { FUNCTIONS } from "../api/functions.js";
import { SAMPLERS, TESTING } from "../api/samplers.js";
import { nameTable, snakeCase } from "./python.js";

const CALLS = { ...FUNCTIONS, ...SAMPLERS, ...TESTING } as Readonly<Record<string, Call>>;
const MADE = CLASSES as Readonly<Record<string, { readonly methods: object; readonly fields: object }>>;

/** In Markdown. */
export function namesPage(): string {
  const rows = nameTable();
  const of = (module: string) => rows.filter((row) => row[0] === module);
  const isCall = (row: (typeof rows)[number]) => Object.hasOwn(CALLS, row[1]);
  return [
    "# Names in Python",
    "The functions and classes of [the library](library.md) as they are called in Python. This page is made from the description that TypeScript's\ntypes are checked against (`node scripts/python.js --names` writes it).",
    "Positional parameters come first; the others are keyword arguments, and `entropy` is always the last. What an option means is said where the\nfunction is: [mechanisms](../mechanisms/index.md), [accounting](accounting.md).",
    "## Functions",
    callTable(of("winnow_dp").filter(isCall)),
    "## Classes",
    "Objects stay in the engine. Those without a constructor here are made by a function.",
    classTable(of("winnow_dp").filter((row) => !isCall(row))),
    "## `winnow_dp.sample` and `winnow_dp.testing`",
    callTable([...of("winnow_dp.sample"), ...of("winnow_dp.testing")].filter(isCall)),
    classTable(of("winnow_dp.sample").filter((row) => !isCall(row))),
    "",
  ].join("\n\n");
}

type Row = ReturnType<typeof nameTable>[number];

function callTable(rows: readonly Row[]): string {
  const lines = rows.map(
    ([, typescript, python]) => `| \`${typescript}\` | \`${python}\` | ${argumentsOf(CALLS[typescript])} |`,
  );
  return ["| TypeScript | Python | arguments |", "| --- | --- | --- |", ...lines].join("\n");
}

function classTable(rows: readonly Row[]): string {
  const lines = rows.map(([, typescript, python]) => {
    const { methods, fields } = MADE[typescript] ?? { methods: {}, fields: {} };
    const parts = [
      ...Object.keys(methods).map((name) => `${snakeCase(name)}()`),
      ...Object.keys(fields).map(snakeCase),
    ];
    return `| \`${python}\` | ${parts.map((part) => `\`${part}\``).join(", ")} |`;
  });
  return ["| class | methods and fields |", "| --- | --- |", ...lines].join("\n");
}

function argumentsOf(call: Call | undefined): string {
  return (call?.takes ?? []).flatMap(namesOf).join(", ");
}

function namesOf({ name, kind, isRepeated }: Argument): string[] {
  if (kind.is === "options") return Object.keys(kind.fields).map((key) => `\`${snakeCase(key)}=\``);
  return [`\`${isRepeated ? "*" : ""}${snakeCase(name)}\``];
}
