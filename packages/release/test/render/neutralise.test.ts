import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  forCsvField,
  forJson,
  forTerminal,
  forXml,
  kindAndPlace,
  shortened,
  visible,
} from "../../src/index.js";
import { PAYLOADS } from "./payloads.js";

/** Control characters (C0, DEL, C1); bidirectional controls; zero width; separators; surrogate halves; what XML forbids. */
const HARMFUL =
  /[\p{Cc}\u00ad\u061c\u180e\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ufffe\uffff]|\p{Cs}|[\u{e0000}-\u{e007f}]|(?<!\p{ExtPict}\ufe0f?\p{EMod}?)\u200d|\u200d(?!\p{ExtPict})/u;
const LIVE_FORMULA = /^[\s\u200b]*[=+\-@＝＋－＠]/u;
const PLAIN_NUMBER = /^-?\d+(\.\d+)?$/;

const names = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({ unit: "grapheme" }),
  fc.constantFrom(...PAYLOADS),
);

/** RFC 4180: the value of one field. */
function csvValue(field: string): string {
  return /^".*"$/s.test(field) ? field.slice(1, -1).replaceAll('""', '"') : field;
}

describe("there are enough hostile names", () => {
  it("more than two hundred, all different", () => expect(PAYLOADS.length).toBeGreaterThan(200));
});

describe.each(PAYLOADS.map((payload) => [JSON.stringify(payload).slice(0, 60), payload]))(
  "%s",
  (_, payload) => {
    it("acts nowhere", () => {
      for (const shown of [forTerminal(payload), forCsvField(payload), forXml(payload), visible(payload)])
        expect(shown).not.toMatch(HARMFUL);
      expect(forXml(payload)).not.toMatch(/[<>"']|&(?!(?:amp|lt|gt|quot|#39);)/);
      expect(Array.from(forTerminal(payload)).length).toBeLessThanOrEqual(60);
      const value = csvValue(forCsvField(payload));
      expect(PLAIN_NUMBER.test(value) || !LIVE_FORMULA.test(value)).toBe(true);
      expect(forJson(payload).slice(1, -1)).not.toMatch(HARMFUL);
      expect(JSON.parse(forJson(payload))).toBe(payload);
    });
  },
);

describe("whatever a name is,", () => {
  it("nothing harmful is left, and doing it twice changes nothing", () => {
    fc.assert(
      fc.property(names, (name) => {
        for (const shown of [visible(name), forTerminal(name), forCsvField(name), forXml(name)])
          expect(shown).not.toMatch(HARMFUL);
        expect(visible(visible(name))).toBe(visible(name));
      }),
      { numRuns: 2_000 },
    );
  });

  it("no spreadsheet finds a formula in its row, wherever it splits the line", () => {
    fc.assert(
      fc.property(names, (name) => {
        for (const row of [["1", name, "5"], ["1", name], [name]])
          for (const separator of [",", ";", "|", "\t"])
            for (const cell of cellsOf(row.map(forCsvField).join(","), separator))
              expect(PLAIN_NUMBER.test(cell) || !LIVE_FORMULA.test(cell)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  it("JSON reads back as the same value", () => {
    fc.assert(
      fc.property(names, fc.jsonValue(), (name, value) => {
        const read = JSON.parse(forJson({ [name]: [name, value] }));
        expect(read).toEqual(JSON.parse(JSON.stringify({ [name]: [name, value] })));
      }),
    );
  });

  it("a CSV field ends where it should", () => {
    fc.assert(
      fc.property(fc.array(names, { minLength: 1, maxLength: 4 }), (fields) => {
        const shown = fields.map((name) => csvValue(forCsvField(name)));
        expect(cellsOf(fields.map(forCsvField).join(","), ",")).toEqual(shown);
      }),
    );
  });
});

/** A line as a spreadsheet with this separator reads it: a quote counts at the start of a cell only. */
function cellsOf(line: string, separator: string): string[] {
  const cells: string[] = [];
  for (let rest = line; ; ) {
    const quoted = /^"((?:[^"]|"")*)"/.exec(rest);
    const plainEnd = rest.indexOf(separator);
    const end = quoted ? quoted[0].length : plainEnd < 0 ? rest.length : plainEnd;
    cells.push(quoted ? quoted[1].replaceAll('""', '"') : rest.slice(0, end));
    if (end >= rest.length) return cells;
    if (quoted && rest[end] !== separator) cells[cells.length - 1] += rest.slice(end).split(separator, 1)[0];
    const next = rest.indexOf(separator, end);
    if (next < 0) return cells;
    rest = rest.slice(next + 1);
  }
}

describe("ordinary names", () => {
  it.each(["search", "Ünïcödé", "日本語", "हिन्दी", "a b", "100 %", "O'Reilly", "R&D"])(
    "%s stay as they are on a terminal",
    (name) => {
      expect(forTerminal(name)).toBe(name);
    },
  );

  it("are quoted in CSV where RFC 4180 asks for it, and numbers stay numbers", () => {
    expect(["plain", "a,b", 'say "hi"', "two words", "-12.5", "17"].map(forCsvField)).toEqual([
      "plain",
      '"a,b"',
      '"say ""hi"""',
      '"two words"',
      "-12.5",
      "17",
    ]);
  });

  it("are escaped in XML once", () =>
    expect(forXml("R&D <b> \"q\" 'a'")).toBe("R&amp;D &lt;b&gt; &quot;q&quot; &#39;a&#39;"));
});

describe("what acts is shown", () => {
  it("as an escape that names the character", () => {
    expect(visible("a\u001b[31m\u202eb\ud800")).toBe("a\\u{1b}[31m\\u{202e}b\\u{d800}");
  });

  it("behind an apostrophe if it is a formula", () => {
    expect(forCsvField("=1+1")).toBe("'=1+1");
    expect(forCsvField("x;=1")).toBe('"x;\'=1"');
    expect(forCsvField("＝1")).toBe("'＝1");
  });
});

describe("a long name", () => {
  it("ends visibly, and never in half a character", () => {
    expect(shortened("abcdef", 6)).toBe("abcdef");
    expect(shortened("abcdefg", 6)).toBe("abcde…");
    expect(shortened("🙂🙂🙂🙂", 3)).toBe("🙂🙂…");
    expect(forTerminal("x".repeat(100))).toHaveLength(60);
  });
});

describe("an unforeseen error", () => {
  it("is its class and its place in the code", () => {
    const error = new RangeError("x");
    error.stack = "RangeError: x\n    at run (file:///usr/lib/winnow/packages/cli/dist/main.js:12:5)";
    expect(kindAndPlace(error)).toBe("RangeError at dist/main.js:12");
    error.stack = "RangeError: x\n    at <anonymous>";
    expect(kindAndPlace(error)).toBe("RangeError");
  });

  it("shows none of its text, which may be a row, even one that looks like a place", () => {
    for (const text of ["canary", "/src/canary:1", "a\n    at /src/canary:1", ""]) {
      const error = new TypeError(text);
      expect(kindAndPlace(error)).toMatch(/^TypeError/);
      expect(kindAndPlace(error)).not.toContain("canary");
      expect(kindAndPlace(text)).toBe("string");
    }
    const renamed = new Error("/src/canary:1");
    renamed.message = "another text than the stack has";
    expect(kindAndPlace(renamed)).not.toContain("canary");
    expect(kindAndPlace(undefined)).toBe("undefined");
  });
});
