/** Which rows count, in a service: the operator's condition, an analyst's beside it, and the periods of an account. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { type AccountPromise, readRelease, toJson } from "winnow-release";
import { openLedger } from "../../cli/src/ledger/open-ledger.js";
import { readConfig } from "../src/config.js";
import { messageFor } from "../src/mcp/asking.js";
import {
  ask,
  type Changes,
  changedConfig,
  expectShape,
  openService,
  serviceFolder,
  TOP,
} from "./support/service-folder.js";

/** Visits by country and day; everyone has one row. */
const VISITS: readonly (readonly [country: string, area: string, day: string, people: number])[] = [
  ["DE", "mail", "2026-01-05", 900],
  ["DE", "news", "2026-01-12", 700],
  ["FR", "maps", "2026-01-05", 3000],
  ["it's", "jobs", "2026-01-13", 500],
];

const CONDITIONS: Changes = {
  "datasets/unlisted": undefined,
  "datasets/minutes": undefined,
  "analysts/alice/caps": { visits: { epsilon: "20" } },
  "datasets/visits/allow/where": ["country", "day"],
  "datasets/visits/types": { day: "date" },
};

async function serving(changes: Changes = {}, promise?: AccountPromise) {
  const folder = await serviceFolder({ ...CONDITIONS, ...changes });
  onTestFinished(folder.remove);
  const rows = VISITS.flatMap(([country, area, day, people]) =>
    Array.from({ length: people }, (_, at) => `${country}-${area}-${at},${area},${country},${day}`),
  );
  writeFileSync(join(folder.path, "visits.csv"), `user,area,country,day\n${rows.join("\n")}\n`);
  if (promise !== undefined) {
    const ledger = await openLedger(join(folder.path, "team.ledger"), {});
    await ledger.setBudget("visits", { measure: "pure", epsilon: "2" }, { replace: true, promise });
    await ledger.close();
  }
  let opened = 0;
  const service = await openService(folder, {
    openRows: (...given) => {
      opened++;
      return folder.host.openRows(...given);
    },
  });
  onTestFinished(() => service.service.close());
  let made = 0;
  const release = async (body: object) => {
    const response = await ask(service.app, "/v1/datasets/visits/releases", { body, key: `k${made++}` });
    return { status: response.status, release: await response.json() };
  };
  const best = async (body: object) => (await release(body)).release.answer?.winners[0]?.item;
  return { ...service, release, best, folder, opened: () => opened };
}

const BEST = { ...TOP, k: 1, epsilon: "1" };

it("is part of the question: recorded in canonical form, and priced as any", async () => {
  const { app, release, best } = await serving();
  expect(await best(BEST)).toBe("maps");
  const asked = { ...BEST, where: "country = 'DE' and not day >= date '2026-01-01' + 7" };
  const made = await release(asked);
  expect([made.status, made.release.code]).toEqual([201, undefined]);
  expectShape("Release", made.release);
  expect(made.release.answer.winners[0].item).toBe("mail");
  expect(made.release.question.where).toBe("country = 'DE' and not date(day) >= '2026-01-08'");
  expect(made.release.loss.epsilon).toBe("1");
  expect(readRelease(toJson(made.release)).question.where).toBe(made.release.question.where);
  expect(await best({ ...BEST, where: "country like 'it''%'" })).toBe("jobs");

  const plan = await (await ask(app, "/v1/datasets/visits/plan", { body: asked })).json();
  expectShape("Plan", plan);
  expect(plan.notes.join(" ")).toContain("Rows: those where country = 'DE'");
  const described = await (await ask(app, "/v1/datasets/visits")).json();
  expectShape("Dataset", described);
  expect(described.conditions).toEqual([
    { column: "country", type: "text" },
    { column: "day", type: "date" },
  ]);
});

it("is refused before anything is read or charged, where it is none or not allowed", async () => {
  const { release, service, opened } = await serving();
  const before = opened();
  for (const [where, status, code, says] of [
    ["country = DE", 422, "not-answerable", "where must be a condition on one row"],
    ["country = 'DE') or (day > '2026-01-01'", 422, "not-answerable", "where must be"],
    ["area = 'mail'", 403, "not-allowed", "a condition on the columns country, day only"],
    ["country = 'DE' or \"user\" = 'x'", 403, "not-allowed", 'got "user"'],
    ["day = 'today'", 422, "not-answerable", "days such as"],
    ["x".repeat(1001), 400, "invalid-request", "at most 1000 characters"],
    [7, 400, "invalid-request", "a condition on one row"],
  ] as const) {
    const { status: got, release: refused } = await release({ ...BEST, where });
    expect([got, refused.code], String(where)).toEqual([status, code]);
    expect(refused.detail).toContain(says);
  }
  expect(opened()).toBe(before);
  expect((await service.budget("alice", "visits")).cap.spent.epsilon).toBe("0");
  const closed = await serving({
    "datasets/visits/allow/where": undefined,
    "datasets/visits/types": undefined,
  });
  expect((await closed.release({ ...BEST, where: "country = 'DE'" })).release).toMatchObject({
    code: "not-allowed",
    detail: expect.stringContaining("where must be absent for this data set"),
  });
});

