/**
 * Rewrites the built page so that it also opens from a folder on disk: browsers refuse module scripts there, so the bundle
 * is a classic script that runs once the page is parsed. The content security policy is put before everything else.
 * @module
 */
import type { Plugin } from "vite";
import { contentSecurityPolicy, type Origins, OWN_FOLDER } from "./content-security-policy.js";

const MODULE_SCRIPT = /<script type="module" crossorigin src="([^"]+)"><\/script>/;
const STYLESHEET = /<link rel="stylesheet" crossorigin href=/g;

export function classicPage(origins: Origins = OWN_FOLDER): Plugin {
  return {
    name: "winnow-classic-page",
    apply: "build",
    enforce: "post",
    transformIndexHtml: {
      order: "post",
      handler: (html) => withPolicy(classic(html), contentSecurityPolicy(origins)),
    },
  };
}

export function withPolicy(html: string, policy: string): string {
  const meta = `<meta http-equiv="Content-Security-Policy" content="${policy}">`;
  const policed = html.replace(/<meta charset="[^"]*" ?\/?>/i, (charset) => `${charset}\n    ${meta}`);
  if (policed === html) throw new Error("the page must have a <meta charset> to put its policy after");
  return policed;
}

function classic(html: string): string {
  if (!MODULE_SCRIPT.test(html)) throw new Error("the built page must have exactly one module script");
  return html
    .replace(MODULE_SCRIPT, '<script defer src="$1"></script>')
    .replaceAll(STYLESHEET, '<link rel="stylesheet" href=');
}
