/**
 * Puts the built page, its script, its style sheet and its licences into one HTML file that can be kept, mailed and opened
 * from disk, and writes its SHA-256 beside it. The policy of that file names its own script and style by their hashes and nothing else.
 * @module
 */
import { createHash } from "node:crypto";
import type { Plugin, Rolldown } from "vite";
import { withPolicy } from "./classic-page.js";
import { contentSecurityPolicy, hashSource } from "./content-security-policy.js";
import { LICENSES } from "./licenses.js";

export const SINGLE_FILE = "winnow-studio.html";

const POLICY = /\s*<meta http-equiv="Content-Security-Policy"[^>]*>/;
const SCRIPT = /\s*<script defer src="[^"]+"><\/script>/;
const STYLESHEET = /<link rel="stylesheet" href="[^"]+">/;

export function singleFile(): Plugin {
  return {
    name: "winnow-single-file",
    apply: "build",
    enforce: "post",
    generateBundle: {
      order: "post",
      handler(_options, bundle) {
        const html = inOneFile(
          textOf(bundle, "index.html"),
          textOf(bundle, "studio.js"),
          textOf(bundle, "studio.css"),
          textOf(bundle, LICENSES),
        );
        const hash = createHash("sha256").update(html).digest("hex");
        this.emitFile({ type: "asset", fileName: SINGLE_FILE, source: html });
        this.emitFile({
          type: "asset",
          fileName: `${SINGLE_FILE}.sha256`,
          source: `${hash}  ${SINGLE_FILE}\n`,
        });
      },
    },
  };
}

/** The script moves to the end of the body, where the page it needs has been parsed. */
export function inOneFile(page: string, script: string, style: string, licenses: string): string {
  const inlineScript = script.replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");
  const inlineStyle = style.replaceAll("</style", "<\\/style");
  const policy = contentSecurityPolicy({
    script: [hashSource(inlineScript)],
    style: [hashSource(inlineStyle)],
  });
  const bare = page.replace(POLICY, "").replace(SCRIPT, "");
  // Functions, because a replacement text would read the dollar signs of the bundle as commands.
  return withPolicy(bare, policy)
    .replace(STYLESHEET, () => `<style>${inlineStyle}</style>`)
    .replace("</body>", () => `<script>${inlineScript}</script>\n  </body>`)
    .concat(`<!--\n${licenses.replaceAll("--", "- -")}-->\n`);
}

function textOf(bundle: Rolldown.OutputBundle, name: string): string {
  const output = bundle[name];
  if (output === undefined) throw new Error(`the build must have made ${name}`);
  if (output.type === "chunk") return output.code;
  return typeof output.source === "string" ? output.source : new TextDecoder().decode(output.source);
}