it("never widens the operator's own", async () => {
  const { app, release, best } = await serving({
    "datasets/visits/where": "country = 'DE' or day < '2000-01-01'",
  });
  expect(await best(BEST)).toBe("mail");
  const made = await release({ ...BEST, where: "country = 'FR' or day >= '2026-01-12'" });
  expect(made.release.answer.winners[0].item).toBe("news");
  expect(made.release.question.where).toBe(
    "(country = 'DE' or date(day) < '2000-01-01') and (country = 'FR' or date(day) >= '2026-01-12')",
  );
  const described = await (await ask(app, "/v1/datasets/visits")).json();
  expect(described.where).toBe("country = 'DE' or date(day) < '2000-01-01'");
});

it("is counted once for each condition, however it is written, as long as counts are kept", async () => {
  const { best, opened } = await serving({ "datasets/visits/maxAge": 3600 });
  const before = opened();
  for (const where of ["country = 'DE'", "country='DE'", "\"country\" = 'DE'", "country = 'FR'"])
    await best({ ...BEST, epsilon: "1/2", where });
  await best(BEST);
  expect(opened() - before).toBe(3);
});

const PROMISE: AccountPromise = {
  unit: "person",
  period: "week",
  first: "2026-01-05",
  horizon: 4,
  maxPeriodsPerUser: 1,
};
const WEEKS: Changes = {
  "datasets/visits/budget": undefined,
  "analysts/bob": undefined,
  "datasets/visits/time": "day",
  "analysts/alice/caps": { visits: { epsilon: "2" } },
};

it("answers about one period of the account, and counts each person in as many as it promises", async () => {
  const { app, release, service } = await serving(WEEKS, PROMISE);
  const described = await (await ask(app, "/v1/datasets/visits")).json();
  expectShape("Dataset", described);
  expect(described.periods).toEqual(PROMISE);
  expect((await release(BEST)).release).toMatchObject({ code: "not-answerable" });
  expect((await release({ ...BEST, period: "2027-W01" })).release).toMatchObject({ code: "not-answerable" });
  const counts: number[] = [];
  for (const [period, item] of [
    ["2026-W02", "maps"],
    ["2026-01-14", "news"],
  ] as const) {
    const made = await release({ ...BEST, counts: true, period });
    expect([made.status, made.release.detail]).toEqual([201, undefined]);
    expectShape("Release", made.release);
    const { question, answer } = made.release;
    expect(question.period.promise).toEqual(PROMISE);
    expect(question.where).toMatch(/^date\(day\) >= '2026-01-\d\d' and date\(day\) < '2026-0\d-\d\d'$/);
    expect(answer.winners[0].item).toBe(item);
    counts.push(Number(answer.winners[0].count));
  }
  expect(Math.abs(counts[0]! - 750)).toBeLessThan(200); // one of 4 weeks
  // The most expensive week of a person is what the budget counts; a cap counts each release in full.
  const { budget, cap } = await service.budget("alice", "visits");
  expect([budget.spent.epsilon, cap.spent.epsilon]).toEqual(["1", "2"]);
});

it("holds in a period whatever the condition beside it is", async () => {
  const { release } = await serving(WEEKS, {
    ...PROMISE,
    maxPeriodsPerUser: undefined,
    unit: "person-period",
  } as never);
  const made = await release({ ...BEST, period: "2026-W03", where: "country = 'FR' or country = 'it''s'" });
  expect(made.release.answer.winners[0].item).toBe("jobs");
  expect(made.release.question.where).toBe(
    "(country = 'FR' or country = 'it''s') and date(day) >= '2026-01-12' and date(day) < '2026-01-19'",
  );
});

it("says to the person what an agent's condition reads, and none of its words", async () => {
  const { service } = await serving();
  const where = "country = 'Accept, this is free'";
  const cost = await service.cost("alice", "visits", { ...BEST, where } as never);
  const budget = await service.budget("alice", "visits");
  const message = messageFor({ cost, budget, session: { left: "ε = 1" } as never });
  expect(message).toContain("Only rows count that fit a condition on country.");
  expect(message).not.toContain("free");
});

it("is checked when the service starts", async () => {
  const config = (changes: Changes) => () => readConfig(changedConfig({ ...CONDITIONS, ...changes }));
  expect(config({ "datasets/visits/allow/where": ["user"] })).toThrow("the column of people");
  expect(config({ "datasets/visits/types": { day: "number" } })).toThrow(
    'must be "text", "date" or "decimal"',
  );
  expect(config({ "datasets/visits/allow/where": undefined })).toThrow("may have types only with where");
  for (const [changes, says, promise] of [
    [{ "datasets/visits/allow/where": ["land"] }, 'no column "land" for allow.where'],
    [{ "datasets/visits/where": "land = 'DE'" }, 'no column "land" for where'],
    [{ "datasets/visits/where": "country = DE" }, "where must be a condition"],
    [WEEKS, "datasets.visits.time must be absent"],
    [
      { ...WEEKS, "datasets/visits/time": undefined },
      "datasets.visits.time must name the column of days",
      PROMISE,
    ],
  ] as const)
    await expect(serving(changes, promise)).rejects.toThrow(says);
});
