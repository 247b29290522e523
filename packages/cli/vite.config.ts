/**
 * Bundles the program into `bin/`. Node.js spends more time on finding and loading hundreds of small modules than most
 * commands take, and the program has two processes to start; so what is always needed comes in a few files. Engines and
 * clients of servers, which are native or rarely needed, stay packages of their own.
 * @module
 */
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { defineConfig, type Plugin } from "vite";

/** A linked `winnow` keeps working after each build. */
const executable: Plugin = {
  name: "winnow-executable",
  writeBundle({ dir = "bin" }) {
    chmodSync(join(dir, "winnow.js"), 0o755);
  },
};

export default defineConfig({
  plugins: [executable],
  ssr: {
    noExternal: true,
    external: ["@clickhouse/client", "@duckdb/node-bindings", "libsql", "pg", "pg-cursor"],
  },
  build: {
    ssr: true,
    outDir: "bin",
    target: "node20",
    minify: false, // whoever runs it on people's data may want to read it
    license: { fileName: "licenses.md" },
    reportCompressedSize: false,
    rolldownOptions: {
      input: { winnow: "src/main.ts", "reader-process": "src/sources/files/reader-process.ts" },
      // All in one folder: see this-package.ts.
      output: {
        entryFileNames: "[name].js",
        // The service brings a web framework: only `winnow serve` and `winnow mcp` load it.
        chunkFileNames: ({ facadeModuleId }) =>
          facadeModuleId?.includes("/packages/server/") ? "service.js" : "[name].js",
      },
    },
  },
});
