import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { integerPartition, quantiles } from "winnow-dp";
import { Account, type Refusal, type Release, rankErrorsInWords, readRelease } from "winnow-release";
import { builtProgram } from "../../../cli/test/support/built-program.js";
import { planNumbers, releaseOnce } from "../../src/worker/answering.js";
import type { Asked, Published } from "../../src/worker/api.js";
import { DataSession } from "../../src/worker/data-session.js";
import { Task } from "../../src/worker/task.js";
import { NO_MARKS } from "../support/no-marks.js";

const BUDGET = {
  format: "winnow-ledger/1",
  kind: "budget",
  sequence: 1,
  previous: "0".repeat(64),
  dataset: "orders",
  time: "2026-01-31T12:00:00.000Z",
  software: { name: "test", version: "1" },
  budget: { measure: "pure", epsilon: "99" },
} as const;

/** One value each, and one who has a word and two ways to write five: as text they are two values. */
const PEOPLE = Array.from({ length: 400 }, (_, i) => `u${i},${i % 100},shop ${Math.floor(Math.sqrt(i))}`);
const ROWS = ["user,amount,shop", ...PEOPLE, "two,5,shop 1", "two,5.0,shop 2", "two,five,shop 3"].join("\n");

const SHARED = { neighbours: "add-remove", epsilon: "1", unit: "one value of column user" } as const;
const QUANTILE: Asked = {
  ...SHARED,
  kind: "quantile",
  domain: "grid",
  quantiles: ["0.9", "1/2"],
  range: { lower: "-10", upper: "120.5" },
  maxItemsPerUser: 2,
  atMost: 1000,
};
const FREQUENCIES: Asked = { ...SHARED, kind: "frequencies", domain: "unknown", maxItemsPerUser: 3 };

let folder: string;

beforeAll(async () => {
  // Every draw sees the same bits, so that the page and the library can be compared.
  vi.spyOn(globalThis.crypto, "getRandomValues").mockImplementation((bytes) => {
    new Uint8Array(bytes!.buffer, bytes!.byteOffset, bytes!.byteLength).fill(0b1001_0110);
    return bytes;
  });
  folder = await mkdtemp(join(tmpdir(), "winnow-numbers-"));
  await writeFile(join(folder, "orders.csv"), ROWS);
  await winnow(["budget", "init", "orders", "--epsilon", "9"]);
});

afterAll(async () => {
  vi.restoreAllMocks();
  await rm(folder, { recursive: true, force: true });
});

