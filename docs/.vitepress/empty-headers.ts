/**
 * The first column of many tables needs no title. Its empty cell becomes an ordinary one, so that no screen reader announces it as a header.
 * @module
 */
import type MarkdownIt from "markdown-it";

/** Makes empty headers of tables ordinary cells. */
export function emptyHeaders(markdown: MarkdownIt): void {
  markdown.core.ruler.push("empty-headers", ({ tokens }) => {
    for (const [i, token] of tokens.entries()) {
      if (token.type !== "th_open" || tokens[i + 1]?.content !== "") continue;
      token.tag = "td";
      const end = tokens.slice(i).find(({ type }) => type === "th_close");
      if (end !== undefined) end.tag = "td";
    }
  });
}
