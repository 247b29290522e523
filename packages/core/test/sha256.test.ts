import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { sha256 } from "../src/sha256.js";

const hex = (words: Uint32Array) => Array.from(words, (word) => word.toString(16).padStart(8, "0")).join("");
const ofText = (text: string) => hex(sha256(new TextEncoder().encode(text)));

describe("sha256", () => {
  // The examples of FIPS 180-2, appendix B, and the empty message.
  it.each([
    ["", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"],
    ["abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"],
    [
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
    ],
    ["a".repeat(1_000_000), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"],
  ])("hashes the standard's examples", (text, digest) => {
    expect(ofText(text)).toBe(digest);
  });

  it("agrees with another implementation at every length around the ends of a block", () => {
    for (let length = 0; length <= 200; length++) {
      const text = "x".repeat(length);
      expect(ofText(text)).toBe(createHash("sha256").update(text).digest("hex"));
    }
  });

  it("hashes parts as one message", () => {
    const parts = ["", "abc", "x".repeat(61)].map((text) => new TextEncoder().encode(text));
    expect(hex(sha256(...parts))).toBe(ofText(`abc${"x".repeat(61)}`));
  });

  it("leaves the message as it is", () => {
    const message = Uint8Array.of(1, 2, 3);
    sha256(message);
    expect(message).toEqual(Uint8Array.of(1, 2, 3));
  });
});
