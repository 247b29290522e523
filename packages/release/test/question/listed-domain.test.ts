import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { listedDomain } from "../../src/index.js";

describe("a public list of candidates", () => {
  it("is known by its size and by the SHA-256 of its sorted names", async () => {
    const hash = createHash("sha256").update('"maps"\n"news"\n').digest("hex");
    expect(await listedDomain(["news", "maps"])).toEqual({ kind: "listed", size: 2, hash });
  });

  it("is a set: its order does not matter, its names do", async () => {
    const { hash } = await listedDomain(["a", "b\n", "c"]);
    expect((await listedDomain(new Set(["c", "a", "b\n"]))).hash).toBe(hash);
    expect((await listedDomain(["a", "b", "c"])).hash).not.toBe(hash);
    expect((await listedDomain(["a", 'b\n"c'])).hash).not.toBe((await listedDomain(["a", "b\nc"])).hash);
    expect((await listedDomain(["\ud800"])).hash).not.toBe((await listedDomain(["\ud801"])).hash);
  });

  it("of more than 65,536 names is known by the hash of the hashes of its pieces", async () => {
    const names = Array.from({ length: 65_537 }, (_, index) => String(index)).sort();
    const lines = names.map((name) => `"${name}"\n`);
    const piece = (part: string[]) => createHash("sha256").update(part.join("")).digest();
    const hash = createHash("sha256")
      .update(piece(lines.slice(0, -1)))
      .update(piece(lines.slice(-1)))
      .digest("hex");
    expect(await listedDomain(names)).toEqual({ kind: "listed", size: 65_537, hash });
  });

  it("is refused if it is empty or names a candidate twice", async () => {
    await expect(listedDomain([])).rejects.toThrow("domain must be a list of at least one candidate");
    await expect(listedDomain(["a", "b", "a"])).rejects.toThrow(
      'domain must be a list with every candidate once; got "a"',
    );
  });
});
