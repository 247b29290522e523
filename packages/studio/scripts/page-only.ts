/**
 * Leaves out of the page what only other front ends use of winnow-release: how mechanisms run on public scores (`winnow simulate`), the
 * next steps that the command line and the service show, and the texts of flags. The library has one table for all of them; a first
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
  { name: "text", beside: "flags" },
  { name: "example", beside: "flags" },
];

/** Parts of the Parquet reader for columns that the page refuses by their type. */
const UNREAD = [
  { file: /\/hyparquet\/src\/variant\.js$/, name: "decodeVariantColumn" },
  { file: /\/hyparquet\/src\/wkb\.js$/, name: "wkbToGeojson" },
];

export function pageOnly(): Plugin {
  return {
    name: "page-only",
    load(id) {
      const found = UNREAD.find(({ file }) => file.test(id));
      return (
        found && `export function ${found.name}() { throw new Error("the page doesn't read such columns"); }`
      );
    },
    transform(code, id) {
      if (!/\/packages\/release\/dist\/[^/]+\.js$/.test(id)) return undefined;
      return { code: withoutParts(code, this.parse(code) as unknown as Node), map: null };
    },
  };
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly properties?: readonly Node[];
  readonly key?: Node & { readonly name?: string };
}

/** The code without the properties that the page never reads. */
export function withoutParts(code: string, tree: Node): string {
  const cuts: (readonly [start: number, end: number])[] = [];
  walk(tree, (node) => {
    if (node.type !== "ObjectExpression") return;
    const names = (node.properties ?? []).map(({ key }) => key?.name);
    for (const property of node.properties ?? []) {
      const rule = LEFT_OUT.find(({ name }) => name === property.key?.name);
      if (rule === undefined || (rule.beside !== undefined && !names.includes(rule.beside))) continue;
      const comma = /^\s*,/.exec(code.slice(property.end))?.[0].length ?? 0;
      cuts.push([property.start, property.end + comma]);
    }
  });
  const ordered = cuts.sort(([a], [b]) => a - b);
  const parts: string[] = [];
  let from = 0;
  for (const [start, end] of ordered) {
    if (start < from) continue; // within what is left out already
    parts.push(code.slice(from, start));
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
