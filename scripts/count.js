/**
 * Counts what the design is about, at any commit: files, lines of code, exported names, files in import cycles, and in how many
 * places each shared rule stands. `docs/architecture.md` has the table of two commits.
 *
 *     npm run count             the working tree
 *     npm run count -- COMMIT   a commit
 *
 * A line of code is one that isn't blank and isn't in a comment. Rules are found by a pattern that the place must contain.
 * @module
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { posix } from "node:path";

const ABOVE = /^packages\/(release|cli|server|studio)\/src\//;
const CORE = /^packages\/core\/src\//;

/** A rule, where it may stand, what a place of it looks like. */
const RULES = [
  [
    "core",
    "an eighth: the price of a bounded-range round",
    CORE,
    /(?<!(?:\*\*|[A-Z] =|\(size\) \*) )\b8n\b|\(8 \*|"1\/8"/,
    "places",
  ],
  ["core", "headers inside a file", CORE, /^\/\*(?!\*)/, "places", "comments"],
  ["above", "a mechanism's name in a literal", ABOVE, /"(?:top-k-with-gap|permute-and-flip|limited-top-k|stable-top-k|stable-top-k-fixed|threshold-top-k|select-partitions|integer-partition|top-k-set|histogram-top-k)"/, "files"], // biome-ignore format: one line a rule
  [
    "above",
    "a comparison with a kind's name",
    ABOVE,
    /kind(?:\.value)?\s*[!=]==\s*"(?:top|names|adaptive|quantile|frequencies)"/,
    "places",
  ],
  [
    "above",
    "classes of refusals",
    ABOVE,
    /^(?:export )?class (?:\w*Refusal|Problem|LedgerError|ConfigError) extends/,
    "places",
  ],
  ["above", "the unit of privacy in words", ABOVE, /`one value of column/, "places"],
  ["above", "what something must be, in words", ABOVE, /; got .*["`]/, "places"],
];

const files = sources(process.argv[2]);
for (const [title, room] of [
  ["core", CORE],
  ["above core", ABOVE],
]) {
  const own = files.filter(({ path }) => room.test(path));
  console.log(
    `${title}: ${own.length} files, ${own.reduce((sum, { code }) => sum + code.length, 0)} lines of code`,
  );
}
for (const name of ["core", "audit", "release", "server"])
  console.log(exported(`packages/${name}/src/index.ts`, name));
for (const types of [false, true]) {
  const circular = inCycles(types).map((path) => (CORE.test(path) ? "core" : "above"));
  const ofCore = circular.filter((room) => room === "core").length;
  const what = types ? "imports of types included" : "by value";
  console.log(`files in import cycles, ${what}: core ${ofCore}, above ${circular.length - ofCore}`);
}
const reached = reachedFrom("packages/core/src/select/top-k.ts", importsOf(false));
console.log(
  `topK reaches ${reached.size} files, and the budget: ${[...reached].some((path) => path.endsWith("/budget.ts"))}`,
);
for (const [room, rule, where, pattern, unit, kind] of RULES)
  console.log(`${room}: ${rule}: ${places(where, pattern, unit, kind)} ${unit}`);

/** The TypeScript of all packages, with their lines of code. */
function sources(commit) {
  const git = (...words) => execFileSync("git", words, { encoding: "utf8", maxBuffer: 2 ** 28 });
  const listed =
    commit === undefined
      ? git("ls-files", "packages")
      : git("ls-tree", "-r", "--name-only", commit, "packages");
  const paths = listed.split("\n").filter((path) => /^packages\/\w+\/src\/.*\.tsx?$/.test(path));
  return paths.map((path) => {
    const text = commit === undefined ? readFileSync(path, "utf8") : git("show", `${commit}:${path}`);
    return {
      path,
      text,
      code: withoutComments(text)
        .split("\n")
        .filter((line) => line.trim() !== ""),
    };
  });
}

/** Comments begin where a line begins, or after a statement, so a pattern will do. */
function withoutComments(text) {
  return text.replace(/^\s*\/\*[\s\S]*?\*\//gm, "").replace(/(^|[;,{}()]\s+|^\s+)\/\/ .*$/gm, "$1");
}

function exported(path, name) {
  const text = withoutComments(files.find((file) => file.path === path)?.text ?? "");
  const lists = [...text.matchAll(/export (type )?\{([^}]*)\}/g)];
  const names = lists.flatMap(([, type, list]) =>
    list
      .split(",")
      .map((word) => word.trim())
      .filter((word) => word !== "")
      .map((word) => type !== undefined || word.startsWith("type ")),
  );
  return `exported by ${name}: ${names.length} names, ${names.filter((isType) => isType).length} of them types`;
}

function places(where, pattern, unit, kind) {
  const own = files.filter(({ path }) => where.test(path));
  if (unit === "places")
    return own.reduce(
      (sum, { text, code }) =>
        sum + (kind === "comments" ? text.split("\n") : code).filter((line) => pattern.test(line)).length,
      0,
    );
  return own.filter(({ code }) => pattern.test(code.join("\n"))).length;
}

function importsOf(types) {
  const known = new Set(files.map(({ path }) => path));
  return new Map(
    files.map(({ path, text }) => {
      const code = withoutComments(text);
      const found = [
        ...code.matchAll(
          /(?:^|\n)(?:import|export)\s+(type\s+)?(?:(\{[^}]*\}|[\w*\s,{}]+)\s*from\s*)?"(\.[^"]+)"/g,
        ),
      ];
      const used = found.filter(([, type, list = ""]) => types || (type === undefined && !onlyTypes(list)));
      const targets = used.flatMap(([, , , specifier]) => {
        const target = posix.join(posix.dirname(path), specifier).replace(/\.jsx?$/, "");
        return [`${target}.ts`, `${target}.tsx`].filter((candidate) => known.has(candidate));
      });
      return [path, targets];
    }),
  );
}

function onlyTypes(list) {
  const names = list
    .replace(/[{}]/g, "")
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  return list.startsWith("{") && names.length > 0 && names.every((name) => name.startsWith("type "));
}

function inCycles(types) {
  const imports = importsOf(types);
  return [...imports.keys()].filter((path) => reachedFrom(path, imports).has(path));
}

function reachedFrom(from, imports) {
  const [seen, next] = [new Set(), [...(imports.get(from) ?? [])]];
  for (let path = next.pop(); path !== undefined; path = next.pop()) {
    if (seen.has(path)) continue;
    seen.add(path);
    next.push(...(imports.get(path) ?? []));
  }
  return seen;
}
