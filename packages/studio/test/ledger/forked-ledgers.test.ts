/** Two copies of one ledger that were both charged: explained, and joined where every budget has room for the charges of both. */
import { expect, it } from "vitest";
import { readLedgerFile } from "winnow-release";
import { BrowserLedger } from "../../src/ledger/browser-ledger.js";
import { passingMemory, passingShelf } from "../../src/ledger/ledger-storage.js";
import { aRelease } from "../support/a-release.js";

const ledger = () => new BrowserLedger(passingMemory(), passingShelf());
const rowsOf = async (one: BrowserLedger) => readLedgerFile((await one.exported("visits")).split("\n"));

async function charge(one: BrowserLedger, id: string, epsilon: string, dataset = "visits") {
  const release = await aRelease({ k: 1, domain: "listed", epsilon });
  return one.record({ ...release, id, dataset });
}

/** A ledger of ε = 5 with one charge, and a copy; both are charged once more. */
async function forked(here: string, there: string) {
  const [one, other] = [ledger(), ledger()];
  await one.setBudget("visits", { measure: "pure", epsilon: "5" });
  await charge(one, "before", "1");
  await other.takeOver(await rowsOf(one));
  await charge(one, "here", here);
  await charge(other, "there", there);
  return [one, other] as const;
}

it("a copy that was charged apart is refused with what is in either, and joined on request", async () => {
  const [one, other] = await forked("1", "2");
  const rows = await rowsOf(other);
  await expect(one.takeOver(rows)).rejects.toThrow(
    'The file and this browser have the same ledger up to entry 2; since then 1 were added here and 1 in the file, and both have charged "visits".',
  );
  expect(await one.join(rows)).toBe(1);
  const account = await one.account("visits");
  expect(String((account.spent as { epsilon: unknown }).epsilon)).toBe("4");
  expect((await one.releases("visits")).map(({ id }) => id)).toEqual(["before", "here", "there"]);
  // Once more adds nothing: the release is known.
  expect(await one.join(rows)).toBe(0);
  expect((await one.releases("visits")).length).toBe(3);
});

it("nothing is joined where both together have charged more than the budget", async () => {
  const [one, other] = await forked("2", "3");
  await expect(one.join(await rowsOf(other))).rejects.toThrow(
    'Together, both ledgers have charged more than the budget of "visits", so they can\'t be joined.',
  );
  expect((await one.releases("visits")).map(({ id }) => id)).toEqual(["before", "here"]);
});

it("a data set that only the file knows comes with its budget", async () => {
  const [one, other] = await forked("1", "1");
  await other.setBudget("orders", { measure: "pure", epsilon: "2" });
  await charge(other, "orders once", "1", "orders");
  expect(await one.join(await rowsOf(other))).toBe(2);
  const orders = await one.account("orders");
  expect(String((orders.budget as { epsilon: unknown }).epsilon)).toBe("2");
  expect(orders.releases).toBe(1);
});

it("ledgers that were never one aren't joined", async () => {
  const [one] = await forked("1", "1");
  const [stranger] = await forked("1", "1");
  await expect(one.join(await rowsOf(stranger))).rejects.toThrow("were never the same ledger");
});

it("rows of a charged file, and a near name, lead to the data set that has them", async () => {
  const one = ledger();
  await one.setBudget("visits", { measure: "pure", epsilon: "5" });
  const release = await aRelease({ k: 1, domain: "listed", epsilon: 1 });
  await one.record({ ...release, id: "first", dataset: "visits" }, "a mark");
  expect(await one.kin("holiday", "a mark")).toEqual({ name: "visits", why: "rows" });
  expect(await one.kin("visit", undefined)).toEqual({ name: "visits", why: "name" });
  expect(await one.kin("orders", "another mark")).toBeUndefined();
  expect(await one.kin("visits", "a mark")).toBeUndefined(); // its own
});
