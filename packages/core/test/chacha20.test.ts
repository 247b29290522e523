import { describe, expect, it } from "vitest";
import { chacha20Block, chacha20State, quarterRound } from "../src/chacha20.js";

const bytes = (hex: string) => Buffer.from(hex.replaceAll(/\s/g, ""), "hex");

/** A keystream as RFC 8439 prints it, least significant byte of each word first. */
function words(hex: string): Uint32Array {
  const keystream = bytes(hex);
  return Uint32Array.from({ length: keystream.length / 4 }, (_, i) => keystream.readUInt32LE(4 * i));
}

function block(key: string, counter: number, nonce: string): Uint32Array {
  const out = new Uint32Array(16);
  chacha20Block(chacha20State(bytes(key), counter, bytes(nonce)), out);
  return out;
}

const ZERO_KEY = "00".repeat(32);
const ZERO_NONCE = "00".repeat(12);
const COUNTING_KEY = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";

describe("quarterRound", () => {
  it("mixes four words as in RFC 8439, §2.1.1", () => {
    const x = Uint32Array.of(0x11111111, 0x01020304, 0x9b8d6f43, 0x01234567);
    quarterRound(x, 0, 1, 2, 3);
    expect(x).toEqual(Uint32Array.of(0xea2a92f4, 0xcb1cf8ce, 0x4581472e, 0x5881c4bb));
  });
});

describe("chacha20Block", () => {
  it("gives the block of RFC 8439, §2.3.2", () => {
    expect(block(COUNTING_KEY, 1, "000000090000004a00000000")).toEqual(
      words(`10f1e7e4 d13b5915 500fdd1f a32071c4 c7d1f4c7 33c06803 0422aa9a c3d46c4e
             d2826446 079faa09 14c2d705 d98b02a2 b5129cd1 de164eb9 cbd083e8 a2503c4e`),
    );
  });

  // RFC 8439, appendix A.1, test vectors 1 to 5.
  it.each([
    [
      ZERO_KEY,
      0,
      ZERO_NONCE,
      `76b8e0ad a0f13d90 405d6ae5 5386bd28 bdd219b8 a08ded1a a836efcc 8b770dc7
       da41597c 5157488d 7724e03f b8d84a37 6a43b8f4 1518a11c c387b669 b2ee6586`,
    ],
    [
      ZERO_KEY,
      1,
      ZERO_NONCE,
      `9f07e7be 5551387a 98ba977c 732d080d cb0f29a0 48e36569 12c6533e 32ee7aed
       29b72176 9ce64e43 d57133b0 74d839d5 31ed1f28 510afb45 ace10a1f 4b794d6f`,
    ],
    [
      `${"00".repeat(31)}01`,
      1,
      ZERO_NONCE,
      `3aeb5224 ecf84992 9b9d828d b1ced4dd 832025e8 018b8160 b82284f3 c949aa5a
       8eca00bb b4a73bda d192b5c4 2f73f2fd 4e273644 c8b36125 a64addeb 006c13a0`,
    ],
    [
      `00ff${"00".repeat(30)}`,
      2,
      ZERO_NONCE,
      `72d54dfb f12ec44b 362692df 94137f32 8fea8da7 3990265e c1bbbea1 ae9af0ca
       13b25aa2 6cb4a648 cb9b9d1b e65b2c09 24a66c54 d545ec1b 7374f487 2e99f096`,
    ],
    [
      ZERO_KEY,
      0,
      `${"00".repeat(11)}02`,
      `c2c64d37 8cd53637 4ae204b9 ef933fcd 1a8b2288 b3dfa496 72ab765b 54ee27c7
       8a970e0e 955c14f3 a88e741b 97c286f7 5f8fc299 e8148362 fa198a39 531bed6d`,
    ],
  ])("gives the keystream of appendix A.1", (key, counter, nonce, keystream) => {
    expect(block(key, counter, nonce)).toEqual(words(keystream));
  });

  it("leaves the state as it is", () => {
    const state = chacha20State(bytes(COUNTING_KEY), 1, bytes(ZERO_NONCE));
    const before = state.slice();
    chacha20Block(state, new Uint32Array(16));
    expect(state).toEqual(before);
  });
});
