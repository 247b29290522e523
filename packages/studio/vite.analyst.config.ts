/**
 * Builds the page for analysts, which `winnow serve` shows: from the parts of the studio, one page, one script and one style sheet, into
 * `dist-analyst/`.
 * @module
 */
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import { classicPage } from "./scripts/classic-page.js";
import { OWN_SERVICE } from "./scripts/content-security-policy.js";
import { intoCommandLine } from "./scripts/into-command-line.js";
import { licenses } from "./scripts/licenses.js";

export default defineConfig({
  root: fileURLToPath(new URL("./analyst", import.meta.url)),
  base: "./",
  resolve: { dedupe: ["preact"] },
  plugins: [
    classicPage(OWN_SERVICE),
    licenses({ title: "Winnow’s page for analysts", mayDeclare: false }),
    intoCommandLine("analyst-page"),
  ],
  build: {
    outDir: "../dist-analyst",
    emptyOutDir: true,
    target: "es2022",
    modulePreload: false,
    assetsInlineLimit: 0,
    cssCodeSplit: false,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 700,
    rollupOptions: {
      output: { format: "iife", entryFileNames: "analyst.js", assetFileNames: "analyst[extname]" },
    },
  },
});
