/**
 * The licences of the packages that are bundled into the page (or into the site of the documents), which want to go with every
 * copy of it: collected from the scripts, and written beside them.
 * @module
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin, Rolldown } from "vite";

export const LICENSES = "licenses.txt";

/** What the packages are bundled into. */
export interface Bundled {
  readonly title: string;
  /** Whether a package may name its licence in its manifest only. */
  readonly mayDeclare: boolean;
}

const PAGE: Bundled = { title: "Winnow Studio", mayDeclare: false };

const PACKAGE = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;
const LICENSE_FILE = /^(licen[cs]e|copying|notice)(\.|$)/i;

export function licenses(what: Bundled = PAGE): Plugin {
  return {
    name: "winnow-licenses",
    apply: "build",
    generateBundle(_, bundle) {
      this.emitFile({ type: "asset", fileName: LICENSES, source: licensesText(foldersOf(bundle), what) });
    },
  };
}

/** The folders of the packages that a bundle is made of. */
function foldersOf(bundle: Rolldown.OutputBundle): ReadonlySet<string> {
  const folders = new Set<string>();
  for (const output of Object.values(bundle))
    if (output.type === "chunk") for (const module of output.moduleIds) addPackage(folders, module);
  return folders;
}

function addPackage(folders: Set<string>, module: string): void {
  const folder = PACKAGE.exec(module.replaceAll("\\", "/"))?.[0].replace(/^\0/, "");
  if (folder !== undefined) folders.add(folder);
}

/** By name. A package without a licence does not get into the page. */
export function licensesText(folders: Iterable<string>, { title, mayDeclare }: Bundled = PAGE): string {
  const texts = [...folders].map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const files = readdirSync(folder).filter((file) => LICENSE_FILE.test(file));
    if (files.length === 0 && !(mayDeclare && license))
      throw new Error(`${name} must have a file with its licence`);
    const text = files.map((file) => readFileSync(join(folder, file), "utf8").trim()).join("\n\n");
    return `${name} ${version}\n\n${text || `License: ${license}`}\n`;
  });
  return `${title} is made with these packages.\n\n${texts.sort().join("\n----\n\n")}`;
}
