/**
 * Leaves out of the page what only other front ends use of winnow-release: how mechanisms run on public scores (`winnow simulate`), what
 * a choice among them needs to know, the next steps that the command line and the service show, and the texts of flags. The library has one table for all of them; a first
 * load needs the page's column. What is left out is found by its name in the syntax tree, never by its text.
 * @module
 */
import type { Plugin } from "vite";

/** Properties of objects, and a property beside them that tells which table they are in. */
const LEFT_OUT: readonly { readonly name: string; readonly beside?: string }[] = [
  { name: "simulated", beside: "rules" },
  { name: "cli", beside: "exit" },
  { name: "service", beside: "exit" },
  { name: "happened", beside: "exit" },
  { name: "title", beside: "exit" },
  { name: "status", beside: "exit" },
  { name: "exit", beside: "status" },
  { name: "texts", beside: "usual" },
  { name: "before", beside: "gives" },
  { name: "needs", beside: "wants" },
  { name: "needs", beside: "prepare" },
  { name: "expect", beside: "wants" },
  { name: "text", beside: "flags" },
  { name: "example", beside: "flags" },
  { name: "value", beside: "flags" },
  { name: "type", beside: "flags" },
  { name: "choices", beside: "flags" },
  { name: "file", beside: "flags" },
  { name: "flags", beside: "text" },
  { name: "summary", beside: "headline" },
];

/** Parts of the Parquet reader that the page never needs: columns that it refuses by their type, and filters, which it never passes. */
const UNREAD: readonly { readonly file: RegExp; readonly code: string }[] = [
  { file: /\/hyparquet\/src\/variant\.js$/, code: refusing("decodeVariantColumn") },
  { file: /\/hyparquet\/src\/wkb\.js$/, code: refusing("wkbToGeojson") },
  {
    file: /\/hyparquet\/src\/filter\.js$/,
    code: `export const pathsNeededForFilter = () => [], columnsNeededForFilter = () => [];
export const matchFilter = () => true, canSkipRowGroup = () => false;
${refusing("filterPageRanges")}${refusing("intersectRanges")}${refusing("unionRanges")}`,
  },
  {
    file: /\/hyparquet\/src\/bloom\.js$/,
    code: `export const bloomEligibleColumns = () => new Set();
${["sbbfInsert", "sbbfContains", "readBloomFilter", "hashParquetValue"].map(refusing).join("")}`,
  },
];

function refusing(name: string): string {
  return `export function ${name}() { throw new Error("the page has no such columns and filters"); }\n`;
}

/**
 * Functions and classes of the libraries that the page never calls: computed items, proofs of inclusion, committed bits, names for an
 * account at one order, choices among runs that aren't pure ε, filters and statistics of Parquet files.
 */
const UNCALLED = [
  ...[
    "readItems",
    "LogTree",
    "verifyLog",
    "bitsOf",
    "orderedCounts",
    "planAtOrder",
    ...["lossOfPoissonBest", "drawPoisson", "ruleOfFirstAbove", "renyiOf", "profileOf"],
    "releaseBits",
    "reservedBits",
    "withBits",
  ],
  ...["prefetchPageIndexes", "prefetchBloomFilters", "convertStats", "markGeoColumns", "assembleNested"],
];
/**
 * Attacks on what the page never does: queries against a threshold, mechanisms in base 2, settings chosen by tries, queries in an engine,
 * millions of numbers as a list. `winnow audit --attacks` plays them.
 */
const UNPLAYED = [
  ...["answersWithoutLimit", "noiseWithoutCount", "queriesWithoutNoise", "boundedNoise", "roundedQueries"],
  ...["zeroRoundingInBase2", "truncatedAdditionInBase2", "swappedRounding", "rejectionTiming"],
  ...["inverseTransform", "roundingTooFine", "loggedTrials", "failingQuery", "truncatedAddition"],
];
const DECLARATIONS = ["FunctionDeclaration", "VariableDeclarator"];

export function pageOnly(): Plugin {
  return {
    name: "page-only",
    load(id) {
      return UNREAD.find(({ file }) => file.test(id))?.code;
    },
    transform(code, id) {
      if (
        !/\/packages\/(core|release|audit)\/dist\/[^/]+\.js$|\/hyparquet\/src\/(plan|metadata|geoparquet|assemble)\.js$/.test(
          id,
        )
      )
        return undefined;
      return { code: withoutParts(code, this.parse(code) as unknown as Node), map: null };
    },
  };
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly properties?: readonly Node[];
  readonly elements?: readonly (Node | null)[];
  readonly name?: string;
  readonly key?: Node & { readonly name?: string };
  readonly id?: { readonly name?: string } | null;
  readonly body?: Node;
  readonly init?: Node | null;
}

/** The code without the properties that the page never reads. */
export function withoutParts(code: string, tree: Node): string {
  const cuts: (readonly [start: number, end: number, instead?: string])[] = [];
  const cut = ({ start, end }: Node) => {
    const comma = /^\s*,/.exec(code.slice(end))?.[0].length ?? 0;
    cuts.push([start, end + comma]);
  };
  walk(tree, (node) => {
    const body = DECLARATIONS.includes(node.type) ? (node.init ?? node).body : undefined;
    if (body !== undefined && UNCALLED.includes(node.id?.name ?? ""))
      cuts.push([body.start + 1, body.end - 1]);
    if (node.type === "VariableDeclarator" && node.init && UNPLAYED.includes(node.id?.name ?? ""))
      cuts.push([node.init.start, node.init.end, "0"]);
    if (node.type === "ArrayExpression")
      for (const element of node.elements ?? []) if (UNPLAYED.includes(element?.name ?? "")) cut(element!);
    if (node.type !== "ObjectExpression") return;
    const names = (node.properties ?? []).map(({ key }) => key?.name);
    for (const property of node.properties ?? []) {
      const rule = LEFT_OUT.find(({ name }) => name === property.key?.name);
      if (rule === undefined || (rule.beside !== undefined && !names.includes(rule.beside))) continue;
      cut(property);
    }
  });
  const ordered = cuts.sort(([a], [b]) => a - b);
  const parts: string[] = [];
  let from = 0;
  for (const [start, end, instead = ""] of ordered) {
    if (start < from) continue; // within what is left out already
    parts.push(code.slice(from, start), instead, code.slice(start + instead.length, end).replace(/\S/g, " ")); // all else stays where it was, for maps
    from = end;
  }
  return parts.join("") + code.slice(from);
}

function walk(node: unknown, visit: (node: Node) => void): void {
  if (Array.isArray(node)) for (const each of node) walk(each, visit);
  else if (typeof node === "object" && node !== null && "type" in node) {
    visit(node as Node);
    for (const value of Object.values(node)) if (typeof value === "object") walk(value, visit);
  }
}
