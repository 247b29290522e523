/**
 * Ed25519 (RFC 8032) of the runtime: Node's own where we run on Node, because it takes microseconds there, else Web Crypto's. Keys
 * are the 32 bytes of a public key, or the 32 bytes of the seed of a private one.
 * @module
 */

interface NodeKey {
  readonly type: string;
}

interface NodeCrypto {
  createPrivateKey(key: { key: Uint8Array; format: "der"; type: "pkcs8" }): NodeKey;
  createPublicKey(key: { key: Uint8Array; format: "der"; type: "spki" } | NodeKey): NodeKey & {
    export(options: { format: "der"; type: "spki" }): Uint8Array;
  };
  sign(algorithm: null, message: Uint8Array, key: NodeKey): Uint8Array;
  verify(algorithm: null, message: Uint8Array, key: NodeKey, signature: Uint8Array): boolean;
}

interface Runtime {
  process?: {
    getBuiltinModule?(name: "node:crypto"): (NodeCrypto & { from?: unknown }) | undefined;
    versions?: { readonly node?: string };
  };
}

const node = (globalThis as Runtime).process?.getBuiltinModule?.("node:crypto");

/** The bytes before a key in the formats that runtimes read (RFC 8410). */
const BEFORE_SEED = Uint8Array.of(0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 4, 0x22, 4, 0x20);
const BEFORE_KEY = Uint8Array.of(0x30, 0x2a, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 3, 0x21, 0);

const ED25519 = { name: "Ed25519" };

type Bytes = Uint8Array<ArrayBuffer>;

/** Signs messages; holds the key. */
export interface Ed25519Key {
  /** 32 bytes. */
  readonly publicKey: Bytes;
  /** 64 bytes. */
  sign(message: Bytes): Promise<Bytes>;
}

/** The key of a seed of 32 secret bytes. */
export async function ed25519Key(seed: Bytes): Promise<Ed25519Key> {
  const pkcs8 = joined(BEFORE_SEED, seed);
  if (node !== undefined) {
    const key = node.createPrivateKey({ key: pkcs8, format: "der", type: "pkcs8" });
    const spki = node.createPublicKey(key).export({ format: "der", type: "spki" });
    return {
      publicKey: Uint8Array.from(spki.subarray(BEFORE_KEY.length)),
      sign: async (message) => Uint8Array.from(node.sign(null, message, key)),
    };
  }
  const { subtle } = globalThis.crypto;
  const key = await subtle.importKey("pkcs8", pkcs8, ED25519, true, ["sign"]);
  const { x = "" } = await subtle.exportKey("jwk", key);
  const text = x.replaceAll("-", "+").replaceAll("_", "/");
  return {
    publicKey: Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0)),
    sign: async (message) => new Uint8Array(await subtle.sign(ED25519, key, message)),
  };
}

/** Whether the signature of the message is that of the key. Bytes that aren't a key sign nothing. */
export async function isSignedBy(publicKey: Bytes, message: Bytes, signature: Bytes): Promise<boolean> {
  if (publicKey.length !== 32 || signature.length !== 64) return false;
  const spki = joined(BEFORE_KEY, publicKey);
  try {
    if (node !== undefined)
      return node.verify(
        null,
        message,
        node.createPublicKey({ key: spki, format: "der", type: "spki" }),
        signature,
      );
    const { subtle } = globalThis.crypto;
    const key = await subtle.importKey("spki", spki, ED25519, false, ["verify"]);
    return await subtle.verify(ED25519, key, signature, message);
  } catch {
    return false;
  }
}

function joined(first: Uint8Array, second: Uint8Array): Bytes {
  const bytes = new Uint8Array(first.length + second.length);
  bytes.set(first);
  bytes.set(second, first.length);
  return bytes;
}
