import { Worker } from "node:worker_threads";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Entropy } from "../src/entropy.js";
import { WinnowError } from "../src/errors.js";
import { systemEntropy, withEntropy } from "../src/system-entropy.js";
import { seededEntropy } from "../src/testing/seeded-entropy.js";

afterEach(() => {
  vi.unstubAllGlobals();
});

const words = (entropy: Entropy, count: number) => Array.from({ length: count }, () => entropy.word());

/** A generator that counts, and keeps the arrays it was given. */
function countingCrypto() {
  const asked: Uint32Array[] = [];
  let next = 1;
  const getRandomValues = (array: Uint32Array) => {
    asked.push(array);
    for (let i = 0; i < array.length; i++) array[i] = next++;
    return array;
  };
  return { asked, getRandomValues };
}

function errorOf(action: () => unknown): WinnowError {
  try {
    action();
  } catch (error) {
    if (error instanceof WinnowError) return error;
  }
  throw new Error("expected a WinnowError");
}

describe("systemEntropy", () => {
  it("draws words that do not repeat, within a stream or between two", () => {
    const drawn = [...words(systemEntropy(), 1_000), ...words(systemEntropy(), 1_000)];
    expect(new Set(drawn).size).toBeGreaterThan(1_990); // 2,000 of 2^32 collide with probability 5e-4
  });

  it("takes more than one call's worth of words", () => {
    expect(new Set(words(systemEntropy(), 100_000)).size).toBeGreaterThan(99_000);
  });

  it("asks for at most 65,536 bytes at once", () => {
    const crypto = countingCrypto();
    vi.stubGlobal("crypto", crypto);
    expect(words(systemEntropy(), 100_000)).toEqual(Array.from({ length: 100_000 }, (_, i) => i + 1));
    expect(Math.max(...crypto.asked.map(({ byteLength }) => byteLength))).toBe(65_536);
  });

  it("keeps nothing once the running script yields", async () => {
    const crypto = countingCrypto();
    vi.stubGlobal("crypto", crypto);
    const entropy = systemEntropy();
    expect(entropy.word()).toBe(1);
    await Promise.resolve();
    expect(crypto.asked[0]).toEqual(new Uint32Array(256));
    expect(entropy.word()).toBe(257);
  });

  it.each([undefined, {}])("refuses to start where crypto is %o", (crypto) => {
    vi.stubGlobal("crypto", crypto);
    const error = errorOf(systemEntropy);
    expect(error.code).toBe("entropy-unavailable");
    expect(error.message).toContain("globalThis.crypto.getRandomValues is missing");
  });

  it("gives no word when the generator fails, and recovers with it", () => {
    const crypto = countingCrypto();
    const cause = new Error("no entropy yet");
    let failing = true;
    vi.stubGlobal("crypto", {
      getRandomValues: (array: Uint32Array) => {
        if (failing) throw cause;
        return crypto.getRandomValues(array);
      },
    });
    const entropy = systemEntropy();
    const error = errorOf(() => entropy.bit());
    expect(error.code).toBe("entropy-unavailable");
    expect(error.cause).toBe(cause);
    failing = false;
    expect(entropy.word()).toBe(1);
  });

  it("works in a worker thread", async () => {
    const program = `
      const { parentPort, workerData } = require("node:worker_threads");
      import(workerData).then(({ systemEntropy }) => parentPort.postMessage(systemEntropy().bigBits(256)));`;
    const built = new URL("../dist/index.js", import.meta.url).href;
    const worker = new Worker(program, { eval: true, workerData: built });
    const drawn = await new Promise<bigint>((resolve, reject) => {
      worker.once("message", resolve);
      worker.once("error", reject);
    });
    await worker.terminate();
    expect(drawn > 0n && drawn < 1n << 256n).toBe(true);
    expect(drawn).not.toBe(systemEntropy().bigBits(256));
  });
});

describe("withEntropy", () => {
  it("draws from the given entropy and leaves it usable where it stands", () => {
    const given = seededEntropy("given");
    const [first, second] = words(seededEntropy("given"), 2);
    expect(withEntropy(given, (entropy) => entropy.word())).toBe(first);
    expect(given.word()).toBe(second);
  });

  it("wipes the system's bits at the end of the run", () => {
    const crypto = countingCrypto();
    vi.stubGlobal("crypto", crypto);
    expect(withEntropy(undefined, (entropy) => entropy.word())).toBe(1);
    expect(crypto.asked[0]).toEqual(new Uint32Array(256));
  });

  it("wipes them also when the run throws", () => {
    const crypto = countingCrypto();
    vi.stubGlobal("crypto", crypto);
    const run = () =>
      withEntropy(undefined, (entropy) => {
        entropy.bits(5);
        throw new Error("mechanism failed");
      });
    expect(run).toThrow("mechanism failed");
    expect(crypto.asked[0]).toEqual(new Uint32Array(256));
  });
});
