import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { Entropy, type EntropySource } from "../src/entropy.js";
import { WinnowError } from "../src/errors.js";
import { replayEntropy } from "../src/testing/replay-entropy.js";

/** A source that gives 1, 2, 3, … and remembers every array it was asked to fill. */
class CountingSource implements EntropySource {
  readonly asked: Uint32Array[] = [];
  wordBits = 32;
  transient = false;
  next = 1;

  fill(words: Uint32Array): void {
    this.asked.push(words);
    for (let i = 0; i < words.length; i++) words[i] = this.next++;
  }
}

/** How many words are fetched at first. */
const FIRST_POOL = 256;

const words = (entropy: Entropy, count: number) => Array.from({ length: count }, () => entropy.word());

describe("Entropy.bits", () => {
  // 288 bits, a whole number of words at every word size here.
  const bits = "110100111000111101000011001011001010011101110001".repeat(6);
  const stream = (wordBits: number) => replayEntropy(bits, { wordBits });

  it.each([1, 3, 8, 32])("gives the earlier bit the higher place, in words of %i bits", (wordBits) => {
    for (let count = 1; count <= 53; count++)
      expect(stream(wordBits).bits(count)).toBe(Number.parseInt(bits.slice(0, count), 2));
  });

  it.each([1, 3, 8, 32])("concatenates across words of %i bits, whatever the slices", (wordBits) => {
    for (const slice of [1, 2, 3, 5, 7, 8, 13, 31, 32, 33, 53]) {
      const entropy = stream(wordBits);
      for (let at = 0; at + slice <= bits.length; at += slice)
        expect(entropy.bits(slice)).toBe(Number.parseInt(bits.slice(at, at + slice), 2));
    }
  });

  it.each([1, 3, 8, 32])("gives single bits in the same order, in words of %i bits", (wordBits) => {
    const entropy = stream(wordBits);
    expect(Array.from(bits, () => entropy.bit()).join("")).toBe(bits);
  });

  it("gives all of 53 ones and of 32 ones", () => {
    const entropy = replayEntropy("1".repeat(96), { wordBits: 32 });
    expect(entropy.bits(53)).toBe(Number.MAX_SAFE_INTEGER);
    expect(entropy.bits(32)).toBe(2 ** 32 - 1);
  });

  it("gives 0 for no bits and asks for none", () => {
    const entropy = replayEntropy("");
    expect(entropy.bits(0)).toBe(0);
    expect(entropy.bigBits(0)).toBe(0n);
    expect(entropy.bitsUsed).toBe(0);
  });

  it.each([-1, 54, 1.5, Number.NaN, Number.POSITIVE_INFINITY])(
    "refuses to draw %d bits, before it draws any",
    (count) => {
      const entropy = stream(8);
      expect(() => entropy.bits(count)).toThrow(`count must be an integer from 0 to 53; got ${count}`);
      expect(entropy.bitsUsed).toBe(0);
    },
  );
});

describe("Entropy.bigBits", () => {
  const bits = "0110100111000011".repeat(32);

  it.each([1, 8, 32])("concatenates as many bits as wanted, in words of %i bits", (wordBits) => {
    for (const count of [1, 31, 32, 33, 64, 65, 200, 512])
      expect(replayEntropy(bits, { wordBits }).bigBits(count)).toBe(BigInt(`0b${bits.slice(0, count)}`));
  });

  it.each([-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY])("refuses to draw %d bits", (count) => {
    expect(() => replayEntropy(bits).bigBits(count)).toThrow(`count must be an integer >= 0; got ${count}`);
  });
});

describe("Entropy.word", () => {
  it("takes a whole new word and leaves the rest of a sliced one for bits", () => {
    const entropy = replayEntropy("10110010 01011100 11110000".replaceAll(" ", ""), { wordBits: 8 });
    expect(entropy.bits(3)).toBe(0b101);
    expect(entropy.word()).toBe(0b01011100);
    expect(entropy.bits(5)).toBe(0b10010);
    expect(entropy.bits(8)).toBe(0b11110000);
  });

  it("hands out each word once, in the source's order, across refills", () => {
    const entropy = new Entropy(new CountingSource());
    expect(words(entropy, 100_000)).toEqual(Array.from({ length: 100_000 }, (_, i) => i + 1));
  });
});

describe("Entropy.bitsUsed", () => {
  it("counts words whole and slices by their bits", () => {
    const entropy = new Entropy(new CountingSource());
    entropy.bits(5);
    expect(entropy.bitsUsed).toBe(5);
    entropy.word();
    expect(entropy.bitsUsed).toBe(37);
    entropy.bits(30);
    expect(entropy.bitsUsed).toBe(67);
    words(entropy, 1_000);
    expect(entropy.bitsUsed).toBe(67 + 32_000);
  });

  it("counts the rest of a word that was wiped as used, and pool words that were wiped as not", () => {
    const entropy = new Entropy(new CountingSource());
    entropy.bits(5);
    entropy.wipe();
    expect(entropy.bitsUsed).toBe(32);
    entropy.bit();
    expect(entropy.bitsUsed).toBe(33);
  });
});

