import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson, readLedgerFile } from "winnow-release";
import { readLedgerText } from "../../packages/cli/src/ledger/ledger-text.js";
import { openLedger } from "../../packages/cli/src/ledger/open-ledger.js";
import { all } from "../../packages/release/test/ledger/laws/place.js";
import { Fuzzer } from "./fuzzer.js";

/** Releases as a program of its own might record them, with any document. */
interface Case {
  readonly dataset: string;
  readonly releases: readonly { readonly epsilon: string; readonly document: unknown }[];
}

/** Any text, of which no sign is common: surrogates, controls, separators, quotes. */
const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 6 }),
  fc.constantFrom(
    "\u2028",
    "\u2029",
    "\r",
    "\n",
    "\u0085",
    "\ud800",
    "\udc00\ud800",
    '"\\',
    "\u0000",
    "é",
    "e\u0301",
    "\ufeff",
    "__proto__",
  ),
);
const numbers = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(0, -0, 1e21, 1e-7, 5e-324, 2 ** 53, 0.1),
);
const document = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.oneof(text, numbers, fc.boolean(), fc.constant(null)),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.array(fc.tuple(text, tie("value")), { maxLength: 3 }).map((pairs) => Object.fromEntries(pairs)),
  ),
})).value;

const cases: fc.Arbitrary<Case> = fc.record({
  dataset: fc.tuple(fc.constantFrom("d", "e\u0301\u2028"), text).map((parts) => parts.join("")),
  releases: fc.array(
    fc.record({
      epsilon: fc
        .tuple(fc.integer({ min: 1, max: 10 ** 6 }), fc.integer({ min: 1, max: 10 ** 9 }))
        .map((pair) => pair.join("/")),
      document: fc.tuple(document, numbers),
    }),
    { minLength: 1, maxLength: 3 },
  ),
});

function releaseOf({ dataset, releases }: Case, i: number) {
  const { epsilon, document } = releases[i]!;
  return {
    id: `release ${i}`,
    dataset,
    time: "2026-01-02T03:04:05.678Z",
    software: { name: "fuzz", version: "0" },
    question: { unit: "one person", asked: document },
    loss: { measure: "pure", epsilon } as const,
    answer: document,
  };
}

/** Records the releases, exports them, lets `carry` take the text elsewhere, and reads it there. */
async function travel(example: Case, carry: (text: string) => string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "winnow-fuzz-"));
  try {
    const ledger = await openLedger(join(folder, "first"), { create: true });
    await ledger.setBudget(example.dataset, { measure: "pure", epsilon: "3000001" });
    const published = [];
    for (const i of example.releases.keys())
      published.push(await ledger.record(example.dataset, releaseOf(example, i)));
    const exported = await all(ledger.exported());
    const file = join(folder, "ledger.jsonl");
    writeFileSync(file, carry(exported.join("")));
    const other = await openLedger(join(folder, "second"), { create: true });
    expect(await other.takeOver(await readLedgerText(file))).toBe(example.releases.length + 1);
    expect(await readLedgerFile(carry(exported.join("")).split("\n"))).toHaveLength(
      example.releases.length + 1,
    );
    expect(await all(other.exported())).toEqual(exported);
    expect(await other.verify(published)).toMatchObject({ findings: [] });
    for (const [i, release] of published.entries()) {
      expect(await other.find(`release ${i}`)).toEqual(release);
      expect(canonicalJson(release.answer)).toBe(canonicalJson(example.releases[i]!.document));
    }
    for (const each of [ledger, other]) each.close();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

describe("a ledger", () => {
  const fuzzer = new Fuzzer("ledger", cases, 12);

  it("goes out as text and comes back entry by entry, whatever it holds", () =>
    fuzzer.holds((example) => travel(example, (text) => text)));

  it.each<[string, (text: string) => string]>([
    ["ends lines at other separators too", (text) => text.replaceAll(/[\u2028\u2029\u0085]/g, "\n")],
    ["composes letters", (text) => text.normalize("NFC")],
    ["loses its last line", (text) => `${text.trimEnd().split("\n").slice(0, -1).join("\n")}\n`],
    ["rounds numbers", (text) => text.replace(/\.\d{15,}/g, (digits) => digits.slice(0, 12))],
  ])("that %s on its way is noticed", async (_, carry) => {
    expect(await fuzzer.refutes((example) => travel(example, carry))).toBe(true);
  });

  it("has seeds that find again what they found", async () => {
    const asNode24 = (text: string) => text.replaceAll("\u2028", "\n");
    expect(await fuzzer.seedRefutes((example) => travel(example, asNode24))).toBe(true);
  });
});
