import { describe, expect, it } from "vitest";
import { readCounts } from "../../src/sources/clickhouse/clickhouse-server.js";
import type { Batch } from "../../src/sources/source.js";
import { expectRefusal } from "./support/refusals.js";

/** What is read from the bytes, cut into chunks of a length. */
async function read(
  bytes: Buffer,
  length = bytes.length,
): Promise<{ pairs: [string, number][]; skipped: number }> {
  async function* chunks() {
    for (let start = 0; start < bytes.length; start += length) yield bytes.subarray(start, start + length);
  }
  const pairs: [string, number][] = [];
  let skipped = 0;
  const add = ({ items, users }: Batch) =>
    items.forEach((item, place) => {
      pairs.push([item, users[place]]);
    });
  for await (const batch of readCounts(chunks(), (names) => (skipped += names))) add(batch);
  return { pairs, skipped };
}

describe("Lines of counts", () => {
  it("are read the same, however they are cut into chunks", async () => {
    const bytes = Buffer.from("3\ta\n12\t日本\\t\\n\\\\\\'\\0\\b\n0\t\n1\t😀\n");
    const pairs = [
      ["a", 3],
      ["日本\t\n\\'\0\b", 12],
      ["", 0],
      ["😀", 1],
    ];
    for (let length = 1; length <= bytes.length; length++)
      expect(await read(bytes, length)).toEqual({ pairs, skipped: 0 });
  });

  it("with names that are no text are left out, and only they", async () => {
    const bytes = Buffer.concat([
      Buffer.from("3\ta\n4\t"),
      Buffer.from([0xff]),
      Buffer.from("\n5\tb\n6\t"),
      Buffer.from([0xc3]),
      Buffer.from("\n7\tc\n"),
    ]);
    for (const length of [1, 5, bytes.length])
      expect(await read(bytes, length)).toEqual({
        pairs: [
          ["a", 3],
          ["b", 5],
          ["c", 7],
        ],
        skipped: 2,
      });
  });

  it("keep a byte order mark, which is part of a name", async () => {
    expect((await read(Buffer.from("1\t\ufeffa\n"))).pairs).toEqual([["\ufeffa", 1]]);
  });

  it.each([
    ["an old server's error", "1\ta\nCode: 159, e.displayText() = DB::Exception: private-row\n"],
    ["a new server's error", "1\ta\n__exception__\r\nCode: 241. DB::Exception: private-row\n"],
    ["an error that looks like counts further on", "1\ta\nCode: 6: Cannot parse string 'private-row\n5\tb\n"],
    ["an error that is no text", "1\ta\nCode: 6: \u00ff\n"],
    ["a line that breaks off", "1\ta\n25"],
    ["a line without a number", "1\ta\n\tb\n"],
    ["a third field", "1\ta\tb\n"],
    ["a number that is too large to be one", "12345678901234567\ta\n"],
  ])("end at %s, which is not shown", async (_, text) => {
    for (const encoding of ["utf8", "latin1"] as const) {
      const bytes = Buffer.from(text, encoding);
      for (const length of [1, 7, bytes.length]) await expectRefusal(read(bytes, length), "server-failed");
    }
  });
});
