/**
 * Bundles a library package into `dist/`, the form in which it is published: one file for each entry of its package.json,
 * a file for what entries share (a `Rational` must be the same class in all of them), their types and source maps. Loading
 * one file takes a tenth of the time that loading a hundred modules does.
 *
 *     node scripts/bundle.js packages/core …
 *
 * The sources must be compiled (`tsc -b`): types are bundled from the declarations in `build/`.
 * @module
 */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { dts } from "rolldown-plugin-dts";

for (const folder of process.argv.slice(2)) await bundle(folder);

async function bundle(folder) {
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const names = Object.values(manifest.exports).map(({ default: file }) => /([\w-]+)\.js$/.exec(file)[1]);
  const dir = join(folder, "dist");
  const external = /^winnow-/;
  rmSync(dir, { recursive: true, force: true });
  const code = await rolldown({
    input: entries(join(folder, "src"), names, ".ts"),
    external,
    tsconfig: false,
  });
  await code.write({
    dir,
    sourcemap: true,
    entryFileNames: "[name].js",
    chunkFileNames: "shared-[name].js",
    comments: { legal: true, annotation: true, jsdoc: false }, // they are in the types
  });
  const types = await rolldown({
    input: entries(join(folder, "build"), names, ".d.ts"),
    external,
    plugins: [dts({ dtsInput: true, generator: "oxc", tsconfig: false })],
  });
  await types.write({ dir, entryFileNames: "[name].ts", chunkFileNames: "shared-[name].d.ts" });
}

/** The module of each entry: `sample` is `sample.ts` or `sample/index.ts`. */
function entries(folder, names, extension) {
  const modules = names.map((name) => {
    const alone = join(folder, name + extension);
    return [
      extension === ".ts" ? name : `${name}.d`,
      existsSync(alone) ? alone : join(folder, name, `index${extension}`),
    ];
  });
  return Object.fromEntries(modules);
}
