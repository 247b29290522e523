import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { COUNT_FAILED, type Refusal } from "winnow-release";
import { openLedger } from "../../cli/src/ledger/open-ledger.js";
import type { DatasetRows, Host } from "../src/host.js";
import type { Service } from "../src/service.js";
import {
  type Changes,
  configJson,
  countedInMemory,
  openService,
  type ServiceFolder,
  serviceFolder,
  TOP,
} from "./support/service-folder.js";

const folders: ServiceFolder[] = [];
let opened: Service | undefined;

async function here(changes?: Changes): Promise<ServiceFolder> {
  const folder = await serviceFolder(changes);
  folders.push(folder);
  return folder;
}

async function open(folder: ServiceFolder, own: Partial<Host> = {}) {
  const all = await openService(folder, own);
  opened = all.service;
  return all;
}

afterEach(async () => {
  await opened?.close();
  opened = undefined;
});
afterAll(() => {
  for (const { remove } of folders) remove();
});

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "",
    (error: Refusal) => error.code,
  );

/** Counts how often the rows are opened. */
function watched(openRows: Host["openRows"]): {
  readonly opened: string[];
  readonly openRows: Host["openRows"];
} {
  const opened: string[] = [];
  return {
    opened,
    openRows: (dataset, list, signal) => {
      opened.push(dataset.item);
      return openRows(dataset, list, signal);
    },
  };
}

