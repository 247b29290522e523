/**
 * A ledger that goes back in time, or disappears, while a run has it open: the same tests for a file and for a server.
 * @module
 */
import { describe, expect, it } from "vitest";
import { exampleRelease } from "../../../../release/test/ledger/laws/place.js";
import { openedLedger } from "./sql-laws.js";

/** How a ledger is lost under a run that uses it. */
export interface Losing {
  fresh(): Promise<string>;
  /** Takes a copy now; each way that it returns puts something else in the ledger's place later. */
  copy(location: string): Promise<Readonly<Record<string, () => Promise<unknown>>>>;
}

/** A server without the database refuses the connection. */
const REPLACED = expect.objectContaining({
  name: "Refusal",
  code: expect.stringMatching(/^(ledger-replaced|ledger-broken|server-refused)$/),
});

export function describeGoingBack(title: string, ways: readonly string[], losing: Losing): void {
  describe(`${title}: going back in time under a run`, () => {
    it.each(ways)("is refused, and nothing more is charged: %s", async (way) => {
      const location = await losing.fresh();
      const ledger = await openedLedger(location);
      await ledger.setBudget("visits", { measure: "pure", epsilon: "4" });
      for (const id of ["a", "b"]) await ledger.record("visits", exampleRelease(id));
      const lose = (await losing.copy(location))[way]!;
      for (const id of ["c", "d"]) await ledger.record("visits", exampleRelease(id));
      await lose();
      for (const id of ["e", "f"]) {
        await expect(ledger.record("visits", exampleRelease(id))).rejects.toThrow(REPLACED);
        await expect(ledger.account("visits")).rejects.toThrow(REPLACED);
        await expect(ledger.head()).rejects.toThrow(REPLACED);
      }
    });

    it("is refused too if another run has charged the older copy since, beyond what this one has seen", async () => {
      const location = await losing.fresh();
      const ledger = await openedLedger(location);
      await ledger.setBudget("visits", { measure: "pure", epsilon: "4" });
      const lose = (await losing.copy(location))[ways[0]!]!;
      await ledger.record("visits", exampleRelease("a"));
      await lose();
      const other = await openedLedger(location);
      for (const id of ["b", "c"]) await other.record("visits", exampleRelease(id));
      await expect(ledger.record("visits", exampleRelease("d"))).rejects.toThrow(REPLACED);
      expect((await other.account("visits")).releases).toBe(2);
    });

    it("goes on after a charge that wasn't committed", async () => {
      const ledger = await openedLedger(await losing.fresh());
      await ledger.setBudget("visits", { measure: "pure", epsilon: "2" });
      await ledger.record("visits", exampleRelease("a"));
      await expect(ledger.record("visits", exampleRelease("a", { k: 9 }))).rejects.toThrow();
      await expect(
        ledger.record("visits", exampleRelease("b", { loss: { measure: "pure", epsilon: "2" } })),
      ).rejects.toThrow();
      expect((await ledger.record("visits", exampleRelease("c"))).ledger.sequence).toBe(3);
    });
  });
}
