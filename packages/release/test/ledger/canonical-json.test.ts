import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { rational } from "winnow-dp";
import { canonicalJson } from "../../src/index.js";

describe("canonicalJson", () => {
  it("sorts keys at every depth and leaves out what is undefined", () => {
    expect(canonicalJson({ b: [{ d: 1, c: null }], a: "é\n", x: undefined })).toBe(
      '{"a":"é\\n","b":[{"c":null,"d":1}]}',
    );
  });

  it("is JSON of an equal value, the same however the keys were put in", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonicalJson(value);
        const read: unknown = JSON.parse(text);
        expect(read).toEqual(JSON.parse(JSON.stringify(value)));
        expect(canonicalJson(reversed(read))).toBe(text);
      }),
    );
  });

  it("gives different values different texts", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
        const same =
          JSON.stringify(JSON.parse(canonicalJson(a))) === JSON.stringify(JSON.parse(canonicalJson(b)));
        expect(canonicalJson(a) === canonicalJson(b)).toBe(same);
      }),
    );
  });

  it("has a UTF-8 form even for halves of surrogate pairs", () => {
    const text = canonicalJson("\ud800 and \u0000");
    expect(new TextDecoder().decode(new TextEncoder().encode(text))).toBe(text);
    expect(JSON.parse(text)).toBe("\ud800 and \u0000");
  });

  it.each([[Number.NaN], [Infinity], [1n], [undefined], [[undefined]], [rational("1/2")], [new Date(0)]])(
    "refuses %s, which is no plain JSON value",
    (value) => expect(() => canonicalJson(value)).toThrow(/value must be plain JSON values|BigInt/),
  );
});

/** The same value with all keys in the opposite order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== "object" || value === null) return value;
  const pairs = Object.entries(value).reverse();
  const copy: Record<string, unknown> = Object.create(null);
  for (const [key, part] of pairs) copy[key] = reversed(part);
  return copy;
}
