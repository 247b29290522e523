/**
 * A plugin of typedoc that tidies the pages it writes: a title is a name without type parameters, which the page lists;
 * declarations of types are set by TypeScript's own printer; a union in a table has no bar before its first member; type
 * parameters of which nothing is said have no table, as the signature shows them; and from where a member is inherited,
 * often from a type that is not exported, is left out, as every page lists all members.
 * @module
 */
import { MarkdownPageEvent } from "typedoc-plugin-markdown";
import ts from "typescript";

const TITLE = /^(# \w+)\\<.*\\>/m;
const DECLARATION = /(?<=^```ts\n)type [^`]*\{[^`]*(?=\n```$)/gm;
const FIRST_BAR = /\| \\\| /g;
const BARE_PARAMETERS = /^#+ Type Parameters\n\n\| Type Parameter \|\n(?:\|.*\n)+\n/gm;
const ANCESTRY =
  /^#+ (?:Extends|Extended by|Implements|Implementation of|Inherited from|Overrides)\n\n(?:.+\n)+\n?/gm;

const printer = ts.createPrinter();

function printed(declaration) {
  const source = ts.createSourceFile("declaration.ts", declaration, ts.ScriptTarget.Latest);
  return printer.printFile(source).trimEnd().replaceAll("    ", "  ");
}

export function load({ renderer }) {
  renderer.on(MarkdownPageEvent.END, (page) => {
    page.contents = page.contents
      .replace(TITLE, "$1")
      .replace(DECLARATION, printed)
      .replace(FIRST_BAR, "| ")
      .replace(BARE_PARAMETERS, "")
      .replace(ANCESTRY, "");
  });
}
