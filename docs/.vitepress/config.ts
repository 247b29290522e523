/** The documentation site: `npm run docs` builds it into `docs/.vitepress/dist`. */
import { cpSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type DefaultTheme, defineConfig } from "vitepress";
import { licenses } from "../../packages/studio/scripts/licenses.js";
import { apiSidebars } from "./api-sidebar.js";
import { citations } from "./bibliography.js";
import { emptyHeaders } from "./empty-headers.js";
import { mathematics, mathematicsStyle } from "./mathematics.js";
import { titleOf } from "./page-titles.js";
import { referenceLinks } from "./reference-links.js";
import { repositoryAddress, repositoryLinks } from "./repository-links.js";
import { searchOptions } from "./search.js";
import { tabNames } from "./tab-names.js";
import { wholeOptions } from "./whole-options.js";

const docs = new URL("../", import.meta.url);
const repository = repositoryAddress();
const { version } = JSON.parse(readFileSync(new URL("package.json", docs), "utf8")) as { version: string };
/** Pages that a program writes: there is nothing to edit. */
const GENERATED = /^(?:api\/|benchmarks\.md|references\.md)/;

/** A link for every page of a folder, under the title that the page gives itself. */
function pagesOf(folder: string): DefaultTheme.SidebarItem[] {
  return readdirSync(new URL(folder, docs))
    .filter((name) => name.endsWith(".md") && name !== "index.md")
    .map((name) => ({ text: titleOf(`${folder}/${name}`), link: `/${folder}/${name.replace(".md", "")}` }))
    .sort((a, b) => a.text.localeCompare(b.text));
}

const guide = (text: string, name: string) => ({ text, link: `/guide/${name}` });

/** By reader: who looks for what. */
const guides: DefaultTheme.SidebarItem[] = [
  {
    text: "Start",
    items: [
      { text: "Start here", link: "/start" },
      guide("Recipes", "recipes"),
      guide("Which ε?", "which-epsilon"),
      guide("Questions and answers", "faq"),
      guide("Glossary", "glossary"),
    ],
  },
  {
    text: "Analyst",
    items: [
      guide("Choosing a mechanism", "choosing"),
      guide("The studio", "studio"),
      guide("Price and release in the studio", "studio-release"),
      guide("The ledger in the studio", "studio-ledger"),
      guide("The command line", "command-line"),
      guide("Order, set and counts", "winners"),
      guide("What would ε buy?", "plan"),
      guide("What a release costs", "cost"),
      guide("Without a list", "without-a-list"),
      guide("Quantiles", "quantiles"),
      guide("Reading rows", "reading"),
      guide("Choosing rows", "reading-queries"),
      guide("The process that reads", "reading-process"),
      guide("Servers as sources", "sources"),
      guide("The ledger", "ledger"),
      guide("What an account counts", "ledger-accounts"),
      guide("Has anyone changed the ledger?", "ledger-changes"),
      guide("Signed heads and witnesses", "ledger-heads"),
      guide("No second draw", "ledger-redraws"),
      guide("The ledger and your programs", "ledger-programs"),
      guide("Trusting a release", "trusting-a-release"),
      guide("Releases", "releases"),
      guide("How far off a release can be", "releases-accuracy"),
      guide("Releases and your programs", "releases-programs"),
      guide("Files that others read", "interchange"),
      guide("JSON and configuration", "json"),
      guide("Errors", "errors"),
      guide("Errors of the commands", "errors-commands"),
      guide("Errors on the page", "errors-page"),
    ],
  },
  {
    text: "Developer",
    items: [
      guide("The library", "library"),
      guide("Python", "python"),
      guide("Names in Python", "python-names"),
      guide("How much noise?", "how-much-noise"),
      guide("Accounting", "accounting"),
      guide("Budgets in a program", "accounting-budgets"),
      guide("Errors of the library", "errors-library"),
      guide("The same question elsewhere", "comparison"),
      guide("Labels from teachers (PATE)", "pate"),
      guide("Scale", "scale"),
      guide("Servers at scale", "scale-servers"),
      guide("Scale, measured", "scale-measured"),
      { text: "Architecture", link: "/architecture" },
      { text: "Benchmarks", link: "/benchmarks" },
      { text: "What takes the time", link: "/benchmarks-notes" },
      { text: "Versions and support", link: "/support" },
      { text: "What differs by platform", link: "/platforms" },
    ],
  },
  {
    text: "Team",
    items: [
      guide("For a team", "team"),
      guide("A team's ledger on PostgreSQL", "ledger-postgresql"),
      guide("Running it", "running"),
      guide("When something fails", "running-faults"),
      guide("What the service protects", "service"),
      guide("Agents", "agents"),
      guide("A release on a schedule", "scheduled"),
      guide("In every group", "groups"),
      guide("Every week", "every-week"),
    ],
  },
  {
    text: "Trust",
    items: [
      guide("How to check our claims", "checking"),
      guide("Check a mechanism of your own", "checking-yours"),
      guide("Proofs by machine", "proofs-by-machine"),
      guide("Mutants and fuzzing", "mutants"),
      guide("The papers' experiments", "papers-experiments"),
      { text: "Attack model", link: "/attack-model" },
      { text: "Known limits", link: "/limits" },
      { text: "Limits of size and speed", link: "/limits-size" },
      { text: "What isn't checked yet", link: "/limits-unchecked" },
      guide("Conformance", "conformance"),
      { text: "Coverage of the papers", link: "/coverage" },
      { text: "References", link: "/references" },
      { text: "Licences", link: "/licences" },
      { text: "Scorecard", link: "/scorecard" },
    ],
  },
  { text: "Mechanisms", link: "/mechanisms/", collapsed: false, items: pagesOf("mechanisms") },
  { text: "Proofs", link: "/proofs/", collapsed: true, items: pagesOf("proofs") },
  { text: "API", link: "/api/" },
];

