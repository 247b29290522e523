import { describe, expect, it } from "vitest";
import { isReleaseId, replay } from "../../src/index.js";
import { Refusal } from "../../src/refusal/refusal.js";
import { exampleRelease } from "./examples.js";

const STORED = { ...exampleRelease("r1"), source: { item: "page", user: "visitor" } };

describe("a release id", () => {
  it("gives the stored release to whoever asks the same again, whatever the order of the keys", () => {
    expect(replay(STORED, { dataset: "visits", question: { k: 3 } })).toBe(STORED);
    const source = { user: "visitor", item: "page" };
    expect(replay(STORED, { dataset: "visits", question: { k: 3 }, source })).toBe(STORED);
  });

  it.each([
    [{ dataset: "visitors", question: { k: 3 } }],
    [{ dataset: "visits", question: { k: 4 } }],
    [{ dataset: "visits", question: { k: 3, delta: "1" } }],
    [{ dataset: "visits", question: { k: 3 }, source: { item: "area", user: "visitor" } }],
  ])("is taken for whoever asks otherwise: %j", (asked) => {
    expect(() => replay(STORED, asked)).toThrow(Refusal);
    expect(() => replay(STORED, asked)).toThrow(
      'The release id "r1" belongs to a release with other parameters.',
    );
  });

  it.each(["r", "top ten, May", "é-1", "not assigned yet: \u0378", "x".repeat(200)])("may be %s", (id) =>
    expect(isReleaseId(id)).toBe(true),
  );
  it.each(["", " r", "r\n", "a\u0000b", "a\u202eb", "\ud800", "x".repeat(201)])("may not be %j", (id) =>
    expect(isReleaseId(id)).toBe(false),
  );
});
