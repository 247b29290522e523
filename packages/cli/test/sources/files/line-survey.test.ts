import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LineSplitter, LONGEST_LINE } from "winnow-release";
import { LineSurvey } from "../../../src/sources/files/relation.js";

/** The chunks go in one by one, each in a buffer that is then used again. */
function surveyed(bytes: Uint8Array, chunks: readonly number[], quote = '"'): LineSurvey {
  const survey = new LineSurvey(quote);
  const buffer = new Uint8Array(bytes.length);
  let start = 0;
  for (const length of [...chunks, bytes.length]) {
    const part = bytes.subarray(start, start + length);
    buffer.set(part);
    survey.push(buffer.subarray(0, part.length));
    buffer.fill(0xff);
    start += part.length;
  }
  survey.end();
  return survey;
}

function unreadableHere(bytes: Uint8Array): number {
  const splitter = new LineSplitter();
  return [...splitter.push(bytes), ...splitter.end()].filter((line) => line === undefined).length;
}

describe("the survey of a file's lines", () => {
  const piece = fc.oneof(
    fc.constantFrom("\n", "\r", "\r\n", "\n\n", "a", "é", "😀", '"', "\0").map((text) => Buffer.from(text)),
    fc.constantFrom([0xff], [0xc3], [0xed, 0xa0, 0x80], [0xf0, 0x9f]).map((bytes) => Buffer.from(bytes)),
    fc.constantFrom(-2, -1, 0, 1, 2).map((more) => Buffer.alloc(LONGEST_LINE + more, "x")),
    fc.constantFrom(-1, 0, 1).map((more) => Buffer.from("é".repeat(LONGEST_LINE / 2 + more))),
  );

  it("counts the lines that no reader can use, wherever chunks end", () => {
    const document = fc.array(piece, { maxLength: 12 }).map((pieces) => Buffer.concat(pieces));
    const chunks = fc.array(fc.constantFrom(0, 1, 2, 3, 1000, LONGEST_LINE, LONGEST_LINE + 1), {
      maxLength: 9,
    });
    fc.assert(
      fc.property(document, chunks, (bytes, chunks) => {
        const survey = surveyed(bytes, chunks);
        expect(survey.unreadable).toBe(unreadableHere(bytes));
        expect(survey.hasQuote).toBe(bytes.includes('"'));
      }),
      { numRuns: 300 },
    );
  });

  it("counts lines of many megabytes once each", () => {
    const long = Buffer.alloc(5 * 2 ** 20, "y");
    const bytes = Buffer.concat([long, Buffer.from("\na,b\r"), long, Buffer.from("\r\nc"), long]);
    expect(surveyed(bytes, []).unreadable).toBe(3);
    expect(surveyed(bytes, new Array(20).fill(2 ** 20)).unreadable).toBe(3);
  });

  it("looks for the quote of the dialect, and says of one that is no single byte that it may be there", () => {
    expect(surveyed(Buffer.from("a,'b'\n"), [], "'").hasQuote).toBe(true);
    expect(surveyed(Buffer.from('a,"b"\n'), [], "'").hasQuote).toBe(false);
    expect(surveyed(Buffer.from('a,"b"\n'), [], "").hasQuote).toBe(false);
    expect(surveyed(Buffer.from("a,b\n"), [], "«").hasQuote).toBe(true);
  });
});
