/**
 * The page in another language: `WINNOW_TRANSLATION=de.json npm run build --workspace packages/studio`, where the file maps each text of
 * `texts.json` to its translation. A text without one ends the build, so no page is half translated.
 * @module
 */
import { readdir, readFile } from "node:fs/promises";
import { type Plugin, parseAst } from "vite";
import { folderOfScripts } from "./serve-page.js";
import {
  libraryTextsOf,
  libraryTranslated,
  mayHaveTexts,
  type Node,
  type Translate,
  textsOf,
  translated,
} from "./texts.js";

const SOURCES = new URL("../src/", folderOfScripts());
const LIBRARY = new URL("../../release/src/", folderOfScripts());
const BUILT_LIBRARY = /\/packages\/release\/dist\/[^/]+\.js$/;

/** All texts of the page, by source. */
export async function allTexts(): Promise<Readonly<Record<string, readonly string[]>>> {
  const files = (await readdir(SOURCES, { recursive: true })).sort();
  const sources = files.filter((file) => mayHaveTexts(new URL(file, SOURCES).pathname));
  const found = await Promise.all(
    sources.map(async (file) => [file, textsIn(await readFile(new URL(file, SOURCES), "utf8"))] as const),
  );
  const library = await Promise.all(
    (await readdir(LIBRARY, { recursive: true }))
      .filter((file) => file.endsWith(".ts"))
      .sort()
      .map(async (file) => {
        const code = await readFile(new URL(file, LIBRARY), "utf8");
        return [`winnow-release/${file}`, libraryTextsOf(code, treeOf(code))] as const;
      }),
  );
  return Object.fromEntries([...found, ...library].filter(([, texts]) => texts.length > 0));
}

export function textsIn(code: string): string[] {
  return textsOf(code, treeOf(code));
}

export function translatedCode(code: string, translate: Translate): string {
  return translated(code, treeOf(code), translate);
}

function treeOf(code: string): Node {
  return parseAst(code, { lang: "tsx" }) as unknown as Node;
}

/** Replaces the texts of the page's sources, and of what it shows of winnow-release, before anything else reads them. */
export function translation(translate: Translate | undefined): Plugin {
  return {
    name: "winnow-translation",
    enforce: "pre",
    transform(code, id) {
      if (translate === undefined) return undefined;
      if (BUILT_LIBRARY.test(id))
        return { code: libraryTranslated(code, treeOf(code), translate), map: null };
      return mayHaveTexts(id) ? { code: translatedCode(code, translate), map: null } : undefined;
    },
  };
}

/** By the file that the environment names; undefined where it names none. */
export async function translationAsked(): Promise<Translate | undefined> {
  const path = process.env.WINNOW_TRANSLATION;
  if (path === undefined) return undefined;
  const texts = JSON.parse(await readFile(path, "utf8")) as Readonly<Record<string, string>>;
  return (text) => {
    const found = Object.hasOwn(texts, text) ? texts[text] : undefined;
    if (found === undefined) throw new Error(`${path} has no translation of ${JSON.stringify(text)}`);
    return found;
  };
}
