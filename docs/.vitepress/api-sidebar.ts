/**
 * The sidebars of the API reference, one for each entry point: its sections, as its index has them, with the functions and
 * classes of each. The types that these speak of are linked from their pages.
 * @module
 */
import { readFileSync } from "node:fs";
import type { DefaultTheme } from "vitepress";

const ENTRY_POINTS = [
  "winnow-dp",
  "winnow-dp/sample",
  "winnow-dp/parallel",
  "winnow-audit",
  "winnow-release",
  "winnow-dp/testing",
];
const LINE =
  /^## (?<section>.*)$|^\| \[(?<name>\w+)\]\((?<page>(?:functions|variables|classes)\/\w+)\.md\)/gm;

/** Sidebars by the path that they are for. */
export function apiSidebars(): DefaultTheme.SidebarMulti {
  const entryPoints = {
    text: "API",
    link: "/api/",
    items: ENTRY_POINTS.map((text) => ({ text, link: `/api/${text}/` })),
  };
  const sidebars = ENTRY_POINTS.map((entryPoint) => [
    `/api/${entryPoint}/`,
    [entryPoints, ...sectionsOf(entryPoint)],
  ]);
  return { ...Object.fromEntries(sidebars), "/api/": [entryPoints] };
}

/** Where a section begins on its index. */
function slugOf(section: string): string {
  return section.toLowerCase().replaceAll(/[^\w]+/g, "-");
}

function sectionsOf(entryPoint: string): DefaultTheme.SidebarItem[] {
  const index = readFileSync(new URL(`../api/${entryPoint}/index.md`, import.meta.url), "utf8");
  const sections: (DefaultTheme.SidebarItem & { items: DefaultTheme.SidebarItem[] })[] = [];
  for (const { groups } of index.matchAll(LINE)) {
    const { section, name, page } = groups as Record<string, string>;
    if (section !== undefined)
      sections.push({
        text: section,
        link: `/api/${entryPoint}/#${slugOf(section)}`,
        collapsed: true,
        items: [],
      });
    else sections.at(-1)?.items.push({ text: name, link: `/api/${entryPoint}/${page}` });
  }
  return sections.filter(({ items }) => items.length > 0);
}
