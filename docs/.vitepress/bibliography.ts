/**
 * The bibliography for the site: what `references.bib` holds, and a markdown rule that makes `[CKS20, Alg 1]` a link to it.
 * @module
 */
import { readFileSync } from "node:fs";
import type MarkdownIt from "markdown-it";

export interface Reference {
  readonly key: string;
  readonly fields: Readonly<Record<string, string>>;
}

const ENTRY = /^@\w+\{(\w+),\n(.*?)^\}$/gms;
const FIELD = /^\s*(\w+)\s*=\s*\{(.*?)\},?$/gms;
const CITATION = /^\[([A-Z][A-Za-z]*\d{2}[a-z]?)((?:[,;][^\]]*)?)\](?!\()/;
const ACCENTS: Readonly<Record<string, string>> = {
  "'": "\u0301",
  "`": "\u0300",
  '"': "\u0308",
  "^": "\u0302",
  "~": "\u0303",
};

/** Every entry, in the order of the file. */
export function references(): Reference[] {
  const text = readFileSync(new URL("../references.bib", import.meta.url), "utf8");
  return [...text.matchAll(ENTRY)].map(([, key, body]) => ({
    key,
    fields: Object.fromEntries([...body.matchAll(FIELD)].map(([, name, value]) => [name, plain(value)])),
  }));
}

/** TeX's braces, dashes, accents, fonts and signs as plain text. */
function plain(tex: string): string {
  return tex
    .replace(/\\(['`"^~])\{?(\w)\}?/g, (_, accent, letter) => (letter + ACCENTS[accent]).normalize("NFC"))
    .replace(/\\texttt\b/g, "")
    .replace(/\\_/g, "_")
    .replace(/[{}$]/g, "")
    .replace(/--/g, "–")
    .replace(/\s+/g, " ");
}

/** Makes citations links to the page of references. */
export function citations(markdown: MarkdownIt): void {
  const known = new Set(references().map(({ key }) => key));
  markdown.inline.ruler.before("link", "citation", (state, silent) => {
    const match = CITATION.exec(state.src.slice(state.pos));
    if (match === null || !known.has(match[1])) return false;
    if (!silent) {
      const open = state.push("link_open", "a", 1);
      open.attrSet("href", `/references#${match[1].toLowerCase()}`);
      state.push("text", "", 0).content = `[${match[1]}${match[2]}]`;
      state.push("link_close", "a", -1);
    }
    state.pos += match[0].length;
    return true;
  });
}
