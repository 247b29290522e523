/**
 * A data set with groups: one release, one charge, and one answer for each group of the operator's public list, also an empty one.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { readRelease, toJson } from "winnow-release";
import { readConfig } from "../src/config.js";
import { answerText, groupsOf, WARNING } from "../src/mcp/untrusted.js";
import {
  ask,
  type Changes,
  changedConfig,
  expectShape,
  openService,
  serviceFolder,
  TOP,
} from "./support/service-folder.js";

/** How many people of which country have been where; everyone is in one country, and some rows name another one later. */
const VISITS: readonly (readonly [country: string, area: string, people: number])[] = [
  ["DE", "mail", 400],
  ["DE", "news", 200],
  ["FR", "news", 300],
  ["FR", "mail", 100],
  ["IT", "maps", 500], // not in the list
];
const COUNTRIES = ["US", "FR", "DE"];

async function serving(changes: Changes = {}) {
  const folder = await serviceFolder({
    "datasets/visits/groups": { by: ["country"], file: "countries.txt", maxGroupsPerUser: 1 },
    "datasets/unlisted": undefined,
    "datasets/minutes": undefined,
    "analysts/alice/caps": { visits: { epsilon: "3" } },
    ...changes,
  });
  onTestFinished(folder.remove);
  const rows = VISITS.flatMap(([country, area, people]) =>
    Array.from({ length: people }, (_, at) => `${country}-${at},${area},${country},${at % 100}`),
  );
  writeFileSync(join(folder.path, "visits.csv"), `user,area,country,minutes\n${rows.join("\n")}\n`);
  writeFileSync(join(folder.path, "countries.txt"), `${COUNTRIES.join("\n")}\n`);
  const opened = await openService(folder, { openRows: folder.host.openRows });
  onTestFinished(() => opened.service.close());
  const release = async (body: object, key: string) => {
    const response = await ask(opened.app, "/v1/datasets/visits/releases", { body, key });
    return { status: response.status, release: await response.json() };
  };
  return { ...opened, release };
}

const BEST = { ...TOP, k: 1, epsilon: "1" };

it("is answered for each group in the order of the list, for one charge, from one count", async () => {
  const { app, service, release } = await serving();
  const made = await release(BEST, "k1");
  expect([made.status, made.release.code]).toEqual([201, undefined]);
  expectShape("Release", made.release);
  const { groups, winners } = made.release.answer;
  expect(winners).toEqual([]);
  expect(groups.map(({ name }: { name: string[] }) => name)).toEqual(COUNTRIES.map((name) => [name]));
  const best = groups.map(
    ({ answer }: { answer: { winners: { item: string }[] } }) => answer.winners[0]?.item,
  );
  expect(best.slice(1)).toEqual(["news", "mail"]);
  expect(["about", "jobs", "mail", "maps", "news"]).toContain(best[0]); // no one is in this group, and it is answered
  expect(made.release.question.groups).toMatchObject({ by: ["country"], maxGroupsPerUser: 1 });
  expect((await service.budget("alice", "visits")).cap.spent.epsilon).toBe("1");
  expect(readRelease(toJson(made.release)).answer.groups).toHaveLength(COUNTRIES.length);

  expect(await release(BEST, "k1")).toEqual({ status: 200, release: made.release });
  const proof = await (await ask(app, "/v1/releases/alice.k1/proof")).json();
  expectShape("Proof", proof);
});

it("says beforehand what it costs and what each answer is worth", async () => {
  const { app } = await serving();
  const described = await (await ask(app, "/v1/datasets/visits")).json();
  expectShape("Dataset", described);
  expect(described.groups).toMatchObject({ by: ["country"], list: { size: 3 }, maxGroupsPerUser: 1 });
  const plan = await (await ask(app, "/v1/datasets/visits/plan", { body: { ...BEST, counts: true } })).json();
  expectShape("Plan", plan);
  expect(plan.notes[0]).toBe(
    "One answer for each group by country: a public list of 3 groups; each person counts in at most 1 group.",
  );
  expect(plan.count.halfWidth).toMatch(/^\d/);
  const cost = await (await ask(app, "/v1/datasets/visits/cost", { body: BEST })).json();
  expectShape("Cost", cost);
  expect(cost.reserved.epsilon).toBe("1");
  const guessed = await ask(app, "/v1/datasets/visits/plan", { body: { ...BEST, guess: "people=10" } });
  expect([guessed.status, (await guessed.json()).detail]).toEqual([
    422,
    "guess must be absent for a question in groups.",
  ]);
});

it("keeps counts of an unknown domain by group, and shows a question no more rows than it may see", async () => {
  const { release } = await serving({
    "datasets/visits/account": "unlisted",
    "datasets/visits/domain": { kind: "unknown" },
    "datasets/visits/budget": undefined,
    "datasets/visits/maxItemsPerUser": 1,
    "datasets/visits/allow": { kinds: ["top", "names"], k: 2, epsilon: "2", delta: "1e-6" },
    "analysts/alice/caps": { visits: { epsilon: "10", delta: "1e-5" } },
    "analysts/bob/caps": {},
  });
  for (const kind of ["top", "names"]) {
    const { status, release: made } = await release(
      { kind, k: kind === "top" ? 1 : 2, epsilon: "2", delta: "1e-6" },
      kind,
    );
    expect([status, made.code]).toEqual([201, undefined]);
    expectShape("Release", made);
    const items = made.answer.groups.map(({ answer }: { answer: { winners: { item: string }[] } }) =>
      answer.winners.map(({ item }) => item),
    );
    if (kind === "top") expect(items).toEqual([[], ["news"], ["mail"]]);
    else expect(items).toEqual([[], ["mail", "news"], ["mail", "news"]]);
  }
});

it("is read by agents group by group, names as untrusted text", async () => {
  const { release } = await serving();
  const { release: made } = await release({ ...BEST, counts: true }, "k1");
  const groups = groupsOf(made);
  expect(groups?.map(({ group }) => group)).toEqual(COUNTRIES);
  expect(groups?.[1]?.rows[0]).toMatchObject({ rank: 1, untrustedName: "news", shown: "exactly" });
  const text = answerText(made);
  expect(text).toContain(WARNING);
  expect(text).toMatch(/group "FR":\n1\. "news", \d+ users/);
});

it.each<[string, Changes, string]>([
  ["without a column", { by: [] }, "datasets.visits.groups.by must be a list of one or two columns"],
  [
    "by the column of items",
    { by: ["area"] },
    "datasets.visits must have other columns as groups than item and user",
  ],
  ["twice by one column", { by: ["a", "a"] }, "datasets.visits.groups.by must have different columns"],
  ["without a limit", { maxGroupsPerUser: undefined }, "datasets.visits.groups.maxGroupsPerUser must be"],
  ["without a list", { file: undefined }, "datasets.visits.groups.file must be a path"],
])("is refused %s", (_, fields, sentence) => {
  const groups = { by: ["country"], file: "countries.txt", maxGroupsPerUser: 1, ...fields };
  expect(() => readConfig(changedConfig({ "datasets/visits/groups": groups }))).toThrow(sentence);
});
