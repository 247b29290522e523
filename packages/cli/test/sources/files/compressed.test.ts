import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { compressionOf, splitEnding, unpacked } from "../../../src/sources/files/compressed.js";
import { histogramOf, runSql, useFolder } from "../source-folder.js";

/** A frame of zstd made by hand: window and blocks, each block one byte that comes 128 kB times. */
function repeatingFrame(bytes: string, windowDescriptor = 0x50, checksum: readonly number[] = []): Buffer {
  const header = [0x28, 0xb5, 0x2f, 0xfd, checksum.length, windowDescriptor];
  const blocks = [...bytes].map((byte, i) => {
    const block = Buffer.alloc(4, byte);
    block.writeUIntLE((131_072 << 3) | (1 << 1) | Number(i === bytes.length - 1), 0, 3);
    return block;
  });
  return Buffer.concat([Buffer.from(header), ...blocks, Buffer.from(checksum)]);
}

describe("files compressed by zstd", () => {
  const { folder, write } = useFolder();
  const rows = 50_000;
  let packed: Buffer;

  beforeAll(async () => {
    const select = `SELECT 'user ' || i AS "user", 'item ' || i % 7 AS item FROM range(${rows}) t(i)`;
    await runSql(`COPY (${select}) TO '${folder}/made.csv' (FORMAT csv, HEADER true, COMPRESSION zstd)`);
    packed = readFileSync(`${folder}/made.csv`);
  });

  const textOf = async (name: string, bytes: Uint8Array) => {
    const parts: Uint8Array[] = [];
    for await (const part of unpacked(write(name, bytes), "zstd")) parts.push(part);
    return Buffer.concat(parts);
  };

  it("are known by the end of the name, and by their first bytes on standard input", () => {
    expect(splitEnding("a/b.csv.ZST")).toEqual({ name: "a/b.csv", compression: "zstd" });
    expect(splitEnding("b.csv.zstd").compression).toBe("zstd");
    expect(splitEnding("b.csv.gz")).toEqual({ name: "b.csv", compression: "gzip" });
    expect(splitEnding("zst")).toEqual({ name: "zst", compression: "none" });
    expect([packed, Buffer.from([0x1f, 0x8b, 8]), Buffer.from("user")].map(compressionOf)).toEqual([
      "zstd",
      "gzip",
      "none",
    ]);
  });

  it("are counted whole, also in several frames, with frames between that are to be skipped", async () => {
    const skipped = Buffer.from([0x5a, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3]);
    const more = readFileSync(`${folder}/made.csv`);
    const path = write("frames.csv.zst", Buffer.concat([skipped, packed, skipped, skipped, more]));
    const { histogram, skipped: lines } = await histogramOf(path);
    expect(histogram["item 3"]).toBe(Math.ceil((rows - 3) / 7));
    expect(lines).toBe(0); // the second header is somebody's row
    expect(histogram.item).toBe(1);
  });

  it.each([
    ["cut off in a block", (bytes: Buffer) => bytes.subarray(0, bytes.length / 2), "is truncated or damaged"],
    ["cut off in its last byte", (bytes: Buffer) => bytes.subarray(0, -1), "is truncated or damaged"],
    ["cut off in its header", (bytes: Buffer) => bytes.subarray(0, 5), "is truncated or damaged"],
    [
      "with something behind it",
      (bytes: Buffer) => Buffer.concat([bytes, Buffer.from("more")]),
      "is truncated or damaged",
    ],
    [
      "damaged in the middle",
      (bytes: Buffer) => Buffer.from(bytes).fill(0xff, 20_000, 20_100),
      "engine couldn't read the source to its end",
    ],
    [
      "that is something else",
      () => Buffer.from("user,item\nprivate row,x\n"),
      "isn't compressed with zstd as its name says",
    ],
  ])("are refused: one %s", async (_, spoil, words) => {
    const path = write("spoiled.csv.zst", spoil(packed));
    await expect(histogramOf(path)).rejects.toMatchObject({
      code: "unreadable-source",
      message: expect.stringMatching(new RegExp(`^The (file ".*spoiled.csv.zst" )?${words}\\.$`)),
    });
  });

  it("are refused if they need a large window or a dictionary", async () => {
    await expect(textOf("wide.zst", repeatingFrame("ab", 0x70))).rejects.toMatchObject({
      code: "source-limit",
    });
    expect((await textOf("narrow.zst", repeatingFrame("ab", 0x68))).length).toBe(2 * 131_072);
    const checked = repeatingFrame("ab", 0x50, [1, 2, 3, 4]);
    expect((await textOf("checked.zst", Buffer.concat([checked, checked]))).length).toBe(4 * 131_072);
    await expect(textOf("checked.zst", checked.subarray(0, -1))).rejects.toThrow("is truncated");
    const dictionary = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 1, 0x50, 7, 1, 0, 0]);
    await expect(textOf("dictionary.zst", dictionary)).rejects.toThrow("needs a zstd dictionary");
  });

  it("take little memory, however much they unpack to", async () => {
    const header = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x20, 10, 0x51, 0, 0, ...Buffer.from("user,item\n")]);
    const path = write(
      "bomb.csv.zst",
      Buffer.concat([header, repeatingFrame("x".repeat(2000)), repeatingFrame("\n".repeat(500))]),
    );
    const before = process.memoryUsage.rss();
    let most = 0;
    for await (const _ of unpacked(path, "zstd")) most = Math.max(most, process.memoryUsage.rss() - before);
    expect(most).toBeLessThan(150 * 2 ** 20);
    expect(await histogramOf(path, { memoryLimit: 64 * 2 ** 20 })).toEqual({ histogram: {}, skipped: 1 });
  });
});
