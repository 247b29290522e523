/**
 * Bundles a library package into `dist/`, the form in which it is published: one file for each entry of its package.json,
 * one for what entries share (a `Rational` must be the same class in all of them), their types and source maps. Loading
 * two files takes a tenth of the time that loading a hundred modules does. They stay readable: names and lines are those of
 * the sources, without comments, which are in the types; source maps hold the sources. The licence is copied beside `dist/`.
 *
 *     node scripts/bundle.js packages/core …
 *
 * The sources must be compiled (`tsc -b`): types are bundled from the declarations in `build/`.
 * @module
 */
import { copyFileSync, existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { RolldownMagicString, rolldown } from "rolldown";
import { parseAst } from "rolldown/parseAst";
import { dts } from "rolldown-plugin-dts";

const PURE = "/* @__PURE__ */ ";

for (const folder of process.argv.slice(2)) await bundle(folder);

async function bundle(folder) {
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const names = Object.values(manifest.exports).map(({ default: file }) => /([\w-]+)\.js$/.exec(file)[1]);
  const dir = join(folder, "dist");
  const external = /^winnow-/;
  const shared = { groups: [{ name: "shared", minShareCount: 2 }] };
  rmSync(dir, { recursive: true, force: true });
  copyFileSync("LICENSE", join(folder, "LICENSE"));
  const code = await rolldown({
    input: entries(join(folder, "src"), names, ".ts"),
    external,
    tsconfig: false,
    plugins: [{ name: "pure-constants", renderChunk: (text) => markPure(text) }],
  });
  await code.write({
    dir,
    sourcemap: true,
    entryFileNames: "[name].js",
    chunkFileNames: "[name].js",
    codeSplitting: shared,
    charset: "ascii", // V8 reads it sooner: one other letter makes each letter of a file two bytes
    minify: false, // an uncaught error prints the line it comes from, and people who check us read these files
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

/**
 * Marks the constants of a file that are computed when it loads as free of side effects, as `sideEffects` in package.json
 * promises for the whole. Bundlers then drop those that a page does not use: they do not know that `oneOf("a", "b")` and
 * `{ ...OPTIONS }` do nothing but make a value.
 */
function markPure(code) {
  const marked = new RolldownMagicString(code);
  const constants = parseAst(code).body.filter(({ type }) => type === "VariableDeclaration");
  for (const { init } of constants.flatMap(({ declarations }) => declarations)) {
    if (init === null || isPlain(init) || code.slice(0, init.start).endsWith(PURE)) continue;
    const isCall = ["CallExpression", "NewExpression"].includes(init.type) && init.arguments.every(isPlain);
    marked.appendLeft(init.start, isCall ? PURE : `${PURE}(() => (`);
    if (!isCall) marked.appendRight(init.end, "))()");
  }
  return { code: marked.toString(), map: marked.generateMap({ hires: true }).toString() };
}

/** Whether bundlers see by themselves that an expression has no side effects. */
function isPlain(node) {
  switch (node.type) {
    case "Literal":
    case "Identifier":
    case "ArrowFunctionExpression":
    case "FunctionExpression":
    case "ClassExpression":
    case "MemberExpression": // of Number and Symbol
      return true;
    case "UnaryExpression":
      return isPlain(node.argument);
    case "BinaryExpression": // of numbers; bundlers compute it
      return isPlain(node.left) && isPlain(node.right);
    case "ArrayExpression":
      return node.elements.every(isPlain);
    case "ObjectExpression":
      return node.properties.every(({ type, value }) => type === "Property" && isPlain(value));
    default:
      return false;
  }
}
