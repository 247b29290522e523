import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { chain, EMPTY_CHAIN, hashText, readEntry } from "../../src/index.js";
import { chained, releaseEntry } from "./examples.js";

describe("the hash chain", () => {
  it("hashes UTF-8 text by SHA-256", async () => {
    // FIPS 180-2, appendix B.1
    expect(await hashText("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    expect(await hashText("é…")).toBe(createHash("sha256").update("é…", "utf8").digest("hex"));
  });

  it("numbers entries from 1 and names the hash of the one before", async () => {
    const [first, second] = await chained(releaseEntry("a"), releaseEntry("b"));
    expect(readEntry(first.text)).toMatchObject({ sequence: 1, previous: EMPTY_CHAIN.hash });
    expect(readEntry(second.text)).toMatchObject({ sequence: 2, previous: first.hash });
    expect(second.hash).toBe(await hashText(second.text));
  });

  it("gives the same entry another hash after another head", async () => {
    const head = { sequence: 0, hash: "1".repeat(64) };
    expect((await chain(releaseEntry("a"), head)).hash).not.toBe(
      (await chain(releaseEntry("a"), EMPTY_CHAIN)).hash,
    );
  });
});
