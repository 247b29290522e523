/**
 * A formula is set once and then remembered: the same ones come again and again, and every page is rendered three times, for
 * the browser, for the server and for the search. Setting them all each time took a third of the site's build.
 * @module
 */
import type MarkdownIt from "markdown-it";

/** What each formula became, by its kind and its TeX. */
const known = new Map<string, string>();

/** Lets the rules that set mathematics remember. */
export function mathematicsOnce(markdown: MarkdownIt): void {
  const { rules } = markdown.renderer;
  for (const kind of ["math_inline", "math_block"]) {
    const set = rules[kind];
    if (set === undefined) throw new Error(`nothing sets ${kind}`);
    rules[kind] = (tokens, index, ...rest) => {
      const formula = `${kind} ${tokens[index].content}`;
      const html = known.get(formula) ?? set(tokens, index, ...rest);
      known.set(formula, html);
      return html;
    };
  }
}
