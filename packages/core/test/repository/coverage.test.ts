/** What is covered of the papers that Winnow began with: docs/coverage.md, item by item. */
import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { absent, cites, label, named, present, rows, rowsOf } from "./coverage-page.js";
import { projectFiles, ROOT, read } from "./project.js";

/** Everything in each paper that has a number, as it is printed there. */
const ITEMS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Ding23: {
    Definition: "3.1 3.2 5.1",
    Theorem: "3.3 4.3 5.2 5.3",
    Lemma: "4.1 4.2 5.4 5.5 5.6 5.7 5.8",
    Algorithm: "1 2 3 4 5",
    Table: "1 2 3 4 5 6",
  },
  ZW22: {
    Definition: "1 2 5 6 15",
    Lemma: "3 4 10 16 17 18 23",
    Proposition: "7",
    Theorem: "8 11 12 20 21",
    Corollary: "9 19 22",
    Example: "A B 13 14",
    Algorithm: "1 2 3 4 5",
    Table: "1 2",
    Figure: "1",
  },
  Ilv20: {
    Definition: "1.1 3.1",
    Mechanism: "1 2 3 4",
    Attack: "1 2",
    Lemma: "3.2 3.4 3.5 3.7 A.1 A.2",
    Proposition: "3.3 3.6 3.8 3.9",
    Algorithm: "1 2 3 4",
    Table: "1",
    Figure: "1 2 3 4 5 6 7 8 9 10 11",
  },
  Ilv20p: {
    Definition: "2.1",
    Lemma: "2.2 5.2 5.3 6.1 6.2",
    Mechanism: "1",
    Theorem: "3.1 4.1 5.4",
    Proposition: "3.2 5.1 8.1",
    Algorithm: "1 2 3",
    Table: "1 2 3",
  },
  Sho25: { Theorem: "2.1" },
};

/** Of a paper with a single number also these parts of its text. */
const PARTS = ["pseudocode", "peeling", "Gumbel trick", "sampling vulnerabilities"];

const fromRoot = (path: string) => (/^(?:docs|research)\//.test(path) ? path : `packages/${path}`);

describe("what is covered of the papers", () => {
  it.each(Object.entries(ITEMS))("has every numbered item of %s, once", (paper, kinds) => {
    const items = Object.entries(kinds).flatMap(([kind, numbers]) =>
      numbers.split(" ").map((number) => `${kind} ${number}`),
    );
    const listed = rows.filter((row) => row.paper === paper).map(({ item }) => item);
    expect(listed.toSorted()).toEqual([...items, ...(paper === "Sho25" ? PARTS : [])].toSorted());
  });

  it("names code that exists", () => {
    const wrong = present.filter(({ code }) => {
      const files = named(code).map(fromRoot);
      return files.length === 0 || !files.every((file) => existsSync(ROOT + file));
    });
    expect(wrong.map(label)).toEqual([]);
  });

  it("names tests by titles that exist", () => {
    const wrong = present.filter(({ test }) => {
      const [, path, title] = /^`([^`]+\.test\.ts)`: `([^`]+)`$/.exec(test) ?? [];
      if (path === undefined || !existsSync(ROOT + fromRoot(path))) return true;
      return !new RegExp(`(?:"|\`)${escaped(title)}`).test(read(fromRoot(path)));
    });
    expect(wrong.map(label)).toEqual([]);
  });

  it("names commands that exist", () => {
    const wrong = present.filter(({ command }) => !named(command).some(isCommand));
    expect(wrong.map(label)).toEqual([]);
  });

  it("names experiments whose sections name the item", () => {
    const wrong = present.filter((row) => {
      const [, experiment] = /^`npm run research -- ([\w-]+)`$/.exec(row.command) ?? [];
      return experiment !== undefined && !cites(textsOf(experiment), row);
    });
    expect(wrong.map(label)).toEqual([]);
  });

  it("says why where something is not applicable", () => {
    expect(absent.filter(({ code }) => !/^not applicable: .{10}/.test(code)).map(label)).toEqual([]);
  });

  it("would not pass with a row that names nothing", () => {
    const [row] = rowsOf(
      "## [X]\n| a | b | c | d | e |\n| - | - | - | - | - |\n| Lemma 1 | x | `y` | z | `npm run x` |\n",
    );
    expect(row).toEqual({ paper: "X", item: "Lemma 1", code: "`y`", test: "z", command: "`npm run x`" });
    expect(isCommand("npm run nothing")).toBe(false);
    expect(isCommand("npm run research -- nothing")).toBe(false);
    expect(isCommand("winnow audit --nothing")).toBe(false);
    expect(isCommand("winnow nothing")).toBe(false);
    const theorem = { ...row, paper: "ZW22", item: "Theorem 11" };
    expect(cites("[ZW22, Theorems 11 and 20]", theorem)).toBe(true);
    for (const other of ["[ZW22, Theorem 1]", "[ZW22, Theorem 112]", "[Ilv20, Theorem 11]", "Theorem 11"])
      expect(cites(other, theorem)).toBe(false);
  });
});

const COMMANDS = projectFiles(/^packages\/cli\/src\/commands\/.*\.ts$/);
const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };

function isCommand(command: string): boolean {
  if (command === "npm test") return true;
  const [, script, experiment] = /^npm run ([\w:-]+)(?: -- ([\w-]+))?$/.exec(command) ?? [];
  if (script !== undefined)
    return script in scripts && (experiment === undefined || hasExperiment(experiment));
  const [, verb, rest] = /^winnow ([\w-]+)( .*)?$/.exec(command) ?? [];
  const own =
    verb === undefined
      ? undefined
      : COMMANDS.find(({ text }) => new RegExp(`\\.command\\("${verb}[" ]`).test(text));
  if (own === undefined) return false;
  // The command line's own tests run those with arguments.
  return verb !== "audit" || (rest?.match(/--[\w-]+/g) ?? []).every((flag) => own.text.includes(`"${flag}`));
}

function hasExperiment(name: string): boolean {
  return new RegExp(`^  "?${name}"?[:,]`, "m").test(read("research/src/main.ts"));
}

/** What an experiment's source says outside of its comments. */
function textsOf(experiment: string): string {
  return projectFiles(new RegExp(`^research/src/${experiment}/.*\\.ts$`))
    .map(({ text }) => text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, ""))
    .join("\n");
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
