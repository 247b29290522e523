import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import {
  type ConsistencyProof,
  INCLUSION_SCHEMA,
  type InclusionProof,
  readInclusionProof,
  type TreeHasher,
  verifyConsistency,
  verifyInclusion,
} from "../../src/index.js";
import { MerkleTree } from "../../src/ledger/inclusion.js";
import { chained, exampleRelease, releaseEntry } from "./examples.js";

const sha256 = (prefix: number, ...parts: readonly string[]) =>
  createHash("sha256")
    .update(Buffer.from([prefix, ...Buffer.from(parts.join(""), "hex")]))
    .digest("hex");
const HASHER: TreeHasher = {
  leaf: (leaf) => sha256(0, leaf),
  node: (left, right) => sha256(1, left, right),
  root: (size, node) => sha256(2, size.toString(16).padStart(16, "0"), node),
};

function treeOf(leaves: readonly string[]): MerkleTree {
  const tree = new MerkleTree(HASHER);
  for (const leaf of leaves) tree.append(leaf);
  return tree;
}

/** As RFC 9162 defines it, all of it at once. */
function definition(leaves: readonly string[]): string {
  if (leaves.length === 0) return createHash("sha256").digest("hex");
  if (leaves.length === 1) return sha256(0, leaves[0]!);
  let k = 1;
  while (2 * k < leaves.length) k *= 2;
  return sha256(1, definition(leaves.slice(0, k)), definition(leaves.slice(k)));
}

/** The leaves and roots with which implementations of Certificate Transparency are tested. */
const KNOWN = [
  ["", "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d"],
  ["00", "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125"],
  ["10", "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77"],
  ["2021", "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7"],
  ["3031", "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4"],
  ["40414243", "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef"],
  ["5051525354555657", "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c"],
  ["606162636465666768696a6b6c6d6e6f", "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328"],
] as const;

/** Rows of a ledger with releases r1, r2 …, longer than some blocks of the tree. */
const ROWS = await chained(...Array.from({ length: 449 }, (_, i) => releaseEntry(`r${i + 1}`)));
const HASHES = ROWS.map(({ hash }) => hash);
const read = async (first: number, count: number) => HASHES.slice(first, first + count);

async function proofOf(sequence: number, size: number, tree = treeOf(HASHES.slice(0, size))) {
  const { hash } = ROWS[sequence - 1]!;
  const proof: InclusionProof = {
    schema: INCLUSION_SCHEMA,
    id: `r${sequence}`,
    sequence,
    hash,
    previous: ROWS[sequence - 2]?.hash ?? "0".repeat(64),
    size,
    root: tree.root(),
    path: await tree.inclusion(sequence - 1, read),
  };
  const release = { ...exampleRelease(`r${sequence}`), ledger: { sequence, head: hash } };
  return { proof, release };
}

const SIZES = [1, 2, 3, 7, 63, 64, 65, 127, 128, 192, 255, 257, 300, 449];

describe("the tree over the entries", () => {
  it("has the roots that are known from Certificate Transparency", () => {
    expect(treeOf([]).top).toBe(createHash("sha256").digest("hex"));
    const tree = new MerkleTree(HASHER);
    for (const [leaf, root] of KNOWN) {
      tree.append(leaf);
      expect(tree.top).toBe(root);
    }
  });

  it.each(SIZES)("is that of the definition with %i leaves, and proves each of them", async (size) => {
    const tree = treeOf(HASHES.slice(0, size));
    expect(tree.top).toBe(definition(HASHES.slice(0, size)));
    for (let sequence = 1; sequence <= size; sequence += 1 + Math.floor(size / 12)) {
      const { proof, release } = await proofOf(sequence, size, tree);
      expect(proof.path.length).toBeLessThanOrEqual(Math.ceil(Math.log2(size)));
      expect(await verifyInclusion(release, proof)).toEqual([]);
    }
  });

  it("refuses leaves that are no longer those that it was made of", async () => {
    const tree = treeOf(HASHES);
    await expect(tree.inclusion(3, async (first, count) => HASHES.slice(first + 1, count))).rejects.toThrow(
      "leaves must be",
    );
  });
});

