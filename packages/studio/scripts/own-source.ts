/**
 * Puts the built script into a function that can tell its own text, so that the page can start a worker from it: one script for
 * both threads.
 * @module
 */
import type { Plugin } from "vite";

export function ownSource(): Plugin {
  return {
    name: "winnow-own-source",
    apply: "build",
    generateBundle(_options, bundle) {
      for (const output of Object.values(bundle))
        if (output.type === "chunk") output.code = tellingItsText(output.code);
    },
  };
}

/** In the script, `ownSource()` is the text of a script that does the same. */
export function tellingItsText(script: string): string {
  return `(function studio(){var ownSource=()=>"("+studio+")();";${script}\n})();\n`;
}
