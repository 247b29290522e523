/**
 * Builds what the Python package has of the engine, into `python/src/winnow_dp`: the engine as one file of JavaScript, and the
 * Python module that is generated from the description of the library. The sources must be compiled (`tsc -b`) and bundled.
 *
 *     node scripts/python.js
 * @module
 */
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { pythonModule } from "../packages/bridge/dist/generate/python.js";

const path = (name) => fileURLToPath(new URL(`../${name}`, import.meta.url));
const PACKAGE = path("python/src/winnow_dp");

const engine = await rolldown({
  input: { engine: path("packages/bridge/src/main.ts") },
  platform: "node",
  external: /^node:/,
  checks: { invalidAnnotation: false },
  tsconfig: false,
  resolve: {
    alias: {
      "winnow-dp/sample": path("packages/core/src/sample/index.ts"),
      "winnow-dp/testing": path("packages/core/src/testing/index.ts"),
      "winnow-dp/internal": path("packages/core/src/internal.ts"),
      "winnow-dp": path("packages/core/src/index.ts"),
      "winnow-release": path("packages/release/src/index.ts"),
      libsql: path("packages/bridge/src/node-sqlite.ts"), // a native package stays out of the wheel
    },
    extensionAlias: { ".js": [".ts", ".js"] },
  },
});
await engine.write({
  dir: `${PACKAGE}/engine`,
  entryFileNames: "[name].mjs",
  codeSplitting: false,
  charset: "ascii", // V8 reads it sooner
  minify: {
    compress: false,
    mangle: { toplevel: false, keepNames: { class: true, function: false } },
    codegen: { removeWhitespace: true },
  },
  comments: { legal: true, annotation: true, jsdoc: false },
});

const types = path("packages/core/dist");
const declarations = readdirSync(types)
  .filter((name) => name.endsWith(".d.ts"))
  .map((name) => readFileSync(`${types}/${name}`, "utf8"))
  .join("\n");
mkdirSync(PACKAGE, { recursive: true });
writeFileSync(`${PACKAGE}/_generated.py`, pythonModule(declarations));
copyFileSync(path("LICENSE"), path("python/LICENSE"));