describe("the service", () => {
  it("refuses to start without a budget, with another one, or with a cap above it", async () => {
    const reasons: [Changes, string][] = [
      [{ "datasets/visits/account": "unknown" }, "datasets.visits must have a budget in the ledger"],
      [
        { "datasets/visits/budget": { epsilon: 19 } },
        "datasets.visits.budget must be the budget in the ledger",
      ],
      [
        { "analysts/bob/caps/visits": { epsilon: 21 } },
        "analysts.bob.caps.visits must be at most the data set's budget, which has epsilon = 20",
      ],
      [
        { "analysts/bob/caps/visits": { rho: 1 } },
        "analysts.bob.caps.visits must be in the measure of the data set's budget, which is pure; got zcdp",
      ],
    ];
    for (const [change, sentence] of reasons) {
      const folder = await here(change);
      await expect(open(folder)).rejects.toThrow(sentence);
    }
  });

  it("refuses to start if a column isn't there, or if the list is the source", async () => {
    const misspelt = await here({ "datasets/visits/item": "aria" });
    await expect(open(misspelt, misspelt.host)).rejects.toThrow("no column");
    const copied = await here({ "datasets/visits/domain/file": "visits.csv" });
    await expect(open(copied)).rejects.toThrow("is the source itself");
  });

  it("describes what may be asked in public terms, with the age of its counts", async () => {
    const { service } = await open(await here());
    const [visits, unlisted] = service.datasets();
    expect(visits).toMatchObject({
      name: "visits",
      unit: "one value of column user",
      neighbours: "add-remove",
      domain: { kind: "listed", size: 5 },
      kinds: ["top", "frequencies"],
      mechanisms: ["top-k-with-gap", "top-k", "permute-and-flip", "top-k-set", "integer-partition"],
      largest: { k: 4, epsilon: "1", rho: "0.1" },
      maxAge: 3600,
    });
    expect(visits).not.toHaveProperty("counted");
    expect(unlisted?.mechanisms).toEqual([
      ...["limited-top-k", "threshold-top-k", "stable-top-k-fixed", "stable-top-k", "select-partitions"],
    ]);
    await service.countAhead();
    expect(service.dataset("visits").counted).toMatchObject({ seconds: 0 });
    expect(service.dataset("unlisted")).not.toHaveProperty("counted");
  });

  it("plans and prices without touching the rows", async () => {
    const folder = await here();
    const rows = watched(countedInMemory(folder));
    const { service } = await open(folder, rows);
    rows.opened.length = 0;
    const plan = await service.plan("alice", "visits", { ...TOP, counts: true } as never);
    expect(plan).toMatchObject({ dataset: "visits", mechanism: { name: "top-k-with-gap" } });
    expect(plan.lead?.below).toMatch(/^\d/);
    expect(plan.count?.halfWidth).toMatch(/^\d+$/);
    const bare = await service.plan("alice", "unlisted", { ...TOP, delta: "1e-6" } as never);
    expect(bare.needed).toMatchObject({ over: "outsiders", candidates: 1000 });
    const quantile = await service.plan("alice", "minutes", {
      kind: "quantile",
      quantiles: ["0.5"],
      epsilon: 1,
    });
    expect(quantile.rankErrors).toHaveLength(1);
    const cost = await service.cost("alice", "visits", TOP as never);
    expect(cost).toMatchObject({ fits: true, more: 3, loss: { measure: "pure", epsilon: "1" } });
    expect(cost.readable).toBe("It costs ε = 1; about 3 more releases like this can be made now.");
    expect(rows.opened).toEqual([]);
  });

  it("previews on a public twin of the rows, which must not be the rows", async () => {
    const folder = await here({ "datasets/visits/public": "twin.csv" });
    const rows = readFileSync(join(folder.path, "visits.csv"), "utf8");
    writeFileSync(join(folder.path, "twin.csv"), rows);
    await expect(open(folder)).rejects.toThrow("is a copy of the source");
    writeFileSync(join(folder.path, "twin.csv"), `${rows}p1,about,1\n`);
    const { service } = await open(folder);
    const { preview } = await service.plan("alice", "visits", TOP as never);
    expect(preview).toMatchObject({ recall: 1, released: 1 });
  });

  it("answers, charges both accounts, and returns the stored answer for the same key", async () => {
    const { service } = await open(await here());
    const first = await service.release("alice", "visits", TOP as never, "k1");
    expect(first.isStored).toBe(false);
    expect(first.release).toMatchObject({ id: "alice.k1", analyst: "alice", dataset: "visits" });
    expect(first.release.answer.winners.map(({ item }) => item)).toEqual(["mail", "news"]);
    const again = await service.release("alice", "visits", { ...TOP, epsilon: 1.0 } as never, "k1");
    expect(again).toEqual({ release: first.release, isStored: true });
    expect(await service.budget("alice", "visits")).toMatchObject({
      budget: { remaining: { epsilon: "19" }, releases: 1 },
      cap: { remaining: { epsilon: "2" }, limit: { epsilon: "3" }, releases: 1 },
    });
    expect((await service.budget("bob", "visits")).cap.remaining.epsilon).toBe("20");
    expect(await codeOf(service.release("alice", "visits", { ...TOP, k: 1 } as never, "k1"))).toBe(
      "release-id-taken",
    );
  });

  it("charges fractions exactly, as the command line does, and refuses denominators that would pile up", async () => {
    const { service } = await open(await here());
    const ask = (epsilon: string) => ({ kind: "top", k: 2, epsilon }) as const;
    const { release } = await service.release("alice", "visits", ask("1/3"), "third");
    expect(release).toMatchObject({
      question: { epsilon: "1/3" },
      loss: { measure: "pure", epsilon: "1/3" },
    });
    for (const [epsilon, left] of [
      ["2/39", "34/13"], // 3 - 1/3 - 2/39
      ["0.000000000000000001", "33999999999999999987/13000000000000000000"],
    ]) {
      await service.release("alice", "visits", ask(epsilon), epsilon.slice(-1));
      expect((await service.budget("alice", "visits")).cap.remaining.epsilon).toBe(left);
    }
    for (const epsilon of ["1/41", "1/7919", "1e-19"])
      await expect(service.cost("alice", "visits", ask(epsilon))).rejects.toThrow(
        `epsilon must be a decimal with at most 18 places, or a fraction with a denominator of at most 40; got "${epsilon}".`,
      );
  });

  it("answers a key that comes many times at once with one charge, and refuses another question with it", async () => {
    const { service } = await open(await here());
    const all = await Promise.all(
      Array.from({ length: 50 }, () => service.release("alice", "visits", TOP as never, "k")),
    );
    expect(all.filter(({ isStored }) => !isStored)).toHaveLength(1);
    expect(new Set(all.map(({ release }) => JSON.stringify(release))).size).toBe(1);
    expect((await service.budget("alice", "visits")).cap.releases).toBe(1);
    const both = [
      service.release("alice", "visits", TOP as never, "q"),
      service.release("alice", "visits", { ...TOP, k: 3 } as never, "q"),
    ];
    expect(await Promise.all(both.map(codeOf))).toEqual(["", "release-id-taken"]);
  });

  it("never exceeds a cap, or the budget of all", async () => {
    const { service } = await open(await here());
    const spend = (analyst: string, times: number) =>
      Promise.all(
        Array.from({ length: times }, (_, i) =>
          codeOf(service.release(analyst, "visits", TOP as never, `x${i}`)),
        ),
      );
    const own = await spend("alice", 6);
    expect(own.filter((code) => code === "")).toHaveLength(3);
    expect(own.filter((code) => code === "over-budget")).toHaveLength(3);
    const others = await spend("bob", 19);
    expect(others.filter((code) => code === "")).toHaveLength(17);
    expect(await service.cost("bob", "visits", TOP as never)).toMatchObject({ fits: false, more: 0 });
    expect((await service.budget("bob", "visits")).budget.remaining.epsilon).toBe("0");
  });

  it.each<[string, object, string]>([
    ["a kind that isn't allowed", { kind: "names", epsilon: 1 }, "not-allowed"],
    ["a larger k", { ...TOP, k: 5 }, "not-allowed"],
    ["a larger price", { ...TOP, epsilon: "1.0001" }, "not-allowed"],
    ["a δ that isn't configured", { ...TOP, delta: "1e-9" }, "not-allowed"],
    ["a price with a large denominator", { ...TOP, epsilon: "1/7919" }, "not-answerable"],
    ["a column", { ...TOP, item: "minutes" }, "invalid-request"],
    ["no price", { kind: "top", k: 1 }, "not-answerable"],
    ["two prices", { ...TOP, rho: "0.1" }, "not-answerable"],
    ["a question without a k", { kind: "top", epsilon: 1 }, "not-answerable"],
    ["quantiles of names", { kind: "quantile", quantiles: [0.5], epsilon: 1 }, "not-allowed"],
  ])("refuses %s", async (_, question, code) => {
    const { service } = await shared();
    expect(await codeOf(service.release("alice", "visits", question as never, "k"))).toBe(code);
  });

  it("refuses an analyst without a cap, and a name that doesn't exist", async () => {
    const { service } = await shared();
    expect(await codeOf(service.cost("bob", "minutes", TOP as never))).toBe("not-allowed");
    expect(await codeOf(service.cost("mallory", "visits", TOP as never))).toBe("not-allowed");
    expect(await codeOf(service.cost("alice", "__proto__", TOP as never))).toBe("not-found");
  });

  it("counts once while the counts are fresh, and for each release where they may not be kept", async () => {
    const folder = await here();
    const rows = watched(countedInMemory(folder));
    const { service } = await open(folder, rows);
    await service.countAhead();
    rows.opened.length = 0;
    writeFileSync(join(folder.path, "visits.csv"), "user,area,minutes\n");
    for (const key of ["a", "b", "c"]) await service.release("bob", "visits", TOP as never, key);
    expect(rows.opened).toEqual([]);
    const fresh = await service.release("alice", "unlisted", { ...TOP, delta: "1e-6" } as never, "d");
    expect(rows.opened).toEqual(["area"]);
    expect(fresh.release.answer.winners).toEqual([]);
  });

  it("refuses a key for another data set of the same account, at once and later", async () => {
    const again = { ...configJson().datasets.visits, account: "visits", budget: undefined };
    const folder = await here({
      "datasets/again": again,
      "analysts/bob/caps": { visits: { epsilon: "20" }, again: { epsilon: "20" } },
    });
    const { service } = await open(folder);
    const ask = (name: string, key: string) => service.release("bob", name, TOP as never, key);
    const { release } = await ask("visits", "same");
    expect(release.source).toMatchObject({ name: "visits" });
    expect(await codeOf(ask("again", "same"))).toBe("release-id-taken");
    expect(await codeOf(service.stored("bob", "again", TOP as never, "same"))).toBe("release-id-taken");
    expect(await ask("visits", "same")).toEqual({ release, isStored: true });
    const codes = await Promise.all([codeOf(ask("visits", "both")), codeOf(ask("again", "both"))]);
    expect(codes).toEqual(["", "release-id-taken"]);
    await service.close();
    const { service: restarted } = await open(folder);
    expect(await codeOf(restarted.release("bob", "again", TOP as never, "same"))).toBe("release-id-taken");
    expect((await restarted.release("bob", "visits", TOP as never, "same")).release).toEqual(release);
  });

  it("names the items that enough people have, by every mechanism for unknown domains", async () => {
    const folder = await here();
    const { service } = await open(folder);
    const base = { epsilon: "2", delta: "1e-6" };
    const limited = await service.release("alice", "unlisted", { kind: "top", k: 2, ...base }, "limited");
    const names = await service.release("alice", "unlisted", { kind: "names", ...base }, "names");
    const stable = await service.release("alice", "unlisted", { kind: "adaptive", k: 3, ...base }, "stable");
    expect(limited.release.answer.winners.map(({ item }) => item)).toEqual(["mail", "news"]);
    expect(names.release.question).toMatchObject({ k: 3, maxItemsPerUser: 2 });
    expect(names.release.answer.winners.length).toBeGreaterThan(0);
    expect(stable.release.question.mechanism).toBe("stable-top-k");
    const middle = await service.release(
      "alice",
      "minutes",
      { kind: "quantile", quantiles: [0.5], epsilon: 1 },
      "median",
    );
    expect(Number(middle.release.answer.winners[0]?.item)).toBeGreaterThan(20);
  });

  it("refuses a count that fails on the rows, charges it once for a key, and tells only the operator", async () => {
    const folder = await here({ "datasets/visits/maxAge": 0 });
    let opens = 0; // the first is the check at the start
    const { service, events } = await open(folder, {
      openRows: async (...given) => {
        const rows = await countedInMemory(folder)(...given);
        opens++;
        return opens === 1 ? rows : failing(rows);
      },
    });
    const refusal = { code: "count-failed", message: COUNT_FAILED };
    for (const _ of [1, 2])
      await expect(service.release("bob", "visits", TOP as never, "k")).rejects.toMatchObject(refusal);
    expect(events).toMatchObject([{ event: "count-failed", dataset: "visits", code: "unreadable-source" }]);
    expect((await service.budget("bob", "visits")).cap.spent.epsilon).toBe("1");
  });

  it("charges nothing if the source can't be reached, or the request is cancelled before its rows", async () => {
    const folder = await here({ "datasets/visits/maxAge": 0 });
    const { service } = await open(folder);
    const cancelled = AbortSignal.abort();
    expect(await codeOf(service.release("bob", "visits", TOP as never, "a", { signal: cancelled }))).toBe(
      "busy",
    );
    rmSync(join(folder.path, "visits.csv"));
    expect(await codeOf(service.release("bob", "visits", TOP as never, "b"))).toBe("source-unavailable");
    expect((await service.budget("bob", "visits")).cap.releases).toBe(0);
  });

  it("answers who asks with the key of a request that is given up, and charges once", async () => {
    const { service } = await open(await here());
    const first = new AbortController();
    const ask = (signal?: AbortSignal) => service.release("bob", "visits", TOP as never, "k", { signal });
    const given = ask(first.signal);
    const others = [ask(), ask()];
    first.abort();
    expect(await codeOf(given)).toBe("busy");
    const [one, other] = await Promise.all(others);
    expect(one!.release).toEqual(other!.release);
    expect((await service.budget("bob", "visits")).cap.releases).toBe(1);
  });

  it("finds, lists and proves one's own releases only, also those that the command line gave one's ids", async () => {
    const folder = await here();
    const { service } = await open(folder);
    const { release } = await service.release("alice", "visits", TOP as never, "mine");
    expect(await service.find("alice", "alice.mine")).toEqual(release);
    expect(await service.find("bob", "alice.mine")).toBeUndefined();
    expect(await service.find("alice", "alice.other")).toBeUndefined();
    expect(await service.find("alice", "\u0000")).toBeUndefined();
    expect(await service.proof("bob", "alice.mine")).toBeUndefined();
    expect(await service.proof("alice", "alice.mine")).toBeDefined();
    expect(await service.releases("alice")).toEqual([release]);
    expect(await service.releases("bob")).toEqual([]);
    expect((await service.head()).sequence).toBe(4);
    const ledger = await openLedger(join(folder.path, "team.ledger"));
    const {
      analyst: _,
      ledger: __,
      charge: ___,
      ...unowned
    } = release as typeof release & { charge?: unknown };
    await ledger.record("visits", { ...unowned, id: "alice.theirs" });
    await ledger.close();
    expect(await service.find("alice", "alice.theirs")).toBeUndefined();
    for (const wasSought of [false, true])
      expect(await codeOf(service.release("alice", "visits", TOP as never, "theirs", { wasSought }))).toBe(
        "release-id-taken",
      );
  });

  it("records the time of the request, not of the count", async () => {
    const { service } = await shared();
    const arrived = new Date("2026-01-02T03:04:05.678Z");
    const { release } = await service.release("bob", "visits", TOP as never, "time", { arrived });
    expect(release.time).toBe("2026-01-02T03:04:05.678Z");
  });
});

/** One service for cases that don't change what others see. */
let common: ReturnType<typeof openService> | undefined;
async function shared() {
  common ??= here().then((folder) => openService(folder));
  return common;
}
afterAll(async () => {
  await (await common)?.service.close();
});

function failing(rows: DatasetRows): DatasetRows {
  return {
    ...rows,
    close: () => rows.close(),
    // biome-ignore lint/correctness/useYield: it fails before its first batch
    async *count() {
      throw Object.assign(new Error("secret row"), { code: "unreadable-source" });
    },
  };
}
