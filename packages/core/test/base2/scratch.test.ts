import { describe, expect, it } from "vitest";
import { eta } from "../../src/accounting/base2-parameter.js";
import { base2Exponential } from "../../src/base2/base2-exponential.js";
import { withScratch } from "../../src/base2/scratch.js";
import { seededEntropy } from "../../src/testing/seeded-entropy.js";

describe("scratch memory", () => {
  it("is wiped when the call ends, and when it fails", () => {
    let seen = new Float64Array(0);
    withScratch(3, (numbers) => {
      numbers.set([1, 2, 3]);
      seen = numbers as Float64Array<ArrayBuffer>;
    });
    expect([...seen]).toEqual([0, 0, 0]);
    const fail = () =>
      withScratch(2, (numbers) => {
        numbers.set([1, 2]);
        seen = numbers as Float64Array<ArrayBuffer>;
        throw new Error("failed");
      });
    expect(fail).toThrow("failed");
    expect([...seen]).toEqual([0, 0]);
  });

  it("is kept for the next call if it is not too large, as long as that needs no more", () => {
    const bufferOf = (length: number) => withScratch(length, (numbers) => numbers.buffer);
    bufferOf(131_073); // now nothing is kept
    const first = bufferOf(5000);
    expect(bufferOf(5000)).toBe(first);
    expect(bufferOf(10)).toBe(first);
    expect(bufferOf(5001)).not.toBe(first);
    const large = bufferOf(131_072);
    expect(bufferOf(131_072)).toBe(large);
    const tooLarge = bufferOf(131_073);
    expect(bufferOf(10)).not.toBe(tooLarge);
  });

  it("has the length asked for, also where more was kept", () => {
    withScratch(100, () => undefined);
    expect(withScratch(7, (numbers) => numbers.length)).toBe(7);
  });

  it("is not shared by calls within calls", () => {
    withScratch(4, (outer) => {
      outer.fill(7);
      withScratch(4, (inner) => inner.fill(8));
      expect([...outer]).toEqual([7, 7, 7, 7]);
    });
  });

  it("a utility may select in turn", () => {
    const options = { eta: eta(1, 1, 60), lower: 0, upper: 10, maxCandidates: 3 };
    const entropy = seededEntropy("within");
    const best = (values: number[]) =>
      base2Exponential(values, (value) => value, { ...options, entropy }).outcome;
    const rows = [
      [9, 5, 8],
      [3, 9, 9],
      [9, 9, 4],
    ];
    expect(base2Exponential(rows, best, { ...options, entropy }).candidate).toBe(1);
  });
});
