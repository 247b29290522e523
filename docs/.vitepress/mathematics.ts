/**
 * Formulas as drawings with their MathML beside them, for those who can't see them. MathJax is set up once for the whole site,
 * and a formula is set once and then remembered: the same ones come again and again, and every page is rendered three times,
 * for the browser, for the server and for the search. The plugin's own renderer, which sets MathJax up for each formula, took
 * a third of the site's build.
 * @module
 */
import type MarkdownIt from "markdown-it";
import { AssistiveMmlHandler } from "mathjax-full/js/a11y/assistive-mml.js";
import { liteAdaptor } from "mathjax-full/js/adaptors/liteAdaptor.js";
import { RegisterHTMLHandler } from "mathjax-full/js/handlers/html.js";
import { AllPackages } from "mathjax-full/js/input/tex/AllPackages.js";
import { TeX } from "mathjax-full/js/input/tex.js";
import { mathjax } from "mathjax-full/js/mathjax.js";
import { SVG } from "mathjax-full/js/output/svg.js";

const adaptor = liteAdaptor();
AssistiveMmlHandler(RegisterHTMLHandler(adaptor));
const output = new SVG({ fontCache: "none" });
const formulas = mathjax.document("", { InputJax: new TeX({ packages: AllPackages }), OutputJax: output });

/** What each formula became, by its kind and its TeX. */
const known = new Map<string, string>();

/** Sets the formulas that VitePress's plugin finds. */
export function mathematics(markdown: MarkdownIt): void {
  for (const kind of ["math_inline", "math_block"]) {
    if (markdown.renderer.rules[kind] === undefined) throw new Error(`nothing finds ${kind}`);
    markdown.renderer.rules[kind] = (tokens, index) => {
      const { content } = tokens[index];
      const formula = `${kind} ${content}`;
      const html = known.get(formula) ?? set(content, kind === "math_block");
      known.set(formula, html);
      return html;
    };
  }
}

function set(tex: string, display: boolean): string {
  const formula = formulas.convert(tex, { display });
  if (display) adaptor.setAttribute(formula, "tabindex", "0"); // a wide one scrolls, by the keyboard too
  return adaptor.outerHTML(formula);
}

/** The style of formulas. */
export function mathematicsStyle(): string {
  return adaptor.textContent(output.styleSheet(formulas));
}
