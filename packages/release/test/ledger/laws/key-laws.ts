/**
 * What every ledger promises about the keys that sign its heads, and about commitments to bits: whatever database keeps the entries.
 * @module
 */
import { describe, expect, it } from "vitest";
import { keysInForce, newOpening, readQuestion, reservedBits } from "winnow-release";
import { isConsistent } from "../../../src/heads/consistency.js";
import { topOver } from "../../../src/ledger/inclusion.js";
import { all, exampleRelease, type MakePlace, openedLedger as open, refusal } from "./place.js";

const FIRST = "example.org/ledger+7619ae12+AcWcA9M1lin6DSA4uf9uSywbKAAtFjFkXUX0wYj1PBkg";
const SECOND = "example.org/ledger+0e6e9abd+AY0Js8RI/pEaKH5Jd+Mo2USleIXdg+Zk8F9AwvyCkyEf";

export function keyLaws(title: string, makePlace: MakePlace): void {
  describe(`${title}: keys and heads`, () => {
    it("keys are entries about no data set, in force from their entry to the one that revokes them", async () => {
      const place = await makePlace();
      const ledger = await open(place);
      expect(await ledger.keyEntries()).toEqual([]);
      await ledger.setBudget("visits", { measure: "pure", epsilon: "4" });
      expect(await ledger.changeKeys({ adds: FIRST })).toBe(true);
      expect(await ledger.changeKeys({ adds: FIRST })).toBe(false);
      await ledger.record("visits", exampleRelease("a"));
      expect(await ledger.changeKeys({ adds: SECOND, revokes: FIRST })).toBe(true);
      await ledger.record("visits", exampleRelease("b"));
      await expect(ledger.changeKeys({ adds: FIRST })).rejects.toEqual(refusal("key-not-recorded"));
      await expect(ledger.changeKeys({ revokes: FIRST })).rejects.toEqual(refusal("key-not-recorded"));

      const again = await open(place);
      const entries = await again.keyEntries();
      expect(entries.map(({ sequence, adds, revokes }) => [sequence, adds, revokes])).toEqual([
        [2, FIRST, undefined],
        [4, SECOND, FIRST],
      ]);
      expect([1, 2, 3, 4, 5].map((size) => keysInForce(entries, size))).toEqual([
        [],
        [FIRST],
        [FIRST],
        [SECOND],
        [SECOND],
      ]);
      expect(await again.datasets()).toEqual(["visits"]);
      expect((await again.account("visits")).releases).toBe(2);
      expect((await again.verify()).findings).toEqual([]);
      expect((await all(again.entries())).map(({ kind }) => kind)).toEqual([
        ...["budget", "key", "release", "key", "release"],
      ]);
    });

    it("heads of every size lead from its entries and to later ones", async () => {
      const ledger = await open(await makePlace());
      for (const id of ["a", "b", "c", "d", "e"]) await ledger.record("visits", exampleRelease(id));
      const heads = await Promise.all([1, 2, 3, 4, 5].map((size) => ledger.treeHead(size)));
      expect(await ledger.treeHead()).toEqual(heads.at(-1));
      for (const first of heads)
        for (const second of heads.slice(first.size - 1))
          expect(await isConsistent(first, second, await ledger.pathBetween(first.size, second.size))).toBe(
            true,
          );
      const { ledger: at } = (await ledger.find("c"))!;
      expect(await ledger.placeUnder("c", 2)).toBeUndefined();
      expect(await ledger.placeUnder("nothing", 5)).toBeUndefined();
      for (const { size, top } of heads.slice(2)) {
        const { path, previous } = (await ledger.placeUnder("c", size))!;
        expect(await topOver({ hash: at.head, sequence: 3, size, path })).toBe(top);
        expect(previous).toBe((await ledger.find("b"))!.ledger.head);
      }
      await expect(ledger.treeHead(6)).rejects.toEqual(refusal("usage"));
      await expect(ledger.pathBetween(4, 3)).rejects.toEqual(refusal("usage"));
    });

    it("a reservation keeps its commitment, and only a release with the same one takes its place", async () => {
      const ledger = await open(await makePlace());
      const question = readQuestion({
        k: 2,
        domain: { kind: "integers", below: 9 },
        epsilon: "1",
        unit: "one person",
      });
      const bits = await reservedBits(newOpening("a"), { dataset: "visits", question });
      const other = await reservedBits(newOpening("a"), { dataset: "visits", question });
      await ledger.reserve("visits", "a", question, { bits });
      expect(await ledger.reservation("a")).toMatchObject({ bits });
      const release = { ...exampleRelease("a"), question };
      for (const wrong of [
        undefined,
        { ...other, counts: "00" },
        { ...bits, generator: "other", counts: "00" },
      ])
        await expect(ledger.record("visits", { ...release, bits: wrong })).rejects.toEqual(
          refusal("release-id-taken"),
        );
      const recorded = await ledger.record("visits", { ...release, bits: { ...bits, counts: "00" } });
      expect(recorded.bits).toEqual({ ...bits, counts: "00" });
      await expect(
        ledger.record("visits", { ...exampleRelease("b"), bits: { ...bits, counts: "00" } }),
      ).rejects.toEqual(refusal("usage"));
      expect((await ledger.verify()).findings).toEqual([]);
    });
  });
}
