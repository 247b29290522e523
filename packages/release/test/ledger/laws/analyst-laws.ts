/**
 * What every ledger promises about analysts: their caps, their shares, their own releases.
 * @module
 */
import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { pure } from "winnow-dp";
import {
  EMPTY_CHAIN,
  type Ledger,
  lossOf,
  readQuestion,
  releaseLoss,
  verifyConsistency,
  verifyInclusion,
} from "winnow-release";
import {
  exampleRelease,
  type MakePlace,
  openedLedger as open,
  type Place,
  refusal,
  type Tables,
} from "./place.js";

export function analystLaws(title: string, makePlace: MakePlace): void {
  const freshLedger = async () => open(await makePlace());

  describe(`${title}: analysts`, () => {
    const asked = (id: string, epsilon = "1") => exampleRelease(id, { loss: { measure: "pure", epsilon } });
    const cap = (analyst: string, epsilon: string) =>
      ({ analyst, cap: { measure: "pure", epsilon } }) as const;
    const question = readQuestion({
      k: 10,
      domain: { kind: "unknown" },
      rho: "1/10",
      delta: "1e-6",
      unit: "one person",
    });
    const LIMIT = { measure: "zcdp", rho: "1", delta: "1e-2" } as const;

    it("spend at most their caps, and all of them at most the budget", async () => {
      const ledger = await freshLedger();
      await ledger.setBudget("visits", { measure: "pure", epsilon: "4" });
      const alice = cap("alice", "2");
      const first = await ledger.record("visits", asked("a"), { spender: alice });
      expect(first).toMatchObject({ id: "a", analyst: "alice" });
      await ledger.record("sales", asked("s", "9"), { spender: cap("alice", "9"), isNewDataset: true }); // a cap is for one data set
      await expect(ledger.record("visits", asked("b", "3/2"), { spender: alice })).rejects.toThrow(
        'the remaining cap of the analyst "alice" on "visits" is epsilon = 1 of epsilon = 2; at most epsilon = 1 would fit',
      );
      await ledger.record("visits", asked("b"), { spender: alice });
      await ledger.record("visits", asked("c"), { spender: cap("bob", "3") });
      await ledger.record("visits", asked("d", "1/2")); // without an analyst
      await expect(ledger.record("visits", asked("e"), { spender: cap("bob", "3") })).rejects.toThrow(
        'the remaining budget of "visits" is epsilon = 0.5 of epsilon = 4',
      );
      const share = await ledger.account("visits", alice);
      expect([share.spent, share.remaining, share.releases]).toEqual([pure(2n), pure(0n), 2]);
      expect((await ledger.account("visits", { analyst: "bob" })).budget).toBeUndefined();
      expect((await ledger.account("visits", cap("carol", "1"))).remaining).toEqual(pure(1n));
      expect(await ledger.datasets()).toEqual(["visits", "sales"]);
      expect((await ledger.verify()).findings).toEqual([]);
    });

    it("get nothing more under a cap that was lowered, or that cannot count what they had", async () => {
      const ledger = await freshLedger();
      await ledger.record("visits", asked("a", "2"), { spender: { analyst: "alice" } });
      const loss = { measure: "zcdp", rho: "1/8" } as const;
      await ledger.record("visits", exampleRelease("b", { loss }), { spender: { analyst: "bob" } });
      for (const analyst of ["alice", "bob"]) {
        const spender = cap(analyst, "1");
        const share = await ledger.account("visits", spender);
        expect([share.isOverdrawn, share.remaining, share.admitsTimes(pure("1/100"))]).toEqual([
          true,
          pure(0n),
          0,
        ]);
        await expect(ledger.record("visits", asked("c", "1/100"), { spender })).rejects.toThrow(
          `the remaining cap of the analyst "${analyst}" on "visits" is epsilon = 0 of epsilon = 1`,
        );
      }
      expect((await ledger.verify()).findings).toEqual([]);
    });

    it("reserve within their caps; a reservation and a release id are for one analyst", async () => {
      const ledger = await freshLedger();
      await ledger.setBudget("visits", LIMIT);
      const alice = { analyst: "alice", cap: { ...LIMIT, rho: "3/20" } };
      expect(await ledger.admit("visits", question, { spender: alice })).toMatchObject({ measure: "zcdp" });
      await ledger.reserve("visits", "a", question, { spender: alice });
      expect((await ledger.account("visits", alice)).reservations).toBe(1);
      for (const more of [
        ledger.admit("visits", question, { spender: alice }),
        ledger.reserve("visits", "b", question, { spender: alice }),
      ])
        await expect(more).rejects.toThrow('cap of the analyst "alice" on "visits"');
      await ledger.admit("visits", question, { spender: { ...alice, analyst: "bob" } });
      const release = settled("a");
      for (const spender of [{ analyst: "bob" }, undefined])
        await expect(ledger.record("visits", release, { spender })).rejects.toThrow(
          refusal("release-id-taken"),
        );
      const recorded = await ledger.record("visits", release, { spender: alice });
      const share = await ledger.account("visits", alice);
      expect([share.reservations, share.releases, share.isPaidByRound]).toEqual([0, 1, true]);
      expect(share.spent).toEqual((await ledger.account("visits")).spent);
      expect(await ledger.record("visits", release, { spender: alice })).toEqual(recorded);
      await expect(ledger.record("visits", release, { spender: { analyst: "bob" } })).rejects.toThrow(
        refusal("release-id-taken"),
      );
      const same = { dataset: "visits", question };
      expect(await ledger.find("a", { ...same, analyst: "alice" })).toEqual(recorded);
      await expect(ledger.find("a", { ...same, analyst: "bob" })).rejects.toThrow(
        refusal("release-id-taken"),
      );
      // Another budget counts the release in full, in the account and in the share of it.
      await ledger.setBudget("visits", { ...LIMIT, rho: "2" }, { replace: true });
      const after = await ledger.account("visits", alice);
      expect(after.isPaidByRound).toBe(false);
      expect(after.spent).toEqual((await ledger.account("visits")).spent);
      expect((await ledger.verify()).findings).toEqual([]);
    });

    /** One round of ten: the list was empty. */
    function settled(id: string) {
      const answer = { released: false, k: 10, winners: [], ordered: true, stopped: true };
      return { ...exampleRelease(id), question, loss: releaseLoss(lossOf(question)), answer };
    }

    it("never spend more than a cap when several services ask for them at once", async () => {
      const place = await makePlace();
      const ledgers = [await open(place, { patience: 20_000 }), await open(place, { patience: 20_000 })];
      await ledgers[0]!.setBudget("visits", { measure: "pure", epsilon: "7" });
      const names = ["alice", "bob"];
      const runs = Array.from({ length: 16 }, (_, i) =>
        ledgers[(i >> 1) % 2]!.record("visits", asked(`r${i}`), { spender: cap(names[i % 2]!, "3") }),
      );
      const outcomes = await Promise.allSettled(runs);
      expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(6);
      for (const name of names)
        expect((await ledgers[0]!.account("visits", cap(name, "3"))).remaining).toEqual(pure(0n));
      expect((await ledgers[1]!.verify()).findings).toEqual([]);
    });

    it("see their own releases, the newest first and page by page", async () => {
      const place = await makePlace();
      const ledger = await open(place);
      const names = ["alice", 'alice"', "alice2", "al", "\u{1f98a}"];
      for (let i = 0; i < 25; i++)
        await ledger.record(i % 3 === 0 ? "sales" : "visits", asked(`r${i}`), {
          spender: { analyst: names[i % 5]! },
          isNewDataset: true,
        });
      await ledger.record("visits", asked("nobody"));
      for (const [i, name] of names.entries()) {
        const ids = [20, 15, 10, 5, 0].map((start) => `r${start + i}`);
        const all = await ledger.releasesOf(name);
        expect(all.map(({ id }) => id)).toEqual(ids);
        expect(all[0]).toEqual(await ledger.find(ids[0]!));
        const page = await ledger.releasesOf(name, { before: all[1]!.ledger.sequence, limit: 2 });
        expect(page.map(({ id }) => id)).toEqual(ids.slice(2, 4));
      }
      expect(await ledger.releasesOf("nobody")).toEqual([]);
      for (const page of [{ limit: 0 }, { limit: 1001 }, { before: -1 }])
        await expect(ledger.releasesOf("alice", page)).rejects.toThrow(refusal("usage"));
      for (const analyst of ["", " alice", "a\nb", "x".repeat(101)])
        await expect(ledger.record("visits", asked("new"), { spender: { analyst } })).rejects.toThrow(
          refusal("usage"),
        );
    });

    it("have their shares and places summed up anew, as they were, and checked", async () => {
      const place = await makePlace();
      const ledger = await open(place);
      await ledger.setBudget("visits", LIMIT);
      for (const [i, analyst] of ["alice", "bob", "alice"].entries())
        await ledger.record("visits", settled(`r${i}`), { spender: { analyst } });
      const shares = async () => [
        await ledger.account("visits", { analyst: "alice" }),
        await ledger.account("visits", { analyst: "bob" }),
        await ledger.releasesOf("alice"),
      ];
      const before = await shares();
      await place.tamper((tables) => {
        outdate(tables);
        tables.accounts = [];
      });
      expect(await shares()).toEqual(before); // from the log
      await ledger.record("visits", settled("new"), { spender: { analyst: "bob" } }); // stores them again
      expect((await ledger.verify()).findings).toEqual([]);
      const bob = '["visits","bob"]';
      const changes: ((tables: Tables) => void)[] = [
        (tables) => Object.assign(tables, { accounts: tables.accounts.filter(([key]) => key !== bob) }),
        (tables) => {
          for (const account of tables.accounts)
            if (account[0] === '["visits","alice"]')
              account[1] = account[1].replace('"times":2', '"times":1');
        },
        (tables) => {
          const isLost = ([key, place]: (typeof tables.places)[number]) =>
            key.startsWith('["alice",') && place === 2;
          tables.places = tables.places.filter((one) => !isLost(one));
        },
      ];
      for (const change of changes) {
        const { findings } = await tampered(ledger, place, change);
        expect(
          findings.map(({ kind }) => kind),
          String(change),
        ).toEqual(["totals"]);
      }
    });

    it("prove that their releases are under a root, and that a later root has all of an earlier one", async () => {
      const place = await makePlace();
      const [ledger, other] = [await open(place), await open(place)];
      const nothing = createHash("sha256").digest();
      const empty = createHash("sha256").update(Buffer.concat([Buffer.of(2), Buffer.alloc(8), nothing]));
      expect(await ledger.head()).toEqual({ ...EMPTY_CHAIN, root: empty.digest("hex") });
      const releases = [];
      for (const id of ["a", "b", "c", "d", "e"]) {
        releases.push(await other.record("visits", asked(id), { spender: { analyst: "alice" } }));
        const { sequence, hash, root } = await ledger.head();
        expect([sequence, hash]).toEqual([releases.length, releases.at(-1)!.ledger.head]);
        const consistency = await other.consistency(Math.ceil(sequence / 2));
        expect(await verifyConsistency(consistency)).toBe(true);
        expect(consistency.second).toEqual({ size: sequence, root });
        for (const release of releases) {
          const proof = (await ledger.proof(release.id))!;
          expect(proof.root).toBe(root);
          expect(await verifyInclusion(release, proof)).toEqual([]);
          expect(JSON.stringify(proof)).not.toContain("alice");
        }
      }
      expect(await ledger.proof("none")).toBeUndefined();
      for (const size of [0, 6, 1.5])
        await expect(ledger.consistency(size)).rejects.toThrow(refusal("usage"));
      await place.tamper((tables) => {
        tables.rows.splice(4, 1, { ...tables.rows[4], hash: "x" });
        tables.head = { sequence: 5, hash: "x" };
      });
      await expect(ledger.head()).rejects.toThrow(refusal("ledger-replaced"));
      await expect(ledger.proof("a")).rejects.toThrow(refusal("ledger-replaced"));
    });

    /** Verifies with a change, and takes it back. */
    async function tampered(ledger: Ledger, place: Place, change: (tables: Tables) => void) {
      await place.tamper(change);
      const verified = await ledger.verify();
      await place.tamper(outdate);
      await ledger.setBudget("visits", LIMIT); // writes no entry, and sums up anew
      expect((await ledger.verify()).findings).toEqual([]);
      return verified;
    }
  });
}

/** The totals are those of an earlier entry. */
function outdate(tables: Tables): void {
  tables.summarised = { hash: tables.head!.hash, sequence: 2 };
}
