/**
 * What every ledger promises about operations that come at the same time and share a transaction: the same as one after the other.
 * @module
 */
import { describe, expect, it } from "vitest";
import { exampleRelease, type MakePlace, openedLedger, refusal } from "./place.js";

const LIMIT = { measure: "pure", epsilon: "20" } as const;

/** What became of each: a value, or the code of a refusal. */
async function outcomes<T>(work: readonly Promise<T>[]): Promise<(T | string)[]> {
  const settled = await Promise.allSettled(work);
  return settled.map((one) => (one.status === "fulfilled" ? one.value : String(one.reason.code)));
}

export function groupLaws(title: string, makePlace: MakePlace): void {
  describe(`${title}: many at once`, () => {
    it("never overspends the budget or a cap, and each charge has an entry of its own", async () => {
      const ledger = await openedLedger(await makePlace());
      await ledger.setBudget("visits", LIMIT);
      const alice = { analyst: "alice", cap: { measure: "pure", epsilon: "5" } } as const;
      const charged = await outcomes([
        ...Array.from({ length: 8 }, (_, at) =>
          ledger.record("visits", exampleRelease(`a${at}`), { spender: alice }),
        ),
        ...Array.from({ length: 20 }, (_, at) => ledger.record("visits", exampleRelease(`b${at}`))),
      ]);
      const releases = charged.flatMap((one) => (typeof one === "string" ? [] : [one]));
      expect(charged.filter((one) => typeof one === "string")).toEqual(Array(8).fill("over-budget"));
      expect(releases.map(({ ledger }) => ledger.sequence)).toEqual(
        Array.from({ length: 20 }, (_, at) => at + 2),
      );
      expect((await ledger.verify(releases)).findings).toEqual([]);
      expect((await ledger.account("visits")).releases).toBe(20);
      expect((await ledger.account("visits", alice)).releases).toBe(5);
      for (const release of releases) expect(await ledger.find(release.id)).toEqual(release);
    });

    it("has the late releases of a data set, oldest first", async () => {
      const ledger = await openedLedger(await makePlace());
      const ids = Array.from({ length: 45 }, (_, at) => `late ${at}`);
      await Promise.all(ids.map((id) => ledger.record("visits", exampleRelease(id))));
      await ledger.record("others", exampleRelease("another", { dataset: "others" }));
      const late = (await ledger.lately("visits")).map(({ id }) => id);
      expect(late.toSorted()).toEqual(ids.toSorted());
      const places = await Promise.all(late.map(async (id) => (await ledger.find(id))!.ledger.sequence));
      expect(places).toEqual(places.toSorted((a, b) => a - b));
      expect((await ledger.lately("others")).map(({ id }) => id)).toEqual(["another"]);
    });

    it("charges an id once, and refuses another question with it", async () => {
      const ledger = await openedLedger(await makePlace());
      await ledger.setBudget("visits", LIMIT);
      const [first, again, other, last] = await outcomes([
        ledger.record("visits", exampleRelease("a")),
        ledger.record("visits", exampleRelease("a")),
        ledger.record("visits", exampleRelease("a", { k: 4 })),
        ledger.record("visits", exampleRelease("b")),
      ]);
      expect(again).toEqual(first);
      expect(other).toBe("release-id-taken");
      expect(last).toMatchObject({ id: "b", ledger: { sequence: 3 } });
      expect((await ledger.account("visits")).releases).toBe(2);
    });

    it("lets a release fail that can't be written, and no other", async () => {
      const ledger = await openedLedger(await makePlace());
      await ledger.setBudget("visits", LIMIT);
      const broken = { ...exampleRelease("broken"), time: new Date() as unknown as string };
      const charged = await outcomes([
        ledger.record("visits", exampleRelease("a")),
        ledger.record("visits", broken),
        ledger.record("visits", exampleRelease("b")),
      ]);
      expect(charged.map((one) => typeof one)).toEqual(["object", "string", "object"]);
      expect((await ledger.verify()).findings).toEqual([]);
      expect((await ledger.account("visits")).releases).toBe(2);
    });

    it("sees budgets, marks and reservations of the same moment, and a reader sees what is committed", async () => {
      const ledger = await openedLedger(await makePlace());
      const reading = ledger.account("visits");
      const all = [
        ledger.setBudget("visits", { measure: "pure", epsilon: "2" }),
        ledger.record("visits", exampleRelease("a"), { mark: "one" }),
        ledger.record("visits", exampleRelease("b"), { mark: "two" }),
        ledger.record("visits", exampleRelease("c")),
        ledger.setBudget("visits", { measure: "pure", epsilon: "3" }, { replace: true }),
        ledger.record("visits", exampleRelease("d")),
      ];
      expect((await reading).releases).toBe(0);
      expect(
        (await outcomes<boolean | { readonly id: string }>(all)).map((one) =>
          typeof one === "object" ? one.id : one,
        ),
      ).toEqual([true, "a", "b", "over-budget", true, "d"]);
      expect(await ledger.chargedTo("one")).toBe("visits");
      expect(await ledger.chargedTo("two")).toBe("visits");
      expect((await ledger.verify()).findings).toEqual([]);
      await expect(ledger.record("visits", exampleRelease("e"))).rejects.toThrow(refusal("over-budget"));
    });
  });
}
