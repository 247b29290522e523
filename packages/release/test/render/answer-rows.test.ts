import { describe, expect, it } from "vitest";
import { rational } from "winnow-dp";
import { answerRows, gapUncertainty } from "../../src/index.js";
import { gapInterval } from "../../src/render/answer-rows.js";
import { release } from "../support/releases.js";

describe("the rows of a release", () => {
  it.each(["gaps", "fine gaps, people replaced", "gaps of whole numbers"])(
    "%s: intervals are rounded outward to the resolution",
    (name) => {
      const document = release(name);
      const { resolution = "1" } = document.question;
      const uncertainty = gapUncertainty(document);
      if (uncertainty === undefined) throw new Error("gaps were expected");
      for (const { gap } of answerRows(document)) {
        if (gap === undefined) throw new Error("a gap was expected");
        const { low, high } = gapInterval(gap.value, uncertainty);
        for (const end of [gap.low, gap.high])
          expect(rational(end).dividedBy(resolution).isInteger()).toBe(true);
        expect([rational(gap.low).compare(low), rational(gap.high).compare(high)]).toEqual([
          low.dividedBy(resolution).isInteger() ? 0 : -1,
          high.dividedBy(resolution).isInteger() ? 0 : 1,
        ]);
        expect(low.minus(gap.low).compare(resolution)).toBe(-1);
        expect(rational(gap.high).minus(high).compare(resolution)).toBe(-1);
        expect(rational(gap.low).numerator >= 0n).toBe(true);
      }
    },
  );

  it("have ranks from 1, and no gap where none is released", () => {
    expect(answerRows(release("concentrated"))).toEqual([
      { rank: 1, item: "search" },
      { rank: 2, item: "news" },
      { rank: 3, item: "maps" },
    ]);
    expect(answerRows(release("nothing"))).toEqual([]);
  });
});
