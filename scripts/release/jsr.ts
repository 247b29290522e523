/**
 * The library as a package of JSR: the files that npm gets, each entry naming its types as JSR wants it.
 * @module
 */
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const NAME = "@winnow-dp/core";
/** Bundled types name their siblings as if these were scripts; Deno looks for files. */
const SIBLING_TYPES = /"\.\/(shared-[\w-]+)\.js"/g;

/** Writes the package into `target`, from the built `packages/core`. */
export function writeJsrPackage(core: string, target: string): void {
  const { version, license, exports } = JSON.parse(readFileSync(join(core, "package.json"), "utf8")) as {
    version: string;
    license: string;
    exports: Record<string, { default: string }>;
  };
  mkdirSync(target, { recursive: true });
  const entries = Object.entries(exports).map(([entry, { default: path }]) => [
    entry,
    path.replace("./dist/", "./"),
  ]);
  const scripts = new Set(entries.map(([, path]) => path.slice(2)));
  for (const name of readdirSync(join(core, "dist"))) {
    const text = () => readFileSync(join(core, "dist", name), "utf8");
    if (name.endsWith(".d.ts"))
      writeFileSync(join(target, name), text().replace(SIBLING_TYPES, '"./$1.d.ts"'));
    else if (name.endsWith(".js"))
      writeFileSync(join(target, name), `${scripts.has(name) ? typesOf(name) : ""}${withoutMap(text())}`);
  }
  for (const name of ["README.md", "LICENSE"]) copyFileSync(join(core, name), join(target, name));
  const manifest = { name: NAME, version, license, exports: Object.fromEntries(entries) };
  writeFileSync(join(target, "jsr.json"), `${JSON.stringify(manifest, undefined, 2)}\n`);
}

const typesOf = (name: string) => `/* @ts-self-types="./${name.replace(".js", ".d.ts")}" */\n`;

/** Maps stay with npm's package. */
const withoutMap = (code: string) => code.replace(/\/\/# sourceMappingURL=.*\n?$/, "");
