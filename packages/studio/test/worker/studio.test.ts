import { describe, expect, it } from "vitest";
import { createStudio } from "../../src/worker/studio.js";
import { textFile } from "../support/read-all.js";

const COLUMNS = { item: "area", user: "user" };
const ASKED = {
  kind: "top",
  k: 1,
  domain: "listed",
  neighbours: "add-remove",
  epsilon: "1",
  unit: "one user",
} as const;
const CANCELLED = { code: "cancelled" };

describe("what is asked of the worker while it is still busy with something older", () => {
  it("is answered about the file that was opened last, though one before it takes longer to read", async () => {
    const studio = createStudio();
    const slow = studio.open(textFile("slow.csv", "user,area", "u1,a"));
    const refused = expect(slow).rejects.toMatchObject(CANCELLED);
    await studio.open("example");
    await refused;
    const { rows } = await studio.count(COLUMNS, () => {});
    expect(rows).toBe(60_000);
  });

  it("is answered about the list that was given last, though one before it takes longer to read", async () => {
    const studio = createStudio();
    await studio.open(textFile("visits.csv", "user,area", "u1,a", "u1,b", "u2,b"));
    await studio.count(COLUMNS, () => {});
    const slow = studio.setCandidates(new File(["c\nd\ne\n"], "slow.txt"));
    const refused = expect(slow).rejects.toMatchObject(CANCELLED);
    const { size } = await studio.setCandidates(["a", "b"]);
    await refused;
    expect(size).toBe(2);
    // Of a list of two there is no third: only the list of the slow file has one.
    const plan = studio.plan({ asked: { ...ASKED, k: 3 }, epsilons: ["1"], runs: 2 }, () => {});
    await expect(plan).rejects.toMatchObject({ field: "k" });
  });

  it("ends the count of a file that is closed, and counts nothing of it", async () => {
    const studio = createStudio();
    await studio.open("example");
    const count = studio.count(COLUMNS, () => {});
    const refused = expect(count).rejects.toMatchObject(CANCELLED);
    await studio.open(textFile("visits.csv", "user,area", "u1,a"));
    await refused;
    await expect(studio.plan({ asked: ASKED, epsilons: ["1"], runs: 2 }, () => {})).rejects.toMatchObject({
      code: "no-file",
    });
  });

  it("goes on when other work is called off", async () => {
    const studio = createStudio();
    await studio.open("example");
    const count = studio.count(COLUMNS, () => {});
    await studio.cancel("attack");
    expect((await count).rows).toBe(60_000);
  });
});

describe("the budget of the example", () => {
  it.each([
    [{ epsilon: "11" }, "The budget must be at most ε = 10"],
    [{ epsilon: "1", delta: "1/2" }, "among 2 such people, expect one"],
  ])("of %j needs someone who agrees", async (budget, sentence) => {
    const studio = createStudio();
    await studio.open("example");
    expect(await studio.ledger.concern(budget)).toContain(sentence);
    await expect(studio.ledger.init("example", budget)).rejects.toMatchObject({ code: "unconfirmed" });
    expect(await studio.ledger.init("example", { ...budget, agreed: true })).toMatchObject({
      state: "ready",
    });
    expect(await studio.ledger.concern({ epsilon: "3", delta: "1e-5" })).toBeUndefined();
  });
});
