/**
 * The licences of the packages that are bundled into the page, which want to go with every copy of it: collected from the
 * script, and written beside the page.
 * @module
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin, Rolldown } from "vite";

export const LICENSES = "licenses.txt";

const PACKAGE = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;
const LICENSE_FILE = /^(licen[cs]e|copying|notice)(\.|$)/i;

export function licenses(): Plugin {
  return {
    name: "winnow-licenses",
    apply: "build",
    generateBundle(_, bundle) {
      this.emitFile({ type: "asset", fileName: LICENSES, source: licensesText(foldersOf(bundle)) });
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
export function licensesText(folders: Iterable<string>): string {
  const texts = [...folders].map((folder) => {
    const { name, version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const files = readdirSync(folder).filter((file) => LICENSE_FILE.test(file));
    if (files.length === 0) throw new Error(`${name} must have a file with its licence`);
    const text = files.map((file) => readFileSync(join(folder, file), "utf8").trim()).join("\n\n");
    return `${name} ${version}\n\n${text}\n`;
  });
  return `Winnow Studio is made with these packages.\n\n${texts.sort().join("\n----\n\n")}`;
}
