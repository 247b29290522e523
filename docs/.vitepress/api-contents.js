/**
 * A plugin of typedoc: the index of an entry point has the sections and the order of its `index.ts`, which is a table of
 * contents. A comment such as `// From a public list` begins a section, and what is exported after it belongs there: functions
 * first, then classes, then the types that they speak of. What stands under no section fails the build.
 * @module
 */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { Converter, ReflectionGroup, ReflectionKind } from "typedoc";

const PACKAGES = resolve(import.meta.dirname, "../../packages");
/** Where the table of contents of each entry point is; one that is a single file has none. */
const CONTENTS = {
  "winnow-dp": "core/src",
  "winnow-dp/sample": "core/src/sample",
  "winnow-dp/testing": "core/src/testing",
  "winnow-audit": "audit/src",
  "winnow-release": "release/src",
};
const STATEMENT = /^\/\/ (?!biome-)(?<section>.*)$|^export (?:type )?\{(?<names>[^}]*)\} from/gm;
const KINDS = [ReflectionKind.Function, ReflectionKind.Variable, ReflectionKind.Class];

/** The sections of a table of contents, each with the names under it in their order. */
function* sectionsOf(folder) {
  let section;
  for (const { groups } of readFileSync(`${PACKAGES}/${folder}/index.ts`, "utf8").matchAll(STATEMENT)) {
    if (groups.section !== undefined) section = groups.section;
    else for (const name of groups.names.matchAll(/(?:type )?(\w+),?/g)) yield [section, name[1]];
  }
}

/** Functions before classes before types; within them the order of the table of contents stays. */
function rank({ kind }) {
  const place = KINDS.indexOf(kind);
  return place < 0 ? KINDS.length : place;
}

function groupsOf(entryPoint) {
  const children = new Map(entryPoint.children.map((child) => [child.name, child]));
  const groups = new Map();
  for (const [section, name] of sectionsOf(CONTENTS[entryPoint.name])) {
    if (section === undefined) throw new Error(`${name} is under no section of ${entryPoint.name}`);
    if (!groups.has(section)) groups.set(section, new ReflectionGroup(section, entryPoint));
    groups.get(section).children.push(children.get(name));
    children.delete(name);
  }
  if (children.size > 0) throw new Error(`not found in ${entryPoint.name}: ${[...children.keys()]}`);
  for (const group of groups.values()) group.children.sort((a, b) => rank(a) - rank(b));
  return [...groups.values()];
}

/** What typedoc calls a parameter that a function takes apart. */
const TAKEN_APART = "__namedParameters";

/** `question` for a parameter of type `Question`. */
function namedAfter(type) {
  const name = type?.type === "reference" ? type.name : "options";
  return name[0].toLowerCase() + name.slice(1);
}

/** After typedoc has made groups of its own. */
const LAST = -1000;

/**
 * Options are a union over their budgets, in which each branch names all budgets, so nothing is lost where typedoc shows
 * one table of properties. A property that isn't in every branch would be. It says so of each, and of a property that several branches have.
 */
const ABOUT_UNIONS =
  /^Using @interface on a union type will discard|has multiple declarations with a comment/;

export function load({ converter, logger }) {
  const warn = logger.warn.bind(logger);
  logger.warn = (text, ...more) => {
    if (!ABOUT_UNIONS.test(text)) warn(text, ...more);
  };
  converter.on(
    Converter.EVENT_RESOLVE_END,
    ({ project }) => {
      for (const parameter of project.getReflectionsByKind(ReflectionKind.Parameter))
        if (parameter.name === TAKEN_APART) parameter.name = namedAfter(parameter.type);
      for (const entryPoint of project.children)
        if (entryPoint.name in CONTENTS) entryPoint.groups = groupsOf(entryPoint);
    },
    LAST,
  );
}
