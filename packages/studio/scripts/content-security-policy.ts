/**
 * The page's content security policy: nothing but what the page is made of, and no connection to anywhere (the page for analysts connects to its
 * own service). A release cannot leave the machine through a script because there is nowhere it may send it.
 * @module
 */
import { createHash } from "node:crypto";

/** Where scripts and styles come from: the page's own folder, or the texts with these hashes. */
export interface Origins {
  readonly script: readonly string[];
  readonly style: readonly string[];
  /** Where it may connect to. Default: nowhere. */
  readonly connect?: readonly string[];
  /** Where workers come from. Default: the page carries its worker as text. */
  readonly worker?: readonly string[];
}

export const OWN_FOLDER: Origins = { script: ["'self'"], style: ["'self'"] };

/** A page that asks the service that it came from. */
export const OWN_SERVICE: Origins = { ...OWN_FOLDER, connect: ["'self'"], worker: ["'none'"] };

export function contentSecurityPolicy({
  script,
  style,
  connect = ["'none'"],
  worker = ["blob:"],
}: Origins): string {
  return [
    "default-src 'none'",
    `script-src ${script.join(" ")}`,
    `style-src ${style.join(" ")}`,
    "img-src data: blob:", // charts, on their way to a PNG
    `worker-src ${worker.join(" ")}`,
    `connect-src ${connect.join(" ")}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
}

/** How a policy names a text that stands in the page itself. */
export function hashSource(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}
