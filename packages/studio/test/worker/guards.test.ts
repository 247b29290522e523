/** The page asks and refuses as the command line does. */
import { expect, it } from "vitest";
import { Account, type Release } from "winnow-release";
import type { BrowserLedger } from "../../src/ledger/browser-ledger.js";
import { costOf, releaseOnce } from "../../src/worker/answering.js";
import type { Asked } from "../../src/worker/api.js";
import { DataSession } from "../../src/worker/data-session.js";
import { Task } from "../../src/worker/task.js";
import { NO_MARKS } from "../support/no-marks.js";
import { textFile } from "../support/read-all.js";

const BUDGET = {
  format: "winnow-ledger/1",
  kind: "budget",
  sequence: 1,
  previous: "0".repeat(64),
  dataset: "visits",
  time: "2026-01-31T12:00:00.000Z",
  software: { name: "test", version: "1" },
  budget: { measure: "pure", epsilon: "9" },
} as const;
const TOP: Asked = {
  kind: "top",
  k: 1,
  domain: "listed",
  neighbours: "add-remove",
  epsilon: "1",
  unit: "one user",
};
const MEDIAN: Asked = {
  kind: "quantile",
  domain: "grid",
  range: { lower: "0", upper: "1000" },
  quantiles: ["1/2"],
  neighbours: "add-remove",
  epsilon: "1",
  unit: "one user",
};

async function pageWith(lines: readonly string[], list?: File | readonly string[]) {
  const session = new DataSession();
  await session.open(textFile("visits.csv", "user,item", ...lines), new Task());
  const view = await session.count({ item: "item", user: "user" }, new Task(), () => {});
  if (list !== undefined) await session.setCandidates(list, new Task());
  const account = new Account("visits", [BUDGET]);
  const recorded: unknown[] = [];
  const ledger = {
    ...NO_MARKS,
    look: async () => ({ account, stored: undefined }),
    account: async () => account,
    record: async (release: Omit<Release, "ledger">) => {
      recorded.push(release);
      return { account, release: { ...release, ledger: { sequence: 2, head: "0".repeat(64) } } };
    },
  };
  const cost = (asked: Asked) => costOf(session, ledger as unknown as BrowserLedger, "visits", asked);
  const release = (asked: Asked, agreed?: string) =>
    releaseOnce(session, ledger, { dataset: "visits", id: "june", asked, ...(agreed && { agreed }) });
  return { session, view, cost, release, recorded };
}

const people = (count: number, item: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => `u${i},${item(i)}`);

it.each([
  ["a list that matches nothing", TOP, people(40, () => "mail"), ["Mail", "Post"], "may not match the rows"],
  [
    "decimal commas",
    MEDIAN,
    people(40, (i) => (i < 30 ? `"${i},25"` : `${i}`)),
    undefined,
    "may not be numbers",
  ],
  ["a column of words", MEDIAN, people(40, (i) => `word ${i}`), undefined, "may not hold numbers"],
  [
    "rows without a person",
    TOP,
    [...people(10, () => "mail"), ",mail", ",mail"],
    ["mail", "post"],
    "may have no person",
  ],
] as const)(
  "%s needs someone who agrees, to the sentence that the page shows",
  async (_, asked, lines, list, why) => {
    const { cost, release, recorded } = await pageWith(lines, list);
    const { concern = "" } = await cost(asked);
    expect(concern).toContain(why);
    await expect(release(asked)).rejects.toMatchObject({
      code: "unconfirmed",
      message: expect.stringContaining(why),
    });
    await expect(release(asked, "another concern")).rejects.toMatchObject({ code: "unconfirmed" });
    expect(recorded).toEqual([]);
    await release(asked, concern);
    expect(recorded).toHaveLength(1);
  },
);

it("a list that matches and rows that are read need no one", async () => {
  const { cost, release, view } = await pageWith([...people(60, () => "mail"), ",mail"], ["mail", "post"]);
  expect(view).toMatchObject({ skippedRows: 1 });
  expect(await cost(TOP)).not.toHaveProperty("concern");
  await release(TOP);
});

it("the file of the rows and its copies aren't public lists, whichever comes first", async () => {
  const lines = people(5, (i) => `item ${i}`);
  const copy = textFile("visits (1).csv", "user,item", ...lines);
  await expect(pageWith(lines, copy)).rejects.toMatchObject({ code: "not-public" });
  const { session, release } = await pageWith(
    people(5, () => "mail"),
    copy,
  );
  await session.open(textFile("visits.csv", "user,item", ...lines), new Task());
  await session.count({ item: "item", user: "user" }, new Task(), () => {});
  await expect(release(TOP)).rejects.toMatchObject({ code: "not-public" });
});
