/**
 * The page's content security policy: nothing but what the page is made of, and no connection to anywhere. A release cannot
 * leave the machine through a script because there is nowhere it may send it.
 * @module
 */
import { createHash } from "node:crypto";

/** Where scripts and styles come from: the page's own folder, or the texts with these hashes. */
export interface Origins {
  readonly script: readonly string[];
  readonly style: readonly string[];
}

export const OWN_FOLDER: Origins = { script: ["'self'"], style: ["'self'"] };

export function contentSecurityPolicy({ script, style }: Origins): string {
  return [
    "default-src 'none'",
    `script-src ${script.join(" ")}`,
    `style-src ${style.join(" ")}`,
    "img-src data: blob:", // charts, on their way to a PNG
    "worker-src blob:", // the page carries its worker as text
    "connect-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
}

/** How a policy names a text that stands in the page itself. */
export function hashSource(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}
