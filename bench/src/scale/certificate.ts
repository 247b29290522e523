/**
 * A certificate for 127.0.0.1 that no authority has signed: a client that is to trust it must be told to.
 * @module
 */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

export async function makeCertificate(folder: string): Promise<{ certificate: string; key: string }> {
  const certificate = join(folder, "certificate.pem");
  const key = join(folder, "key.pem");
  const kind = ["-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
  const name = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"];
  await promisify(execFile)("openssl", ["req", ...kind, ...name, "-out", certificate, "-keyout", key]);
  return { certificate, key };
}
