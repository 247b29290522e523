import { describe, expect, it } from "vitest";
import { type Loss, lossToJson } from "winnow-dp";
import {
  Account,
  type BudgetJson,
  LEDGER_FORMAT,
  type LedgerEntry,
  type NewEntry,
  type Question,
  type ReservationEntry,
} from "../../src/index.js";
import { ask, UNKNOWN } from "../support/ask.js";
import { budgetEntry, releaseEntry, SOFTWARE, TIME } from "./examples.js";

const QUESTION = ask({ k: 10, domain: UNKNOWN, rho: "1/10", delta: "1e-6" });
const IN_EPSILON = ask({ k: 10, domain: UNKNOWN, epsilon: 1, delta: "1e-6" });
const ZCDP: BudgetJson = { measure: "zcdp", rho: "1", delta: "1e-3" };
const APPROX: BudgetJson = { measure: "approx", epsilon: "5", delta: "1e-3" };

function entriesOf(...entries: readonly NewEntry[]): LedgerEntry[] {
  return entries.map((entry, i) => ({ ...entry, format: LEDGER_FORMAT, sequence: i + 1, previous: "" }));
}

const answerOf = (winners: number) => ({
  released: winners > 0,
  k: 10,
  winners: Array.from({ length: winners }, (_, i) => ({ item: `item ${i}` })),
  ordered: true,
  stopped: winners < 10,
});

/** A ledger as it grows: what is admitted, recorded and counted. */
class Book {
  readonly entries: LedgerEntry[] = [];

  constructor(...entries: readonly NewEntry[]) {
    this.entries = entriesOf(...entries);
  }

  get account(): Account {
    return new Account("visits", this.entries);
  }

  add(entry: NewEntry): LedgerEntry {
    const added = {
      ...entry,
      format: LEDGER_FORMAT,
      sequence: this.entries.length + 1,
      previous: "",
    } as LedgerEntry;
    this.entries.push(added);
    return added;
  }

  reserve(id: string, question: Question): ReservationEntry {
    const loss = this.account.reservationFor(question);
    this.account.admit(loss, question);
    return this.add({
      kind: "reservation",
      id,
      dataset: "visits",
      time: TIME,
      software: SOFTWARE,
      question,
      loss: lossToJson(loss),
    }) as ReservationEntry;
  }

  record(id: string, question: Question, loss: Loss, winners: number, reservation?: ReservationEntry): void {
    const charge = this.account.chargeFor(question, answerOf(winners), reservation);
    if (reservation === undefined) this.account.admit(charge?.reserved ?? loss, question);
    const { release } = releaseEntry(id, lossToJson(loss));
    const counted = charge && { reserved: lossToJson(charge.reserved), settled: lossToJson(charge.settled) };
    this.add({
      kind: "release",
      release: { ...release, question, ...(counted !== undefined && { charge: counted }) },
    });
  }
}

const spent = (account: Account) => {
  const loss = account.spent;
  return Number(loss.measure === "zcdp" ? loss.rho : "epsilon" in loss ? loss.epsilon : Number.NaN);
};
const lossFor = (question: Question) => new Account("visits", []).reservationFor(question);

describe("an account with a limit", () => {
  it("counts the rounds that were used, and admits by all of them", () => {
    const book = new Book(budgetEntry(ZCDP));
    for (let i = 0; i < 90; i++) book.record(`r${i}`, QUESTION, lossFor(QUESTION), 0);
    expect(spent(book.account)).toBeCloseTo(0.9, 8);
    book.record("last", QUESTION, lossFor(QUESTION), 10);
    expect(spent(book.account)).toBeCloseTo(1, 8);
    // Another one might use all of its rounds.
    const more = new Book(budgetEntry(ZCDP));
    for (let i = 0; i < 91; i++) more.record(`r${i}`, QUESTION, lossFor(QUESTION), 0);
    expect(() => more.record("one more", QUESTION, lossFor(QUESTION), 0)).toThrow("would fit");
  });

  it("adds up (ε, δ) in the same way", () => {
    const book = new Book(budgetEntry(APPROX));
    for (let i = 0; i < 20; i++) book.record(`r${i}`, IN_EPSILON, lossFor(IN_EPSILON), 0);
    expect(spent(book.account)).toBeCloseTo(20 / 6.738, 2);
    const { remaining } = book.account;
    expect(remaining).toMatchObject({ measure: "approx" });
  });

  it("counts in full what it has promised nothing about: no limit, or another one later", () => {
    const book = new Book();
    book.record("early", QUESTION, lossFor(QUESTION), 0);
    expect(spent(book.account)).toBeCloseTo(0.1, 8);
    book.add(budgetEntry(ZCDP));
    expect(spent(book.account)).toBeCloseTo(0.1, 8);
    book.record("late", QUESTION, lossFor(QUESTION), 0);
    expect(spent(book.account)).toBeCloseTo(0.11, 8);
    const larger: BudgetJson = { ...ZCDP, rho: "2" };
    book.account.admitBudget(larger);
    book.add(budgetEntry(larger));
    expect(spent(book.account)).toBeCloseTo(0.2, 8);
    expect(() => book.account.admitBudget({ ...ZCDP, rho: "0.15" })).toThrow("More than this budget");
  });

  it("states totals of the whole losses: the limit is the promise, and what was counted is not", () => {
    const book = new Book(budgetEntry(ZCDP));
    book.record("short", QUESTION, lossFor(QUESTION), 0);
    const [total] = book.account.totals;
    expect(Number((total as { rho: unknown }).rho)).toBeCloseTo(0.1, 8);
    const whole = new Book();
    whole.record("short", QUESTION, lossFor(QUESTION), 0);
    expect(book.account.atDelta).toEqual(whole.account.atDelta);
  });
});

describe("a reservation", () => {
  it("counts in full until its release is there, and for ever if it never is", () => {
    const book = new Book(budgetEntry(ZCDP));
    const [one, two] = ["one", "two"].map((id) => book.reserve(id, QUESTION));
    expect(spent(book.account)).toBeCloseTo(0.2, 8);
    expect(book.account.reservations).toBe(2);
    book.record("one", QUESTION, lossFor(QUESTION), 2, one);
    expect(spent(book.account)).toBeCloseTo(0.13, 8);
    expect(book.account).toMatchObject({ reservations: 1, releases: 1 });
    expect(two?.loss).toEqual(lossToJson(lossFor(QUESTION)));
    expect(new Account("visits", book.account.summary).spent).toEqual(book.account.spent);
  });

  it("is settled in full if the budget changed since", () => {
    const book = new Book(budgetEntry(ZCDP));
    const reservation = book.reserve("one", QUESTION);
    book.add(budgetEntry({ ...ZCDP, rho: "2" }));
    book.record("one", QUESTION, lossFor(QUESTION), 0, reservation);
    expect(spent(book.account)).toBeCloseTo(0.1, 8);
  });

  it("is settled in full if an (ε, δ) budget went over to a Rényi order since", () => {
    const book = new Book(budgetEntry(APPROX));
    const reservation = book.reserve("one", IN_EPSILON);
    book.record("two", QUESTION, lossFor(QUESTION), 10);
    const before = spent(book.account);
    book.record("one", IN_EPSILON, lossFor(IN_EPSILON), 0, reservation);
    expect(spent(book.account)).toBeCloseTo(before, 8);
  });
});
