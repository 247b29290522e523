/**
 * When a connection is encrypted, and whom it trusts: always, with a verified certificate, unless the server is on this
 * machine or plain text was asked for by name. Nothing falls back to plain text by itself.
 * @module
 */
import { readFileSync } from "node:fs";
import { isIPv4 } from "node:net";
import { Refusal } from "../refusal.js";

/** By name, by address (not by a name that begins like one), or by the path of a socket. */
export function isLoopback(host: string): boolean {
  const name = host.replace(/^\[(.*)\]$/, "$1");
  return (
    name === "localhost" ||
    name === "::1" ||
    (isIPv4(name) && name.startsWith("127.")) ||
    name.startsWith("/")
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
