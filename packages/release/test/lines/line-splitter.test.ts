import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LineSplitter, LONGEST_LINE, type PhysicalLine } from "../../src/lines/line-splitter.js";

const bytes = (text: string) => new TextEncoder().encode(text);

function split(...chunks: readonly Uint8Array[]): PhysicalLine[] {
  const splitter = new LineSplitter();
  return [...chunks.flatMap((chunk) => splitter.push(chunk)), ...splitter.end()];
}

describe("LineSplitter", () => {
  it("ends a line at LF, CR LF and CR", () => {
    expect(split(bytes("a\nb\r\nc\rd"))).toEqual(["a", "b", "c", "d"]);
  });

  it("leaves out empty lines, but not a first one", () => {
    expect(split(bytes("\n\na\n\n\nb\n\n"))).toEqual(["", "a", "b"]);
    expect(split(bytes(""))).toEqual([]);
  });

  it("drops a byte order mark at the start of the file only", () => {
    expect(split(bytes("\uFEFFa\n\uFEFFb"))).toEqual(["a", "\uFEFFb"]);
  });

  it("lets bytes that are no UTF-8 spoil their own line only", () => {
    const spoiled = Uint8Array.of(...bytes("a\nb"), 0xc3, ...bytes("\nc\n"), 0xff, 10, ...bytes("é\n"));
    expect(split(spoiled)).toEqual(["a", undefined, "c", undefined, "é"]);
  });

  it("keeps a line of the longest length and no longer one, whatever the chunks", () => {
    const text = `h\n${"x".repeat(LONGEST_LINE)}\n${"x".repeat(LONGEST_LINE + 1)}\nend`;
    const whole = split(bytes(text));
    expect(whole.map((line) => line?.length)).toEqual([1, LONGEST_LINE, undefined, 3]);
    const parts = Array.from({ length: 9 }, (_, i) => bytes(text).subarray(i * 20_000, (i + 1) * 20_000));
    expect(split(...parts)).toEqual(whole);
  });

  it("measures the length in bytes", () => {
    const line = "é".repeat(LONGEST_LINE / 2);
    expect(split(bytes(`h\n${line}\n${line}é\nend`)).map((each) => each?.length)).toEqual([
      1,
      LONGEST_LINE / 2,
      undefined,
      3,
    ]);
  });

  it("gives the same lines however the bytes are cut into chunks", () => {
    const alphabet = [97, 44, 34, 10, 10, 13, 0, 0xc3, 0xa9, 0xff, 0xef, 0xbb, 0xbf];
    const document = fc.array(fc.constantFrom(...alphabet), { maxLength: 40 });
    fc.assert(
      fc.property(document, fc.array(fc.nat(40), { maxLength: 5 }), (document, cuts) => {
        const whole = Uint8Array.from(document);
        const places = [0, ...cuts.filter((cut) => cut < whole.length).sort((a, b) => a - b), whole.length];
        const chunks = places.slice(1).map((end, i) => whole.slice(places[i], end));
        expect(split(...chunks)).toEqual(split(whole));
      }),
      { numRuns: 2000 },
    );
  });
});
