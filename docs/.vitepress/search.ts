/**
 * What the search of the site finds: guides and mechanisms by their text, proofs and the API reference by their names and
 * first sentences. So the index stays small, and a word finds the page that explains it before the pages that only use it.
 * @module
 */
import type MarkdownIt from "markdown-it";
import type { DefaultTheme, MarkdownEnv } from "vitepress";

type SearchOptions = DefaultTheme.LocalSearchOptions;

/** Of these pages only titles, headings and first paragraphs are indexed. */
const BRIEFLY = /^(?:proofs\/|benchmarks)/;
const API = /^api\//;
const HEADING = /<h[1-3][^>]*>.*?<\/h[1-3]>/gs;
const PARAGRAPH = /<p>.*?<\/p>/s;
/** Formulas are drawings: their text is markup. */
const FORMULA = /<mjx-container.*?<\/mjx-container>/gs;

export function searchOptions(): SearchOptions {
  return {
    _render(source: string, env: MarkdownEnv, markdown: MarkdownIt): string {
      const html = markdown.render(source, env).replaceAll(FORMULA, "");
      if (API.test(env.relativePath)) return briefly(html, 1);
      return BRIEFLY.test(env.relativePath) ? briefly(html) : html;
    },
    miniSearch: {
      options: {
        /** Guides write ε, readers type epsilon. Runs in the browser, as text: it may use nothing from outside. */
        processTerm(term: string): string {
          const letters: Record<string, string> = {
            ε: "epsilon",
            δ: "delta",
            ρ: "rho",
            η: "eta",
            σ: "sigma",
          };
          const lower = term.toLowerCase();
          return Object.hasOwn(letters, lower) ? letters[lower] : lower; // "constructor" is a word too
        },
      },
      searchOptions: {
        /** Runs in the browser, as text: it may use nothing from outside. */
        boostDocument(id: string): number {
          if (id.includes("/api/")) return 0.3;
          if (id.includes("/proofs/") || id.includes("/benchmarks")) return 0.6;
          return id.includes("/guide/") || id.includes("/start") ? 2 : 1;
        },
      },
    },
  };
}

/** The first headings of a page, all by default, and its first paragraph after the title. */
function briefly(html: string, most = Number.POSITIVE_INFINITY): string {
  const [title = "", ...others] = (html.match(HEADING) ?? []).slice(0, most);
  return [title, PARAGRAPH.exec(html)?.[0] ?? "", ...others].join("\n");
}