describe("numbers of the page", () => {
  it.each([
    ["amount", QUANTILE],
    ["shop", FREQUENCIES],
  ])("are the same question, plan, loss and schema at the command line: %s", async (column, asked) => {
    const { session, published } = await releaseOf(asked, column);
    const release = readRelease(published.documents.json);
    const command = published.documents.command.replace(/^#.*$/gm, "").replaceAll(/\\\n/g, " ").trim();
    const words = command.replace(/^winnow /, "").match(/'[^']*'|\S+/g) ?? [];
    const options = words.map((word) => word.replace(/^'(.*)'$/, "$1"));
    const { stdout } = await winnow([...options, "--json"]);
    const other = readRelease(stdout);
    expect(release.question).toEqual(other.question);
    expect(release.mechanism).toEqual(other.mechanism);
    expect(release.loss).toEqual(other.loss);
    expect(Object.keys(release.answer)).toEqual(Object.keys(other.answer));
    const [point] = planNumbers(session, { asked, epsilons: ["1"] }).points;
    if (asked.kind === "quantile") expect(point?.words).toBe(rankErrorsInWords(other.question));
    expect(published.documents.svg.light).toMatch(/^<svg .*<\/svg>\s*$/s);
    expect(published.documents.csv).toMatch(
      /^(quantile,value_max_\d+_values?_per_user,rank_error|users_max_\d+_items?_per_user,items)\r\n/,
    );
  });

  it("are drawn by the library's function, from the values that count", async () => {
    const one = { ...QUANTILE, maxItemsPerUser: 1 };
    const { published } = await releaseOf(one, "amount", [
      "user,amount,shop",
      ...PEOPLE.slice(0, 50),
      "w,word,x",
    ]);
    const values = Array.from({ length: 50 }, (_, i) => [i, 1] as const);
    const shared = { quantiles: ["0.5", "0.9"], lower: -10, upper: "120.5", step: 1, atMost: 1000 };
    const told = (epsilon: number) => quantiles(values, { ...shared, epsilon }).values.map(String);
    expect(published.rows.map(({ item }) => item)).toEqual(told(1));
    expect(told(1)).not.toEqual(told(1 / 50)); // other noise would be seen
    const list = (await releaseOf({ ...FREQUENCIES, epsilon: "2" }, "shop", [ROWS])).published.frequencies;
    const counts = Array.from({ length: 20 }, (_, root) => 2 * root + 1);
    for (const shop of [1, 2, 3]) counts[shop]! += 1;
    const { frequencies } = integerPartition(counts, { epsilon: 2, maxItemsPerUser: 3 });
    expect(list?.flatMap(({ users, items }) => Array(items).fill(users))).toEqual(frequencies);
  });

  it("tell a person's values apart by their text, and leave out words before a person's values are chosen", async () => {
    const session = await counted("amount", [ROWS]);
    const plan = (maxItemsPerUser: number) =>
      planNumbers(session, { asked: { ...QUANTILE, maxItemsPerUser }, epsilons: ["1"] });
    expect(plan(1)).toMatchObject({ counted: 401, skipped: 1 });
    expect(plan(2)).toMatchObject({ counted: 402, skipped: 1 });
    expect(plan(9)).toMatchObject({ counted: 402, skipped: 1 });
    const answers = await releaseOf({ ...QUANTILE, maxItemsPerUser: 1, epsilon: "90" }, "amount", [
      "user,amount",
      ...Array.from({ length: 99 }, (_, i) => `u${i},7\nu${i},word ${i}\nu${i},NaN`),
    ]);
    expect(answers.published.rows.map(({ item }) => item)).toEqual(["7", "7"]);
  });

  it("weigh a value as often as its person has it, and say of what they are", async () => {
    // Of 23 rows of each person 39 % are below 4 and 74 % below 5; of the different values 60 and 80 %.
    const rows = [1, 2, 2, ...Array(6).fill(3), ...Array(8).fill(4), ...Array(6).fill(5)];
    const people = Array.from({ length: 600 }, (_, i) => rows.map((value) => `u${i},${value}`)).flat();
    const asked = { ...QUANTILE, maxItemsPerUser: 1, epsilon: "50", range: { lower: "0", upper: "5" } };
    const { published } = await releaseOf(asked, "amount", ["user,amount", ...people]);
    expect(published.rows.map(({ item }) => item)).toEqual(["4", "5"]);
    expect(published.counted).toEqual({
      column: "≤ 1 value per user",
      limit: "one value of each user, chosen at random",
    });
    const session = await counted("amount", ["user,amount", ...people]);
    const plan = (most: number) =>
      planNumbers(session, { asked: { ...asked, maxItemsPerUser: most }, epsilons: ["1"] });
    expect(plan(20)).toMatchObject({ counted: 12_000 });
    expect(plan(50)).toMatchObject({ counted: 13_800 });
  });

  it("at an end of their range say so beside the answer, as every other output does", async () => {
    const asked = { ...QUANTILE, quantiles: ["0.5"], epsilon: "50", range: { lower: "0", upper: "5" } };
    const people = Array.from({ length: 100 }, (_, i) => `u${i},70`);
    const { published } = await releaseOf(asked, "amount", ["user,amount", ...people]);
    expect(published.notes).toEqual([
      "The median is at an end of the range 0 to 5, and the exact one may lie beyond it.",
    ]);
    expect((await releaseOf(QUANTILE, "amount")).published.notes).toEqual([]);
  });

  it("of frequencies say for how many items people are counted", async () => {
    const { published } = await releaseOf(FREQUENCIES, "shop");
    expect(published.counted).toEqual({
      column: "users (≤ 3 items each)",
      limit:
        "each user is counted for at most 3 items, and far more people may have an item than its count says",
    });
  });
});

async function counted(item: string, lines: readonly string[]): Promise<DataSession> {
  const session = new DataSession();
  await session.open(new File([lines.join("\n")], "orders.csv"), new Task());
  await session.count({ item, user: "user" }, new Task(), () => {});
  return session;
}

async function releaseOf(asked: Asked, item: string, lines: readonly string[] = [ROWS]) {
  const session = await counted(item, lines);
  const account = new Account("orders", [BUDGET]);
  const ledger = {
    ...NO_MARKS,
    look: async () => ({ account, stored: undefined }),
    record: async (release: Omit<Release, "ledger">) => ({
      account,
      release: { ...release, ledger: { sequence: 2, head: "0".repeat(64) } },
    }),
  };
  const request = { dataset: "orders", id: "june", asked };
  const ask = async (agreed: string): Promise<Published> =>
    releaseOnce(session, ledger, { ...request, agreed }).catch((error: Refusal) => {
      if (error.code !== "unconfirmed" || agreed.includes(error.message)) throw error;
      return ask(agreed + error.message);
    });
  return { session, published: await ask("") };
}

function winnow(options: readonly string[]) {
  const ledger = ["--ledger", join(folder, "ledger.db")];
  return promisify(execFile)(process.execPath, [builtProgram(), ...options, ...ledger], { cwd: folder });
}
