import { describe, expect, it } from "vitest";
import { Account, type Refusal, type Release } from "winnow-release";
import { releaseOnce } from "../../src/worker/answering.js";
import type { ReleaseRequest } from "../../src/worker/api.js";
import { DataSession } from "../../src/worker/data-session.js";
import { Task } from "../../src/worker/task.js";
import { NO_MARKS } from "../support/no-marks.js";
import { textFile } from "../support/read-all.js";

const REQUEST: ReleaseRequest = {
  dataset: "visits",
  id: "june",
  asked: { kind: "top", k: 1, domain: "listed", neighbours: "add-remove", epsilon: "1", unit: "one user" },
};
const budget = {
  format: "winnow-ledger/1",
  kind: "budget",
  sequence: 1,
  previous: "0".repeat(64),
  dataset: "visits",
  time: "2026-01-31T12:00:00.000Z",
  software: { name: "test", version: "1" },
  budget: { measure: "pure", epsilon: "9" },
} as const;

describe("a release", () => {
  it("is about the file and the list of the moment it was asked for, whatever comes in meanwhile", async () => {
    const session = new DataSession();
    await session.open(textFile("visits.csv", "user,item", "u1,a", "u2,a"), new Task());
    await session.count({ item: "item", user: "user" }, new Task(), () => {});
    const { hash } = await session.setCandidates(["a", "b"], new Task());
    const account = new Account("visits", [budget]);
    const ledger = {
      ...NO_MARKS,
      look: async () => {
        await session.setCandidates(["c", "d"], new Task());
        await session.open(textFile("other.csv", "user,item", "u1,d"), new Task());
        return { account, stored: undefined };
      },
      record: async (release: Omit<Release, "ledger">) => ({
        account,
        release: { ...release, ledger: { sequence: 2, head: "0".repeat(64) } },
      }),
    };
    const { release, rows } = await releaseOnce(session, ledger, REQUEST);
    expect(release).toMatchObject({ question: { domain: { kind: "listed", size: 2, hash } } });
    expect(["a", "b"]).toContain(rows[0]?.item);
  });

  it.each([
    ["ε", { epsilon: "11" }, "must be at most ε = 10"],
    ["δ", { delta: "1e-2", domain: "unknown" }, "an item that only one person has may be published"],
  ] as const)(
    "with an %s that protects hardly anyone needs someone who agrees",
    async (_, change, sentence) => {
      const session = new DataSession();
      await session.open(textFile("visits.csv", "user,item", "u1,a", "u2,a"), new Task());
      await session.count({ item: "item", user: "user" }, new Task(), () => {});
      await session.setCandidates(["a", "b"], new Task());
      const limit = { measure: "approx", epsilon: "20", delta: "1/10" } as const;
      const account = new Account("visits", [{ ...budget, budget: limit }]);
      const recorded: unknown[] = [];
      const ledger = {
        ...NO_MARKS,
        look: async () => ({ account, stored: undefined }),
        record: async (release: Omit<Release, "ledger">) => {
          recorded.push(release);
          return { account, release: { ...release, ledger: { sequence: 2, head: "0".repeat(64) } } };
        },
      };
      const request = { ...REQUEST, asked: { ...REQUEST.asked, ...change } };
      const refusal = await releaseOnce(session, ledger, request).catch((error: Refusal) => error);
      expect(refusal).toMatchObject({ code: "unconfirmed", message: expect.stringContaining(sentence) });
      expect(recorded).toEqual([]);
      await releaseOnce(session, ledger, { ...request, agreed: (refusal as Refusal).message });
      expect(recorded).toHaveLength(1);
    },
  );
});