export default defineConfig({
  title: "Winnow",
  description: "Publish rankings from personal data: differentially private selection, exact to the last bit",
  lang: "en",
  head: [
    ["link", { rel: "icon", type: "image/svg+xml", href: "/icon.svg" }],
    ["style", {}, mathematicsStyle()],
  ],
  srcExclude: ["node_modules"],
  buildConcurrency: 1, // one after the other, so that two builds have the same bytes: the order is that of the search index
  markdown: {
    math: true,
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
    codeTransformers: [wholeOptions],
    config(markdown) {
      mathematics(markdown);
      citations(markdown);
      repositoryLinks(markdown);
      referenceLinks(markdown);
      emptyHeaders(markdown);
      tabNames(markdown);
    },
  },
  /** Pages of the API reference are looked up, not read in a row, so their outline leaves out what every signature has. */
  transformPageData({ relativePath, filePath, frontmatter }) {
    if (GENERATED.test(relativePath)) frontmatter.editLink = false;
    if (relativePath.startsWith("api/"))
      Object.assign(frontmatter, { outline: [2, 3], pageClass: "api", prev: false, next: false });
    return { filePath: frontmatter.source ?? `docs/${filePath}` }; // a proof is edited beside its source
  },
  /** The theme's home page has no landmark for its content, as other pages have. */
  transformHtml: (html) => html.replace('class="VPContent is-home"', '$& role="main"'),
  /** The studio as it is built, a page of its own that loads nothing from elsewhere. */
  buildEnd({ outDir }) {
    cpSync(fileURLToPath(new URL("../../packages/studio/dist", import.meta.url)), join(outDir, "studio"), {
      recursive: true,
    });
  },
  vite: {
    plugins: [licenses({ title: "The site of Winnow", mayDeclare: true })],
    build: { rollupOptions: { treeshake: false } }, // takes a third of the time and saves 35 bytes per page
  },
  themeConfig: {
    logo: "/icon.svg",
    search: { provider: "local", options: searchOptions() },
    outline: "deep",
    editLink: { pattern: `${repository}/edit/main/:path`, text: "Edit this page" },
    socialLinks: [{ icon: "github", link: repository, ariaLabel: "Source code" }],
    footer: { message: `Winnow ${version} · Apache-2.0` },
    nav: [
      { text: "Start", link: "/start" },
      { text: "Guide", link: "/guide/choosing" },
      { text: "Mechanisms", link: "/mechanisms/" },
      { text: "Proofs", link: "/proofs/" },
      { text: "API", link: "/api/" },
      {
        text: `v${version}`,
        items: [
          { text: "Changelog", link: `${repository}/blob/main/CHANGELOG.md` },
          { text: "Contributing", link: `${repository}/blob/main/CONTRIBUTING.md` },
          { text: "Security", link: `${repository}/blob/main/SECURITY.md` },
        ],
      },
    ],
    sidebar: { ...apiSidebars(), "/": guides },
  },
});
