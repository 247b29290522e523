/**
 * The built site as a visitor meets it: its pages, where their links lead, and what is left of TeX in their text.
 * @module
 */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { posix } from "node:path";

export interface BuiltPage {
  /** From the root of the site. */
  readonly path: string;
  readonly html: string;
}

/** All pages of a built site. */
export function builtPages(root: string): BuiltPage[] {
  return readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".html"))
    .map((path) => ({ path: `/${path}`, html: readFileSync(`${root}/${path}`, "utf8") }));
}

const TARGET = /\b(?:href|src)="(?![a-z]+:|\/\/)([^"]*)"/g;

/** Links of a page to files that the site does not have, and to places that a page does not have. */
export function brokenLinks(root: string, { path, html }: BuiltPage): string[] {
  return [...html.matchAll(TARGET)]
    .map(([, target]) => target.replaceAll("&amp;", "&"))
    .filter((target) => !leadsSomewhere(root, path, target));
}

function leadsSomewhere(root: string, from: string, target: string): boolean {
  const [file, place] = decodeURI(target).split("#");
  const path = file === "" ? from : posix.resolve(posix.dirname(from), file);
  const found = [path, `${path}.html`, `${path}/index.html`].find((name) => isFile(root + name));
  if (found === undefined) return false;
  return !place || readFileSync(root + found, "utf8").includes(`id="${place}"`);
}

function isFile(path: string): boolean {
  return existsSync(path) && statSync(path).isFile();
}

const NO_TEXT = /<(script|style|pre|code)\b.*?<\/\1>|<[^>]*>/gs;
const TEX = /\$[^$\n]{1,60}\$|\\[a-z]{2,}\{/g;

/** Mathematics that was not rendered. */
export function rawMathematics({ html }: BuiltPage): string[] {
  return html.replace(NO_TEXT, " ").match(TEX) ?? [];
}
