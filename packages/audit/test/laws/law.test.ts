import { describe, expect, it } from "vitest";
import { Interval } from "../../../core/src/exact/interval.js";
import { Rational, rational } from "../../../core/src/exact/rational.js";
import { lawOf } from "../../src/laws/law.js";

describe("lawOf", () => {
  it("gives the undecided mass of a bit tree to every outcome", () => {
    const mass = new Map([["a", Rational.of(1n, 4n)]]);
    const enclosure = lawOf({ mass, undecided: Rational.of(1n, 8n) }).get("a")!;
    expect([enclosure.lower(), enclosure.upper()]).toEqual([rational("1/4"), rational("3/8")]);
  });

  it("and that of a tree of choices", () => {
    const mass = new Map([["a", Interval.hull("1/4", "1/2", 8)]]);
    const enclosure = lawOf({ mass, undecided: Interval.hull(0, "1/8", 8) }).get("a")!;
    expect([enclosure.lower(), enclosure.upper()]).toEqual([rational("1/4"), rational("5/8")]);
  });
});