describe("the pool", () => {
  it("starts small, grows fourfold, and never asks for more than 16,384 words", () => {
    const source = new CountingSource();
    words(new Entropy(source), 100_000);
    const sizes = source.asked.map(({ length }) => length);
    expect(sizes.slice(0, 4)).toEqual([FIRST_POOL, 1024, 4096, 16_384]);
    expect(new Set(sizes.slice(3))).toEqual(new Set([16_384]));
  });

  it("asks for no more than the source wants to be asked for", () => {
    const asked: number[] = [];
    words(new Entropy({ fill: ({ length }) => asked.push(length), poolWords: 40 }), 500);
    expect(Math.max(...asked)).toBe(40);
  });

  it("wipes each word as it is used", () => {
    const source = new CountingSource();
    const entropy = new Entropy(source);
    words(entropy, 10);
    entropy.bits(7);
    expect([...source.asked[0].slice(0, 12)]).toEqual([...Array(11).fill(0), 12]);
    words(entropy, 200_000);
    const current = source.asked.at(-1);
    for (const pool of source.asked.filter((pool) => pool !== current))
      expect(pool).toEqual(new Uint32Array(pool.length));
  });

  it("forgets words and sliced bits alike when it is wiped, and fetches anew", () => {
    const source = new CountingSource();
    const entropy = new Entropy(source);
    entropy.bits(5);
    entropy.wipe();
    expect(source.asked[0]).toEqual(new Uint32Array(FIRST_POOL));
    expect(entropy.bits(32)).toBe(FIRST_POOL + 1); // neither the rest of word 1 nor word 2
    expect(source.asked.length).toBe(2);
  });

  it("may be wiped before it was ever filled, and twice", () => {
    const entropy = new Entropy(new CountingSource());
    entropy.wipe();
    entropy.wipe();
    expect(entropy.word()).toBe(1);
  });
});

describe("a transient source", () => {
  it("keeps nothing once the running script yields", async () => {
    const source = new CountingSource();
    source.transient = true;
    const entropy = new Entropy(source);
    expect(words(entropy, 3)).toEqual([1, 2, 3]);
    entropy.bits(9);
    await Promise.resolve();
    expect(source.asked[0]).toEqual(new Uint32Array(FIRST_POOL));
    expect(entropy.bits(32)).toBe(FIRST_POOL + 1);
    await Promise.resolve();
    expect(entropy.word()).toBe(2 * FIRST_POOL + 1);
  });

  it("is wiped also when it was wiped and refilled by hand in between", async () => {
    const source = new CountingSource();
    source.transient = true;
    const entropy = new Entropy(source);
    entropy.word();
    entropy.wipe();
    entropy.word();
    await Promise.resolve();
    expect(source.asked[1]).toEqual(new Uint32Array(FIRST_POOL));
  });

  it("is the exception: other sources keep their place", async () => {
    const entropy = new Entropy(new CountingSource());
    entropy.word();
    await Promise.resolve();
    expect(entropy.word()).toBe(2);
  });
});

describe("a source that throws", () => {
  /** Counts on like the other, but every second call throws after it has written its words. */
  class FailingSource extends CountingSource {
    calls = 0;

    override fill(words: Uint32Array): void {
      super.fill(words);
      if (++this.calls % 2 === 0) throw new Error("source failed");
    }
  }

  it("passes its error on and leaves nothing half fetched to be used", () => {
    const source = new FailingSource();
    const entropy = new Entropy(source);
    expect(words(entropy, FIRST_POOL)).toEqual(Array.from({ length: FIRST_POOL }, (_, i) => i + 1));
    expect(() => entropy.word()).toThrow("source failed");
    expect(entropy.bitsUsed).toBe(FIRST_POOL * 32);
    expect(entropy.word()).toBe(FIRST_POOL * 5 + 1); // the words of the failed call, four times as many, are lost
  });

  it("leaves nothing either when the pool is reused or in the middle of a slice", () => {
    const source = new FailingSource();
    const entropy = new Entropy({ fill: (words) => source.fill(words), poolWords: 1 });
    expect(entropy.bits(16)).toBe(0);
    expect(() => entropy.bits(32)).toThrow("source failed");
    expect(entropy.bits(32)).toBe(3);
  });

  it("fails again as often as the source does", () => {
    const entropy = new Entropy({
      fill: () => {
        throw new Error("source failed");
      },
    });
    for (let i = 0; i < 3; i++) expect(() => entropy.bit()).toThrow("source failed");
    expect(entropy.bitsUsed).toBe(0);
  });
});

describe("what an Entropy shows of itself", () => {
  it("is no pool word, by inspection, as JSON, by its keys, or as a clone", () => {
    const secret = 3_141_592_653;
    const entropy = new Entropy({ fill: (words) => words.fill(secret) });
    entropy.bits(3);
    const views = [
      inspect(entropy, { showHidden: true, depth: null }),
      JSON.stringify(entropy),
      JSON.stringify(Reflect.ownKeys(entropy)),
      JSON.stringify(structuredClone(entropy)),
      String(entropy),
    ];
    const [word, restOfSlice] = [String(secret), String(secret % 2 ** 29)];
    for (const view of views) {
      expect(view).not.toContain(word);
      expect(view).not.toContain(restOfSlice);
    }
  });
});

describe("an impossible source", () => {
  it.each([0, 33, 1.5, Number.NaN])("is refused for words of %d bits", (wordBits) => {
    expect(() => new Entropy({ fill: () => {}, wordBits })).toThrow(WinnowError);
    expect(() => new Entropy({ fill: () => {}, wordBits })).toThrow(
      `wordBits must be an integer from 1 to 32; got ${wordBits}`,
    );
  });

  it.each([0, -1, 0.5])("is refused for a pool of %d words", (poolWords) => {
    expect(() => new Entropy({ fill: () => {}, poolWords })).toThrow(
      `poolWords must be an integer >= 1; got ${poolWords}`,
    );
  });
});
