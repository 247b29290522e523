/**
 * A private key in a file of its own, as `age-keygen` keeps them: comments with the time and the public key, and one line with the
 * key. Only its owner may read it. With a passphrase, the line is encrypted: scrypt makes a key of the passphrase and a fresh salt, and
 * ChaCha20-Poly1305 keeps the line with it.
 *
 *     # created: 2026-01-31T12:00:00.000Z
 *     # public key: example.org/ledger+2f9a4c1e+AZ…
 *     PRIVATE+KEY+example.org/ledger+2f9a4c1e+AQ…
 *
 * or ENCRYPTED+KEY+scrypt+17+SALT+TEXT as the last line. No message ever shows any part of the key or the passphrase.
 * @module
 */
import { createCipheriv, createDecipheriv, randomBytes, scrypt } from "node:crypto";
import { open } from "node:fs/promises";
import { WinnowError } from "winnow-dp";
import { type NoteSigner, newPrivateKey, noteKeyText, Refusal, readPrivateKey } from "winnow-release";
import { fileRefusal } from "../refusal.js";
import { prepareFile } from "../write-file.js";

const ENCRYPTED = "ENCRYPTED+KEY+scrypt+";
/** 2^17 · 1 KiB of memory and about half a second. */
const COST = 17;
/** The highest cost of a file that is read: one gigabyte. */
const MOST_COST = 20;
const SALT_BYTES = 16;
const NONCE = Buffer.alloc(12); // the key is used once: it comes from a fresh salt
const TAG_BYTES = 16;
const CIPHER = "chacha20-poly1305";
const LONGEST_FILE = 10_000;

/** Makes a new key in a new file; returns what is public. */
export async function makeKeyFile(
  path: string,
  name: string,
  { passphrase, time }: { passphrase?: string | undefined; time: Date },
): Promise<NoteSigner> {
  const text = await newPrivateKey(name);
  const signer = await readPrivateKey(text);
  const line = passphrase === undefined ? text : await encrypted(text, passphrase);
  const file = await prepareFile(path, { keepsAccess: true });
  await file.write(`# created: ${time.toISOString()}\n# public key: ${noteKeyText(signer.key)}\n${line}\n`);
  return signer;
}

/** Reads a key file; asks for the passphrase only if there is one. */
export async function readKeyFile(path: string, passphrase: () => Promise<string>): Promise<NoteSigner> {
  const text = await readOwn(path);
  const [line, ...more] = text.split(/\r?\n/).filter((one) => one !== "" && !one.startsWith("#"));
  if (line === undefined || more.length > 0) throw notAKey(path);
  try {
    return await readPrivateKey(
      line.startsWith(ENCRYPTED) ? await decrypted(line, await passphrase(), path) : line,
    );
  } catch (error) {
    throw error instanceof WinnowError ? notAKey(path) : error;
  }
}

/** The text of a file that no other account may read. */
async function readOwn(path: string): Promise<string> {
  const file = await open(path).catch((error: unknown) => {
    throw fileRefusal("The key", path, error);
  });
  try {
    const { mode, size } = await file.stat();
    if (process.platform !== "win32" && (mode & 0o077) !== 0)
      throw new Refusal(
        "no-permission",
        `Other accounts may read the key ${JSON.stringify(path)}: make it yours alone with chmod 600.`,
      );
    if (size > LONGEST_FILE) throw notAKey(path);
    return await file.readFile("utf8");
  } finally {
    await file.close();
  }
}

function notAKey(path: string): Refusal {
  return new Refusal(
    "usage",
    `The file ${JSON.stringify(path)} isn't a private key that winnow keygen made.`,
  );
}

async function encrypted(text: string, passphrase: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const start = `${ENCRYPTED}${COST}+${salt.toString("base64url")}`;
  const cipher = createCipheriv(CIPHER, await keyOf(passphrase, salt, COST), NONCE, {
    authTagLength: TAG_BYTES,
  });
  cipher.setAAD(Buffer.from(start), { plaintextLength: text.length });
  const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
  return `${start}+${sealed.toString("base64url")}`;
}

async function decrypted(line: string, passphrase: string, path: string): Promise<string> {
  const [, start, cost, salt, text] =
    /^(ENCRYPTED\+KEY\+scrypt\+(\d{1,2})\+([\w-]{22}))\+([\w-]+)$/.exec(line) ?? [];
  const sealed = Buffer.from(text ?? "", "base64url");
  if (start === undefined || Number(cost) > MOST_COST || Number(cost) < 1 || sealed.length <= TAG_BYTES)
    throw notAKey(path);
  const key = await keyOf(passphrase, Buffer.from(salt!, "base64url"), Number(cost));
  const decipher = createDecipheriv(CIPHER, key, NONCE, { authTagLength: TAG_BYTES });
  const inner = sealed.subarray(0, -TAG_BYTES);
  decipher.setAAD(Buffer.from(start), { plaintextLength: inner.length });
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(inner), decipher.final()]).toString("utf8");
  } catch {
    throw new Refusal("usage", `The passphrase doesn't open the key ${JSON.stringify(path)}.`);
  }
}

function keyOf(passphrase: string, salt: Buffer, cost: number): Promise<Buffer> {
  const N = 2 ** cost;
  return new Promise((resolve, reject) => {
    scrypt(
      passphrase.normalize("NFC"),
      salt,
      32,
      { N, r: 8, p: 1, maxmem: 1024 * N + 2 ** 20 },
      (error, key) => (error === null ? resolve(key) : reject(error)),
    );
  });
}
