/**
 * Comments in the sources name pages as files, `docs/proofs/race.md`. In the API reference, which is made of them, such a
 * name becomes a link to the page under its title.
 * @module
 */
import type MarkdownIt from "markdown-it";
import { titleOf } from "./page-titles.js";

type Token = ReturnType<MarkdownIt["parse"]>[number];

const PAGE = /\bdocs\/([\w/-]+)\.md\b/;

/** Makes names of pages links. */
export function namedPages(markdown: MarkdownIt): void {
  markdown.core.ruler.push("named-pages", ({ tokens, env, Token }) => {
    if (!env.relativePath?.startsWith("api/")) return;
    const text = (content: string) => Object.assign(new Token("text", "", 0), { content });
    const link = (page: string) => {
      const open = new Token("link_open", "a", 1);
      open.attrSet("href", `/${page.replace(/(^|\/)index$/, "$1")}`);
      return [open, text(titleOf(`${page}.md`)), new Token("link_close", "a", -1)];
    };
    // Split at the one group of the pattern, every other part is a page.
    const linked = (token: Token) =>
      token.type !== "text"
        ? [token]
        : token.content.split(PAGE).flatMap((part, i) => (i % 2 === 1 ? link(part) : [text(part)]));
    for (const token of tokens) if (token.children) token.children = token.children.flatMap(linked);
  });
}
