import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { isConsistent } from "../../src/heads/consistency.js";
import type { TreeHasher } from "../../src/index.js";
import { MerkleTree } from "../../src/ledger/inclusion.js";

const sha256 = (prefix: number, ...parts: readonly string[]) =>
  createHash("sha256")
    .update(Buffer.from([prefix, ...Buffer.from(parts.join(""), "hex")]))
    .digest("hex");
const HASHER: TreeHasher = {
  leaf: (leaf) => sha256(0, leaf),
  node: (left, right) => sha256(1, left, right),
  root: (size, node) => sha256(2, size.toString(16).padStart(16, "0"), node),
};

const MOST = 150;
const LEAVES = Array.from({ length: MOST }, (_, i) => createHash("sha256").update(`leaf ${i}`).digest("hex"));
const read = async (first: number, count: number) => LEAVES.slice(first, first + count);
const tree = new MerkleTree(HASHER);
for (const leaf of LEAVES) tree.append(leaf);

/** RFC 6962, section 2.1, all of it at once. */
function topOf(leaves: readonly string[]): string {
  if (leaves.length === 0) return createHash("sha256").digest("hex");
  if (leaves.length === 1) return HASHER.leaf(leaves[0]!);
  const k = splitOf(leaves.length);
  return HASHER.node(topOf(leaves.slice(0, k)), topOf(leaves.slice(k)));
}

/** RFC 6962, section 2.1.2. */
function proofOf(m: number, leaves: readonly string[], isWhole = true): string[] {
  if (m === leaves.length) return isWhole ? [] : [topOf(leaves)];
  const k = splitOf(leaves.length);
  return m <= k
    ? [...proofOf(m, leaves.slice(0, k), isWhole), topOf(leaves.slice(k))]
    : [...proofOf(m - k, leaves.slice(k), false), topOf(leaves.slice(0, k))];
}

function splitOf(n: number): number {
  let k = 1;
  while (2 * k < n) k *= 2;
  return k;
}

const SIZES = [1, 2, 3, 5, 8, 63, 64, 65, 100, 127, 128, 129, 150];

describe("consistency of heads", () => {
  it("is proven by the definition of RFC 6962 from every size to every later one, and by nothing else", async () => {
    for (const second of SIZES)
      for (const first of SIZES.filter((size) => size < second)) {
        const path = proofOf(first, LEAVES.slice(0, second));
        const [a, b] = [first, second].map((size) => ({ size, top: topOf(LEAVES.slice(0, size)) }));
        expect(await isConsistent(a!, b!, path), `${first} ${second}`).toBe(true);
        const wrong = [path.slice(1), [...path, path[0]!], [...path].reverse()].filter(
          (other) => other.join() !== path.join(),
        );
        for (const other of wrong) expect(await isConsistent(a!, b!, other)).toBe(false);
        expect(await isConsistent(a!, { ...b!, top: a!.top }, path)).toBe(false);
        expect(await isConsistent({ ...a!, top: b!.top }, b!, path)).toBe(false);
        expect(await isConsistent(b!, a!, path)).toBe(false);
      }
  });

  it("the same head needs no proof, and takes none", async () => {
    const head = { size: 5, top: topOf(LEAVES.slice(0, 5)) };
    expect(await isConsistent(head, head, [])).toBe(true);
    expect(await isConsistent(head, head, [head.top])).toBe(false);
    expect(await isConsistent(head, { ...head, top: "00".repeat(32) }, [])).toBe(false);
    const nothing = { size: 0, top: topOf([]) };
    expect(await isConsistent(nothing, head, [])).toBe(true);
    expect(await isConsistent(nothing, head, [head.top])).toBe(false);
    expect(await isConsistent(nothing, nothing, [])).toBe(true);
    expect(await isConsistent(nothing, { ...nothing, top: head.top }, [])).toBe(false);
  });
});

describe("a tree as it was earlier", () => {
  it.each(SIZES)("of %i leaves has its top, its paths and its proofs", async (size) => {
    const leaves = LEAVES.slice(0, size);
    const then = new MerkleTree(HASHER);
    for (const leaf of leaves) then.append(leaf);
    expect(await tree.topAt(size, read)).toBe(topOf(leaves));
    expect(await tree.topAt(0, read)).toBe(topOf([]));
    for (const index of [0, 1, size >> 1, size - 2, size - 1].filter((i) => i >= 0 && i < size))
      expect(await tree.inclusion(index, read, size)).toEqual(await then.inclusion(index, read));
    for (const first of SIZES.filter((one) => one <= size))
      expect(await tree.consistency(first, read, size)).toEqual(await then.consistency(first, read));
  });
});
