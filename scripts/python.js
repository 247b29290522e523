/**
 * Builds what the Python package has of the engine, into `python/src/winnow_dp`: the engine as one file of JavaScript, the
 * command line, and the Python module that is generated from the description of the library. The sources must be compiled (`tsc -b`) and bundled.
 *
 *     node scripts/python.js
 *     node scripts/python.js --names    also writes docs/guide/python-names.md, which is under version control
 * @module
 */
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { namesPage } from "../packages/bridge/dist/generate/names-page.js";
import { pythonModule } from "../packages/bridge/dist/generate/python.js";

const path = (name) => fileURLToPath(new URL(`../${name}`, import.meta.url));
const PACKAGE = path("python/src/winnow_dp");

const NOT_HERE = path("packages/bridge/src/command/not-here.ts");
const COMMON = {
  platform: "node",
  external: /^node:/,
  checks: { invalidAnnotation: false },
  tsconfig: false,
  resolve: {
    alias: {
      "winnow-dp/sample": path("packages/core/src/sample/index.ts"),
      "winnow-dp/testing": path("packages/core/src/testing/index.ts"),
      "winnow-dp": path("packages/core/src/index.ts"),
      "winnow-release": path("packages/release/src/index.ts"),
      // Native packages stay out of the wheel.
      libsql: path("packages/bridge/src/node-sqlite.ts"),
      "@duckdb/node-api": path("packages/bridge/src/command/python-duckdb.ts"),
      pg: NOT_HERE,
      "pg-cursor": NOT_HERE,
      "@clickhouse/client": NOT_HERE,
    },
    extensionAlias: { ".js": [".ts", ".js"] },
  },
};
const SMALL = {
  charset: "ascii", // V8 reads it sooner
  minify: {
    compress: false,
    mangle: { toplevel: false, keepNames: { class: true, function: false } },
    codegen: { removeWhitespace: true },
  },
  comments: { legal: true, annotation: true, jsdoc: false },
};

const engine = await rolldown({ ...COMMON, input: { engine: path("packages/bridge/src/main.ts") } });
await engine.write({
  ...SMALL,
  dir: `${PACKAGE}/engine`,
  entryFileNames: "[name].mjs",
  codeSplitting: false,
});

// The command line lies as in the package of npm: its program and its reader side by side, and a package.json above them.
const input = {
  winnow: path("packages/bridge/src/command/main.ts"),
  "reader-process": path("packages/cli/src/sources/files/reader-process.ts"),
};
rmSync(`${PACKAGE}/command`, { recursive: true, force: true });
const command = await rolldown({ ...COMMON, input });
const { output } = await command.write({
  ...SMALL,
  dir: `${PACKAGE}/command/bin`,
  chunkFileNames: "[name].js",
});
writeFileSync(
  `${PACKAGE}/command/licenses.md`,
  licencesOf(output.flatMap(({ moduleIds = [] }) => moduleIds)),
);
const { version } = JSON.parse(readFileSync(path("package.json"), "utf8"));
writeFileSync(
  `${PACKAGE}/command/package.json`,
  `${JSON.stringify({ name: "winnow-dp-python", version, type: "module" })}\n`,
);

/** The packages of others among these modules, with the texts of their licences. */
function licencesOf(modules) {
  const folders = new Set(modules.flatMap((id) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? []));
  const texts = [...folders].map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
    const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
    return `## ${name} - ${version} (${license})\n\n${readFileSync(`${folder}/${file}`, "utf8").trim()}\n`;
  });
  return `# Licences of the packages in the command line\n\n${texts.sort().join("\n")}`;
}

const types = path("packages/core/dist");
const declarations = readdirSync(types)
  .filter((name) => name.endsWith(".d.ts"))
  .map((name) => readFileSync(`${types}/${name}`, "utf8"))
  .join("\n");
mkdirSync(PACKAGE, { recursive: true });
writeFileSync(`${PACKAGE}/_generated.py`, pythonModule(declarations));
copyFileSync(path("LICENSE"), path("python/LICENSE"));
if (process.argv.includes("--names")) writeFileSync(path("docs/guide/python-names.md"), namesPage());
