/**
 * Builds the page into `dist/`: one page, one script, one style sheet, all named relative to each other, so that they work
 * from any folder. A second form of it, one file with its hash, is made of them.
 * @module
 */
import { defineConfig } from "vite";
import { classicPage } from "./scripts/classic-page.js";
import { intoCommandLine } from "./scripts/into-command-line.js";
import { licenses } from "./scripts/licenses.js";
import { ownSource } from "./scripts/own-source.js";
import { pageOnly } from "./scripts/page-only.js";
import { singleFile } from "./scripts/single-file.js";
import { translation, translationAsked } from "./scripts/translation.js";

export default defineConfig({
  base: "./",
  resolve: { dedupe: ["preact"] }, // the signals find an older one beside them, and two do not share their state
  plugins: [
    translation(await translationAsked()),
    ownSource(),
    pageOnly(),
    classicPage(),
    licenses(),
    singleFile(),
    intoCommandLine("studio-page"),
  ],
  build: {
    target: "es2022",
    modulePreload: false, // its polyfill fetches, which the policy forbids
    assetsInlineLimit: 0, // nothing becomes a data: address that the policy would have to allow
    cssCodeSplit: false,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 700, // both threads run it; a test limits what a first load costs
    rollupOptions: {
      output: {
        format: "iife",
        entryFileNames: "studio.js",
        assetFileNames: "studio[extname]",
      },
    },
  },
});
