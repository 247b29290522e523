import { describe, expect, it } from "vitest";
import { contender, run } from "../src/race.js";

const PACE = { rounds: 3, milliseconds: 1 };

function counting(name: string, isRight: () => boolean, goal?: number) {
  return contender(name, () => Array.from({ length: 1000 }, (_, i) => i).length, isRight, goal);
}

describe("a race", () => {
  it("reports every rival with its ratio, its goal and its time for one operation", async () => {
    const outcome = await run(
      {
        unit: "item",
        operations: 1000,
        subject: counting("ours", () => true),
        rivals: [counting("theirs", () => true, 0.5), counting("others", () => true)],
      },
      PACE,
    );
    expect(outcome.subject.name).toBe("ours");
    expect(outcome.rivals.map(({ name, goal }) => [name, goal])).toEqual([
      ["theirs", 0.5],
      ["others", undefined],
    ]);
    for (const { ratio, nanoseconds } of outcome.rivals) {
      expect(ratio.lower).toBeLessThanOrEqual(ratio.median);
      expect(ratio.median).toBeLessThanOrEqual(ratio.upper);
      expect(nanoseconds).toBeGreaterThan(0);
    }
  });

  it("is stopped by a wrong answer", async () => {
    const subject = counting("ours", () => true);
    const cheat = counting("cheat", () => false);
    await expect(run({ unit: "item", operations: 1000, subject, rivals: [cheat] }, PACE)).rejects.toThrow(
      "cheat: the answer is wrong",
    );
  });
});
