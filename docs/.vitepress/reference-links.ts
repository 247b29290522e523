/**
 * Names that are links in the API reference, which is made of comments in the sources. A page is named there as a file,
 * `docs/mechanisms/top-k.md`, or as a proof, `race/race.proof.md`, and linked under its title; what is exported is named in code
 * marks. Only names with a capital letter are linked: `eta` may be the function, and may be the option.
 * @module
 */
import { readFileSync } from "node:fs";
import type MarkdownIt from "markdown-it";
import { titleOf } from "./page-titles.js";

type Token = ReturnType<MarkdownIt["parse"]>[number];

const PAGE = /\bdocs\/([\w/-]+)\.md\b/;
const PROOF = /(?:[\w-]+\/)*([\w-]+)\.proof\.md\b/g;
const EXPORT = /^\| \[(\w*[A-Z]\w*)\]\(([\w/-]+)\.md\)/gm;

/** Makes the names links. */
export function referenceLinks(markdown: MarkdownIt): void {
  markdown.core.ruler.push("reference-links", ({ tokens, env, Token }) => {
    const page = env.relativePath?.replace(/\.md$/, "") ?? "";
    if (!page.startsWith("api/")) return;
    const exports = exportsNear(page);
    const text = (content: string) => Object.assign(new Token("text", "", 0), { content });
    const link = (target: string, content: Token) => {
      const open = new Token("link_open", "a", 1);
      open.attrSet("href", `/${target}`);
      return [open, content, new Token("link_close", "a", -1)];
    };
    const linked = (token: Token): Token[] => {
      const target = token.type === "code_inline" ? exports.get(token.content) : undefined;
      if (target !== undefined && target !== page) return link(target, token);
      if (token.type !== "text") return [token];
      // Split at the one group of the pattern, every other part is a page.
      return token.content
        .replaceAll(PROOF, "docs/proofs/$1.md")
        .split(PAGE)
        .flatMap((part, i) => (i % 2 === 0 ? [text(part)] : link(part, text(titleOf(`${part}.md`)))));
    };
    for (const token of tokens) if (token.children) token.children = outsideLinks(token.children, linked);
  });
}

/** Replaces tokens that are not in a link already. */
function outsideLinks(tokens: readonly Token[], replace: (token: Token) => Token[]): Token[] {
  let depth = 0;
  return tokens.flatMap((token) => {
    if (token.type === "link_open") depth++;
    if (token.type === "link_close") depth--;
    return depth > 0 ? [token] : replace(token);
  });
}

/** The pages of what the main entry point exports, and of what that of this page does, which comes first. */
function exportsNear(page: string): ReadonlyMap<string, string> {
  const [, entryPoint = MAIN] = /^(api\/winnow-(?:audit|dp(?:\/(?:sample|testing))?))\//.exec(page) ?? [];
  const exports = known.get(entryPoint) ?? new Map([MAIN, entryPoint].flatMap(exportsOf));
  known.set(entryPoint, exports);
  return exports;
}

const MAIN = "api/winnow-dp";
const known = new Map<string, ReadonlyMap<string, string>>();

function exportsOf(entryPoint: string): [name: string, page: string][] {
  const index = readFileSync(new URL(`../${entryPoint}/index.md`, import.meta.url), "utf8");
  return [...index.matchAll(EXPORT)].map(([, name, page]) => [name, `${entryPoint}/${page}`]);
}
