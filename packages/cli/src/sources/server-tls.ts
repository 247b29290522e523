/**
 * When a connection is encrypted, and whom it trusts: always, with a verified certificate, unless the server is on this
 * machine or plain text was asked for by name. Nothing falls back to plain text by itself.
 * @module
 */
import { readFileSync } from "node:fs";
import { Refusal } from "../refusal.js";

export function isLoopback(host: string): boolean {
  return (
    host === "localhost" || /^127\./.test(host) || host === "::1" || host === "[::1]" || host.startsWith("/")
  );
}

/** The bytes of a certificate or key that an option names. */
export function readCertificateFile(option: string, path: string | undefined): Buffer | undefined {
  if (path === undefined) return undefined;
  try {
    return readFileSync(path);
  } catch {
    throw new Refusal("no-permission", `The file of ${option}, ${JSON.stringify(path)}, cannot be read.`);
  }
}