describe("a proof of inclusion", () => {
  it("is read back from its JSON, and refused if it is not one", async () => {
    const { proof } = await proofOf(300, 440);
    expect(readInclusionProof(JSON.stringify(proof))).toEqual(proof);
    for (const [field, value] of [
      ["schema", "winnow-inclusion/2"],
      ["id", 1],
      ["sequence", 441],
      ["sequence", 0],
      ["size", 0.5],
      ["hash", "ab"],
      ["previous", proof.previous.toUpperCase()],
      ["root", null],
      ["path", [1]],
    ] as const)
      expect(() => readInclusionProof(JSON.stringify({ ...proof, [field]: value })), field).toThrow(
        `proof.${field} must be`,
      );
    for (const text of ["", "null", "[]"]) expect(() => readInclusionProof(text)).toThrow("proof");
  });

  it("is refuted by a change of any part of it, or of the release", async () => {
    const { proof, release } = await proofOf(300, 440);
    const other = (await proofOf(301, 440)).proof;
    const flipped = (text: string) => (text[0] === "0" ? "1" : "0") + text.slice(1);
    const changes: readonly Partial<InclusionProof>[] = [
      { id: "r301" },
      { sequence: 301 },
      { hash: flipped(proof.hash) },
      { previous: flipped(proof.previous) },
      { root: flipped(proof.root) },
      { size: 439 },
      { size: 441 },
      { size: 300 }, // of another depth
      { size: 2000 },
      { path: other.path },
      { path: proof.path.slice(1) },
      { path: proof.path.slice(0, -1) },
      { path: [...proof.path, proof.root] },
      { path: proof.path.toReversed() },
      ...proof.path.map((node, i) => ({ path: proof.path.with(i, flipped(node)) })),
    ];
    for (const change of changes)
      expect(await verifyInclusion(release, { ...proof, ...change }), JSON.stringify(change)).toHaveLength(1);
    for (const changed of [
      { ...release, answer: { winners: ["another"] } },
      { ...release, analyst: "alice" },
      { ...release, ledger: { ...release.ledger, sequence: 301 } },
    ])
      expect(await verifyInclusion(changed, proof)).toHaveLength(1);
  });
});

describe("a proof of consistency", () => {
  const consistent = async (
    first: number,
    second: number,
    tree = treeOf(HASHES.slice(0, second)),
  ): Promise<ConsistencyProof> => {
    const { root, path } = await tree.consistency(first, read);
    return {
      first: { size: first, root },
      second: { size: second, root: tree.root() },
      path,
    };
  };

  it("holds between any two heads of one ledger", async () => {
    const roots = new Map(SIZES.map((size) => [size, HASHER.root(size, definition(HASHES.slice(0, size)))]));
    for (const second of SIZES) {
      const tree = treeOf(HASHES.slice(0, second));
      for (const first of SIZES.filter((size) => size <= second)) {
        const proof = await consistent(first, second, tree);
        expect(proof.first.root).toBe(roots.get(first));
        expect(await verifyConsistency(proof), `${first} ${second}`).toBe(true);
      }
    }
  });

  it("is refuted by a change of any part of it", async () => {
    for (const [first, second] of [
      [128, 449],
      [170, 300],
      [7, 7],
    ] as const) {
      const proof = await consistent(first, second);
      const { root } = await consistent(first - 1, second).then((other) => other.first);
      const changes: readonly Partial<ConsistencyProof>[] = [
        { first: { size: first, root } },
        { first: { size: first - 1, root: proof.first.root } },
        { first: { size: 0, root: proof.first.root } },
        { first: { size: second + 1, root: proof.first.root } },
        { first: { size: first + 1, root: proof.first.root } },
        { second: { size: second + 1, root: proof.second.root } },
        { second: { size: second - 1, root: proof.second.root } },
        { second: { size: second, root } },
        { path: [...proof.path, root] },
        ...(proof.path.length === 0
          ? []
          : [{ path: proof.path.slice(1) }, { path: proof.path.slice(0, -1) }]),
        ...proof.path.map((_, i) => ({ path: proof.path.with(i, root) })),
      ];
      for (const change of changes)
        expect(await verifyConsistency({ ...proof, ...change }), JSON.stringify(change)).toBe(false);
    }
  });
});
