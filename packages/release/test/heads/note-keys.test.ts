import { afterEach, describe, expect, it, vi } from "vitest";
import { keyAs } from "../../src/heads/note-keys.js";
import { verifiedSignatures } from "../../src/heads/signed-note.js";
import {
  newPrivateKey,
  noteKeyText,
  noteOf,
  readNote,
  readNoteKey,
  readPrivateKey,
  signatureLine,
} from "../../src/index.js";

/** The example in the documentation of Go's sumdb/note. */
const GO = {
  private: "PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz",
  public: "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW",
  text: "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n",
  line: "— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=",
};

/** RFC 8032, section 7.1. */
const RFC_8032 = [
  {
    seed: "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
    key: "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
    message: "",
    signature:
      "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
  },
  {
    seed: "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
    key: "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
    message: "72",
    signature:
      "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
  },
];

const bytes = (hex: string) => Uint8Array.from(Buffer.from(hex, "hex"));

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

describe.each(["Node's own", "Web Crypto's"])("Ed25519, %s", (whose) => {
  const load = async () => {
    vi.resetModules();
    if (whose !== "Node's own") vi.stubGlobal("process", { ...process, getBuiltinModule: undefined });
    return import("../../src/heads/ed25519.js");
  };

  it.each(RFC_8032)("signs as RFC 8032 does: $message", async ({ seed, key, message, signature }) => {
    const { ed25519Key, isSignedBy } = await load();
    const pair = await ed25519Key(bytes(seed));
    expect(Buffer.from(pair.publicKey).toString("hex")).toBe(key);
    expect(Buffer.from(await pair.sign(bytes(message))).toString("hex")).toBe(signature);
    expect(await isSignedBy(bytes(key), bytes(message), bytes(signature))).toBe(true);
    expect(await isSignedBy(bytes(key), bytes(`${message}00`), bytes(signature))).toBe(false);
    expect(await isSignedBy(bytes(key).reverse(), bytes(message), bytes(signature))).toBe(false);
    expect(await isSignedBy(bytes("00"), bytes(message), bytes(signature))).toBe(false);
  });
});

describe("keys of notes", () => {
  it("are those of Go", async () => {
    const signer = await readPrivateKey(GO.private);
    expect(noteKeyText(signer.key)).toBe(GO.public);
    expect(noteKeyText(readNoteKey(GO.public))).toBe(GO.public);
    expect(await signatureLine(GO.text, signer)).toBe(GO.line);
    const verified = await verifiedSignatures(readNote(noteOf(GO.text, [GO.line])), [readNoteKey(GO.public)]);
    expect(verified).toEqual([{ key: readNoteKey(GO.public), line: GO.line }]);
  });

  it("are made and read back, and the type makes the id", async () => {
    const signer = await readPrivateKey(await newPrivateKey("example.org/ledger"));
    expect(readNoteKey(noteKeyText(signer.key))).toEqual(signer.key);
    expect(readNoteKey(noteKeyText(signer.cosigner))).toEqual(signer.cosigner);
    expect(keyAs("cosignature", signer.key)).toEqual(signer.cosigner);
    expect(signer.cosigner.id).not.toBe(signer.key.id);
  });

  it.each([
    "",
    "PeterNeumann",
    GO.public.replace("c74f20a3", "c74f20a4"),
    GO.public.replace("PeterNeumann", "PaulNeumann"),
    GO.public.replace("PeterNeumann", "Peter Neumann"),
    GO.public.slice(0, -4),
    `${GO.public}\n`,
    GO.public.replace("ARpc", "Ahpc"),
    GO.private,
  ])("%j is no public key", (text) => {
    expect(() => readNoteKey(text)).toThrow(/key must be/);
  });

  it("what is wrong with a private key is never quoted", async () => {
    for (const text of ["secret", GO.private.replace("AYEK", "AYEL"), GO.public, `${GO.private}AA`]) {
      const error = await readPrivateKey(text).catch((caught: Error) => caught.message);
      expect(error).toMatch(/key must be a private key/);
      expect(error).not.toContain("YE");
      expect(error).not.toContain("secret");
    }
    await expect(newPrivateKey("two words")).rejects.toThrow(/name must be/);
  });
});
