import fc from "fast-check";
import { parquetWriteBuffer } from "hyparquet-writer";
import { describe, expect, it } from "vitest";
import { useEngine } from "../../packages/cli/test/sources/files/engine-folder.js";
import { histogramOf, useFolder } from "../../packages/cli/test/sources/source-folder.js";
import { readAll } from "../../packages/studio/test/support/read-all.js";
import { Fuzzer } from "./fuzzer.js";
import { countRows, type Read, simplyRead } from "./simple-reader.js";

/** A file as a list of its bytes. */
interface Document {
  readonly format: "csv" | "tsv" | "ndjson";
  readonly bytes: readonly number[];
}

const utf8 = (text: string) => [...new TextEncoder().encode(text)];
const texts = (...list: readonly string[]) => fc.constantFrom(...list);

const fieldTexts = texts(
  ...[
    "a",
    "b",
    "17",
    "17.0",
    " ",
    "",
    "é",
    "e\u0301",
    "\ufeff",
    "\\",
    "#",
    "\u0000",
    "'",
    "😀",
    "NULL",
    "null",
  ],
  ...["a\u2028b", "\u0085", "x".repeat(300), "\u001a", "-", "1e5", "true"],
);
/** Bytes that aren't UTF-8: alone, cut off, a surrogate, beyond Unicode, too long a form. */
const noText = fc.constantFrom<readonly number[]>(
  [0xff],
  [0xc3],
  [0xed, 0xa0, 0x80],
  [0xf4, 0x90, 0x80, 0x80],
  [0xc0, 0xaf],
);
const ends = texts("\n", "\n", "\n", "\r\n", "\r", "\n\n", "\r\r\n");
const long = fc.constantFrom(65_400, 65_600).map((length) => "y".repeat(length));

function field(delimiter: string): fc.Arbitrary<string> {
  const quoted = fc
    .array(fc.oneof(fieldTexts, texts('""', delimiter, ";", "\t", ",")), { maxLength: 3 })
    .map((parts) => `"${parts.join("")}"`);
  const wild = fc
    .array(fc.oneof(fieldTexts, texts('"', '""', delimiter)), { maxLength: 3 })
    .map((parts) => parts.join(""));
  return fc.oneof(
    { weight: 6, arbitrary: fieldTexts },
    { weight: 3, arbitrary: quoted },
    { weight: 2, arbitrary: wild },
  );
}

const members = fc.array(
  fc.tuple(
    texts('"item"', '"user"', '"item"', '"user"', '"x"', '"it\\u0065m"', '"__proto__"', '""'),
    texts(
      ...[
        '"a"',
        '"b"',
        '"\\u0061"',
        '"\\ud83d\\ude00"',
        '"\\ud800"',
        '"\\n"',
        '"é"',
        '"a\u2028b"',
        '"\\/"',
        '""',
      ],
      ...[
        "17",
        "17.0",
        "1.7e1",
        "-0",
        "9007199254740993",
        "1e400",
        "true",
        "null",
        "[1,2]",
        '{"item":3}',
        "[]",
      ],
      ...["01", ".5", "NaN", "'a'", '"\t"', "tru", "+1", "1.", '"\\x"'],
    ),
  ),
  { maxLength: 4 },
);
const space = texts("", "", " ", "\t");
const anyObject = fc
  .tuple(members, space, texts(",", ",", ",", ",,", ""), texts("}", "}", "}", "}", "", "}}", "} x"))
  .map(
    ([list, gap, comma, end]) =>
      `{${list.map(([name, value]) => `${name}${gap}:${value}`).join(comma + gap)}${end}`,
  );
const jsonLine = fc.oneof(
  { weight: 2, arbitrary: anyObject },
  texts('{"item":"a","user":"u"}', '{"item":"b","user":"u"}'),
);

/** Rows with what separates them; now and then bytes that aren't text. */
function rows(line: fc.Arbitrary<string>): fc.Arbitrary<number[]> {
  const row = fc.oneof(
    { weight: 9, arbitrary: line.map(utf8) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(line.map(utf8), noText, fc.constantFrom(1, 9, 9, 20))
        .map(([text, bad, at]) => text.toSpliced(at, 0, ...bad)),
    },
  );
  return fc
    .array(fc.tuple(row, ends), { minLength: 1, maxLength: 14 })
    .chain((list) =>
      fc
        .boolean()
        .map((isEnded) =>
          list.flatMap(([bytes, end], i) => [...bytes, ...(isEnded || i < list.length - 1 ? utf8(end) : [])]),
        ),
    );
}

