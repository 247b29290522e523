import { describe, it } from "vitest";
import { makeStableTopK } from "../../src/standout/stable-top-k.js";
import { bitTree } from "../../src/testing/bit-tree.js";
import { laplaceTail, stableLaw, stableName } from "./exact-laws.js";
import { expectTree } from "./expect-enclosed.js";

describe("the law of stableTopK", () => {
  it.each([
    ["a person is added", true, 1],
    ["a person is replaced", false, 2],
  ])("is that of the two steps, by all strings of bits, when %s", (_, monotone, gapSensitivity) => {
    const options = { maxK: 2, delta: "1/4", monotone };
    const measurement = makeStableTopK({
      ...options,
      choose: { noise: "gumbel", scale: 1 },
      test: { scale: 1 },
    });
    const tree = bitTree((entropy) => measurement.invoke([1, 5, 0], entropy), { depth: 18, key: stableName });
    const law = stableLaw([1, 5, 0], {
      ...options,
      gapSensitivity,
      scale: 1,
      tail: laplaceTail(1),
      threshold: 1,
    });
    expectTree(tree, law, 0.08);
  });
});
