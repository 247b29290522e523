/**
 * Tabs of code have names that bind a label to its tab. The theme draws them at random; here they are numbers, so that two builds of the
 * site are the same bytes.
 * @module
 */
import type MarkdownIt from "markdown-it";

const OPEN = "container_code-group_open";

/** Names tabs by the place of their group in the page. */
export function tabNames(markdown: MarkdownIt): void {
  const drawn = markdown.renderer.rules[OPEN];
  if (drawn === undefined) throw new Error("the theme has no groups of code");
  markdown.renderer.rules[OPEN] = (tokens, place, ...rest) => {
    const names = new Map<string, string>();
    return drawn(tokens, place, ...rest).replaceAll(/\b(?:group|tab)-[\w-]+(?=")/g, (name) => {
      const known = names.get(name) ?? `tab-${place}-${names.size}`;
      names.set(name, known);
      return known;
    });
  };
}