const headers = (delimiter: string) =>
  texts("user,item", "item,user", 'x,"item",user', "\ufeffuser,item").map((header) =>
    header.replaceAll(",", delimiter),
  );

const delimited = fc
  .constantFrom(["csv", ","] as const, ["tsv", "\t"] as const)
  .chain(([format, delimiter]) => {
    const line = fc
      .array(field(delimiter), { minLength: 2, maxLength: 3 })
      .map((fields) => fields.join(delimiter));
    const longLine = long.map((text) => `${text}${delimiter}u`);
    return fc
      .tuple(
        headers(delimiter),
        texts("\n", "\r\n"),
        rows(fc.oneof({ weight: 30, arbitrary: line }, { weight: 1, arbitrary: longLine })),
      )
      .map(([header, end, rest]): Document => ({ format, bytes: [...utf8(header + end), ...rest] }));
  });
const json = rows(jsonLine).map(
  (bytes): Document => ({ format: "ndjson", bytes: [...utf8('{"item":"a","user":"u"}\n'), ...bytes] }),
);

type Reader = (format: Document["format"], bytes: Uint8Array) => Promise<Read> | Read;

describe("a hostile file of text", () => {
  const engine = useEngine();
  const commandLine: Reader = async (format, bytes) => {
    const { counts, unread = -1 } = await engine(format, bytes);
    return { counts, unread };
  };
  const page: Reader = async (format, bytes) => {
    const { counts, totals } = await readAll(new File([new Uint8Array(bytes)], `rows.${format}`));
    return { counts, unread: totals.skipped };
  };

  const expectSame =
    (reader: Reader) =>
    async ({ format, bytes }: Document) => {
      const file = Uint8Array.from(bytes);
      expect(await reader(format, file)).toEqual(simplyRead(format, file));
    };

  describe.each([
    ["CSV and TSV", new Fuzzer("delimited files", delimited, 40)],
    ["JSON Lines", new Fuzzer("json files", json, 40)],
  ] as const)("%s", (_, fuzzer) => {
    it("is read by the command line as by a simple reader", () => fuzzer.holds(expectSame(commandLine)));

    it("is read by the page as by a simple reader", () => fuzzer.holds(expectSame(page)));

    it.each<[string, (bytes: Uint8Array) => Uint8Array]>([
      ["drops a line that nothing ends", (bytes) => bytes.subarray(0, bytes.lastIndexOf(10) + 1)],
      ["ends lines at LF alone", (bytes) => Uint8Array.from(bytes, (byte) => (byte === 13 ? 32 : byte))],
      ["repairs what isn't UTF-8", (bytes) => new TextEncoder().encode(new TextDecoder().decode(bytes))],
    ])("a reader that %s is noticed", async (_, change) => {
      const broken: Reader = (format, bytes) => page(format, change(bytes));
      expect(await fuzzer.refutes(expectSame(broken))).toBe(true);
    });
  });
});

/** Rows of a Parquet file, which has absent values of its own. */
const table = fc.array(fc.tuple(fc.option(fieldTexts), fc.option(fieldTexts)), {
  minLength: 1,
  maxLength: 12,
});

describe("a Parquet file", () => {
  const { write } = useFolder();
  const fuzzer = new Fuzzer("parquet files", table, 3);
  let files = 0;

  const written = (list: readonly (readonly [string | null, string | null])[]) => {
    const column = (name: string, i: 0 | 1) => ({
      name,
      data: list.map((row) => row[i]),
      type: "STRING" as const,
    });
    return new Uint8Array(
      parquetWriteBuffer({ columnData: [column("item", 0), column("user", 1)], rowGroupSize: 5 }),
    );
  };
  const expected = (list: readonly (readonly [string | null, string | null])[]) =>
    countRows(list.map(([item, user]) => [item ?? "", user ?? ""])).counts;

  it("is read by the command line and by the page as it was written", () =>
    fuzzer.holds(async (list) => {
      const bytes = written(list);
      const { histogram } = await histogramOf(write(`${files++}.parquet`, bytes));
      expect(histogram).toEqual(expected(list));
      expect((await readAll(new File([bytes], "rows.parquet"))).counts).toEqual(expected(list));
    }));

  it("a reader that loses the last row is noticed", async () => {
    const lossy = async (list: readonly (readonly [string | null, string | null])[]) =>
      expect(
        (await readAll(new File([written([...list.slice(0, -1), ["", ""]])], "rows.parquet"))).counts,
      ).toEqual(expected(list));
    expect(await fuzzer.refutes(lossy)).toBe(true);
  });
});
