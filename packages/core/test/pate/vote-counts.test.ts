import { describe, expect, it } from "vitest";
import { countClasses, countLabels } from "../../src/pate/votes.js";

describe("countLabels", () => {
  it("adds up the votes for each label, teacher by teacher", () => {
    const votes = [1, 0, 1, /* next */ 1, 0, 0, /* next */ 0, 0, 1, /* next */ 1, 0, 1];
    expect([...countLabels(votes, 4, 3)]).toEqual([3, 0, 3]);
    expect([...countLabels(Uint8Array.from(votes), 4, 3)]).toEqual([3, 0, 3]);
  });

  it.each([2, -1, 0.5, Number.NaN, Infinity, undefined as unknown as number])(
    "refuses a vote of %s, which would let one teacher count for more, and does not repeat it",
    (bad) => {
      expect(() => countLabels([1, 0, bad, 1], 2, 2)).toThrow(
        expect.objectContaining({
          code: "invalid-score",
          field: "votes",
          message: "votes must be 0 or 1 for each teacher and label",
        }),
      );
    },
  );

  it("refuses votes that do not fit the number of teachers", () => {
    expect(() => countLabels([1, 0, 1], 2, 2)).toThrow("votes must be a list of 4 votes for each query");
  });
});

describe("countClasses", () => {
  it("counts how many teachers say each class", () => {
    expect([...countClasses([2, 0, 2, 3], 4, 4)]).toEqual([1, 0, 2, 1]);
    expect([...countClasses(Uint16Array.of(2, 0, 2, 3), 4, 4)]).toEqual([1, 0, 2, 1]);
  });

  it.each([4, -1, 0.5, Number.NaN, "1" as unknown as number])(
    "refuses a vote of %s, and does not repeat it",
    (bad) => {
      expect(() => countClasses([1, bad, 2], 3, 4)).toThrow(
        "votes must be a class from 0 to 3 for each teacher",
      );
    },
  );

  it("refuses votes that do not fit the number of teachers", () => {
    expect(() => countClasses([1, 1], 3, 4)).toThrow("votes must be a list of 3 votes for each query");
  });
});
