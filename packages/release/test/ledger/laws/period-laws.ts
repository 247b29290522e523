/**
 * What every ledger promises about a horizon of periods: the most expensive periods count, as many as the promise says, and nothing that
 * would break it is recorded.
 * @module
 */
import { describe, expect, it } from "vitest";
import type { AccountPromise } from "winnow-release";
import { all, exampleRelease, type MakePlace, openedLedger, refusal } from "./place.js";

const WEEKS = { period: "week", first: "2026-01-05", horizon: 8 } as const;
const PERSON: AccountPromise = { unit: "person", ...WEEKS, maxPeriodsPerUser: 3 };
const PERIOD: AccountPromise = { unit: "person-period", ...WEEKS };
const [KEY, OTHER_KEY] = ["0123456789abcdef0123456789abcdef", "f".repeat(32)];
const four = { measure: "pure", epsilon: "4" } as const;

/** A release about the n-th week of 2026, from 2 on. */
function weekly(id: string, week: number, epsilon: string, promise: AccountPromise, key = KEY) {
  const name = `2026-W${String(week).padStart(2, "0")}`;
  const period = { name, promise, ...(promise.maxPeriodsPerUser !== undefined && { key }) };
  const release = exampleRelease(id, { loss: { measure: "pure", epsilon } });
  return { ...release, question: { k: 3, neighbours: "add-remove", period } };
}

export function periodLaws(title: string, makePlace: MakePlace): void {
  describe(`${title}: periods`, () => {
    it("counts the three most expensive weeks, and adds up what one week costs", async () => {
      const ledger = await openedLedger(await makePlace());
      await ledger.setBudget("visits", four, { promise: PERSON });
      for (const [week, epsilon] of [
        [2, "1"],
        [3, "1"],
        [4, "1"],
        [5, "1"],
        [6, "1/2"],
      ] as const)
        await ledger.record("visits", weekly(`w${week}`, week, epsilon, PERSON));
      expect(await spent(ledger)).toBe("3");
      await ledger.record("visits", weekly("again", 2, "1", PERSON)); // 2 + 1 + 1
      expect(await spent(ledger)).toBe("4");
      await expect(ledger.record("visits", weekly("more", 3, "1/100", PERSON))).rejects.toEqual(
        refusal("over-budget"),
      );
      await ledger.record("visits", weekly("free", 7, "1", PERSON)); // the rest of the horizon is free
      expect(await spent(ledger)).toBe("4");
      expect((await ledger.verify()).findings).toEqual([]);
    });

    it("has one budget for each week, where one week of a person is protected", async () => {
      const ledger = await openedLedger(await makePlace());
      await ledger.setBudget("visits", four, { promise: PERIOD });
      for (const week of [2, 3, 4, 5, 6, 7])
        await ledger.record("visits", weekly(`w${week}`, week, "3", PERIOD));
      expect(await spent(ledger)).toBe("3");
      await ledger.record("visits", weekly("again", 2, "1", PERIOD));
      await expect(ledger.record("visits", weekly("more", 2, "1/9", PERIOD))).rejects.toEqual(
        refusal("over-budget"),
      );
      expect((await ledger.verify()).findings).toEqual([]);
    });

    it("adds up what several keys cost: after a lost one, people may be counted anew", async () => {
      const ledger = await openedLedger(await makePlace());
      await ledger.setBudget("visits", four, { promise: PERSON });
      for (const week of [2, 3, 4, 5]) await ledger.record("visits", weekly(`w${week}`, week, "1", PERSON));
      await ledger.record("visits", weekly("w6", 6, "1", PERSON, OTHER_KEY));
      expect(await spent(ledger)).toBe("4");
      await expect(ledger.record("visits", weekly("w7", 7, "1", PERSON, OTHER_KEY))).rejects.toEqual(
        refusal("over-budget"),
      );
    });

    it("refuses what is about no period, another promise, or a week outside the horizon", async () => {
      const ledger = await openedLedger(await makePlace());
      await ledger.setBudget("visits", four, { promise: PERSON });
      await expect(ledger.record("visits", exampleRelease("all"))).rejects.toEqual(refusal("over-budget"));
      await expect(ledger.record("visits", weekly("w2", 2, "1", PERIOD))).rejects.toEqual(
        refusal("over-budget"),
      );
      for (const outside of [weekly("w1", 1, "1", PERSON), weekly("w10", 10, "1", PERSON)])
        await expect(ledger.record("visits", outside)).rejects.toMatchObject({ field: "period" });
      await ledger.setBudget("sales", four);
      const sales = { ...weekly("s2", 2, "1", PERSON), dataset: "sales" };
      await expect(ledger.record("sales", sales)).rejects.toEqual(refusal("over-budget"));
      expect((await ledger.account("visits")).releases).toBe(0);
    });

    it("never changes a promise, nor makes one after a charge", async () => {
      const ledger = await openedLedger(await makePlace());
      await ledger.setBudget("visits", four, { promise: PERSON });
      expect(await ledger.setBudget("visits", four, { promise: PERSON })).toBe(false);
      for (const promise of [PERIOD, { ...PERSON, maxPeriodsPerUser: 4 }, undefined])
        await expect(
          ledger.setBudget("visits", four, { replace: true, ...(promise && { promise }) }),
        ).rejects.toEqual(refusal("budget-exists"));
      const five = { measure: "pure", epsilon: "5" } as const;
      expect(await ledger.setBudget("visits", five, { replace: true, promise: PERSON })).toBe(true);
      await ledger.setBudget("sales", four);
      await ledger.record("sales", { ...exampleRelease("a"), dataset: "sales" });
      await expect(ledger.setBudget("sales", four, { promise: PERSON })).rejects.toEqual(
        refusal("budget-exists"),
      );
      const renyi = { measure: "renyi", order: "2", epsilon: "1" } as const;
      await expect(ledger.setBudget("new", renyi, { promise: PERSON })).rejects.toEqual(refusal("usage"));
    });

    it("has one key for a horizon, also for the next run, and another for another data set", async () => {
      const place = await makePlace();
      const [one, other] = [await openedLedger(place), await openedLedger(place)];
      await one.setBudget("visits", four, { promise: PERSON });
      const key = await one.periodKey("visits", PERSON);
      expect(key).toMatch(/^[0-9a-f]{64}$/);
      expect(await other.periodKey("visits", PERSON)).toBe(key);
      expect(await other.periodKey("sales", PERSON)).not.toBe(key);
      expect(await other.periodKey("visits", { ...PERSON, horizon: 9 })).not.toBe(key);
      for await (const line of one.exported()) expect(line).not.toContain(key);
    });

    it("reserves for a period, and an exported ledger counts the same", async () => {
      const ledger = await openedLedger(await makePlace());
      await ledger.setBudget("visits", four, { promise: PERSON });
      for (const week of [2, 3, 4]) await ledger.record("visits", weekly(`w${week}`, week, "4/3", PERSON));
      await expect(ledger.record("visits", weekly("again", 4, "1/9", PERSON))).rejects.toEqual(
        refusal("over-budget"),
      );
      expect((await all(ledger.exported())).length).toBe(5);
      const { periods } = await ledger.account("visits");
      expect([...periods.keys()]).toEqual(["2026-W02", "2026-W03", "2026-W04"]);
    });
  });

  async function spent(ledger: Awaited<ReturnType<typeof openedLedger>>): Promise<string> {
    const loss = (await ledger.account("visits")).spent;
    return loss.measure === "pure" ? String(loss.epsilon) : loss.measure;
  }
}
