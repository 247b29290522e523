/** The same question at the command line, in the page, over HTTP and from an agent is one question: price, guards, labels, document. */
import { expect, it, onTestFinished } from "vitest";
import {
  caption,
  countedInWords,
  flagOf,
  KINDS,
  type Kind,
  kindOf,
  MECHANISMS,
  type Mechanism,
  OPTIONS,
  type OptionName,
  type Release,
  readRelease,
  toCsv,
  toSvg,
} from "winnow-release";
import { machineHost } from "../../cli/src/serve/machine.js";
import { Agent } from "../../cli/test/support/agent.js";
import { expectRefused } from "../../cli/test/support/expect-refused.js";
import { winnowHere } from "../../cli/test/support/in-process.js";
import { AREAS } from "../../cli/test/support/visits.js";
import { type Ended, type Folder, folder } from "../../cli/test/support/winnow.js";
import { mechanismNamed } from "../../release/src/mechanisms/mechanisms.js";
import { BrowserLedger } from "../../studio/src/ledger/browser-ledger.js";
import { passingMemory, passingShelf } from "../../studio/src/ledger/ledger-storage.js";
import { costOf, releaseOnce } from "../../studio/src/worker/answering.js";
import type { Asked } from "../../studio/src/worker/api.js";
import { DataSession } from "../../studio/src/worker/data-session.js";
import { Task } from "../../studio/src/worker/task.js";
import { readConfig } from "../src/config.js";
import { ask, KEYS, openService } from "./support/service-folder.js";

/** Everyone is in one of them, and neither is empty, where names would be drawn at random. */
const COUNTRIES = ["DE", "FR"];

/** Names so far apart that no noise changes their order, how many stand out or who is named, and no one has two of them. */
const ROWS = Object.entries({ mail: 2000, news: 1900, maps: 5, jobs: 3 }).flatMap(([area, people]) =>
  Array.from({ length: people }, (_, i) => `${area}${i},${area},${i % 100},${COUNTRIES[i % 2]}`),
);
const ROW_FILE = `user,area,minutes,country\n${ROWS.join("\n")}\n`;
const LIMIT = 2;
const RANGE = { lower: "0", upper: "100", step: "1" };

/** As the table of options names them; `dataset` decides about the candidates. */
interface Fields {
  readonly kind: string;
  readonly dataset: Dataset;
  readonly mechanism?: string;
  readonly k?: number;
  readonly epsilon?: string;
  readonly delta?: string;
  readonly rho?: string;
  readonly counts?: boolean;
  readonly resolution?: string;
  readonly quantiles?: readonly string[];
}
/** In the last two, every question has one answer for each country, of which a person is in one. */
type Dataset = "listed" | "unlisted" | "minutes" | "listed-by-country" | "unlisted-by-country";
const ALL: readonly Dataset[] = [
  ...(["listed", "unlisted", "minutes"] as const),
  ...(["listed-by-country", "unlisted-by-country"] as const),
];

function isInGroups({ dataset }: Fields): boolean {
  return dataset.endsWith("-by-country");
}

function domainOf({ dataset }: Fields): "listed" | "unknown" | "grid" {
  if (dataset === "minutes") return "grid";
  return dataset.startsWith("unlisted") ? "unknown" : "listed";
}

const DATASETS: Readonly<Record<string, Dataset>> = {
  listed: "listed",
  unknown: "unlisted",
  grid: "minutes",
};

/** The least that a mechanism answers, or a kind by the mechanism that it chooses. */
function fieldsFor({ rules }: Mechanism): Fields {
  const kind = kindOf({ kind: rules.kind });
  return {
    kind: rules.kind,
    dataset: DATASETS[rules.domains[0] ?? ""] ?? "listed",
    epsilon: "1/2",
    ...(takes(kind, "k", "maxK") && { k: rules.isForOne ? 1 : 2 }),
    ...(rules.delta === "needed" && { delta: "1e-6" }),
    ...(takes(kind, "quantiles") && { quantiles: ["0.5", "0.9"] }),
  };
}

function takes({ options: { usual, others } }: Kind, ...names: readonly OptionName[]): boolean {
  return names.some((name) => usual.includes(name) || others.includes(name));
}

const BY_KIND = KINDS.map(
  ({ name }): Fields => fieldsFor(MECHANISMS.find(({ rules }) => rules.kind === name)!),
);
const [TOP] = BY_KIND as [Fields];
/** Sets have a mechanism of their own, and names without a list come with its kind. */
const SET = MECHANISMS.find(({ rules }) => rules.isSet)!;
const NAMES = BY_KIND.find(
  ({ kind }) =>
    kindOf({ kind }).shape === "winners" && kind !== TOP.kind && !takes(kindOf({ kind }), "k", "maxK"),
)!;
const { epsilon: _, ...UNPAID } = TOP;
const MORE: readonly Fields[] = [
  { ...TOP, counts: true },
  { ...UNPAID, rho: "1/10" },
  { ...UNPAID, rho: "1/10", counts: true },
  { ...TOP, resolution: "5" },
  { ...TOP, dataset: "unlisted", delta: "1e-6" },
  { ...TOP, dataset: "unlisted", delta: "1e-6", counts: true },
  { ...NAMES, counts: true },
  { ...fieldsFor(SET), mechanism: SET.name },
  { ...fieldsFor(SET), mechanism: SET.name, counts: true },
];
/** One answer for each country. */
const IN_GROUPS: readonly Fields[] = [
  { ...TOP, dataset: "listed-by-country" },
  { ...TOP, dataset: "listed-by-country", counts: true },
  { ...fieldsFor(SET), mechanism: SET.name, dataset: "listed-by-country" },
  { ...TOP, dataset: "unlisted-by-country", delta: "1e-6" },
  { ...NAMES, dataset: "unlisted-by-country" },
];
/** Those that are one of several. */
const BY_MECHANISM = MECHANISMS.filter(
  ({ rules: { kind } }) => MECHANISMS.filter(({ rules }) => rules.kind === kind).length > 1,
).map((each): Fields => ({ ...fieldsFor(each), mechanism: each.name }));

const LEDGERS = ["line.ledger", "service.ledger", "agent.ledger"] as const;

function serviceFile(ledger: string) {
  const rows = { source: "visits.csv", user: "user", maxItemsPerUser: LIMIT };
  const kinds = (...shapes: readonly Kind["shape"][]) =>
    KINDS.filter(({ shape }) => shapes.includes(shape)).map(({ name }) => name);
  const most = { k: 1_000_000, epsilon: "5", delta: "0.00001" };
  const caps = { epsilon: "10", delta: "0.00001" };
  const groups = { by: ["country"], file: "countries.txt", maxGroupsPerUser: 1 };
  const listed = { ...rows, item: "area", domain: { kind: "list", file: "areas.txt" } };
  const unlisted = { ...rows, item: "area", domain: { kind: "unknown" } };
  return {
    ...{ ledger, tick: 20, limits: { requestsPerMinute: 100_000, strangersPerMinute: 100_000 } },
    datasets: {
      listed: { ...listed, allow: { ...most, rho: "1", kinds: kinds("winners").slice(0, 1) } },
      unlisted: { ...unlisted, allow: { ...most, kinds: kinds("winners", "frequencies") } },
      "listed-by-country": { ...listed, groups, allow: { ...most, kinds: kinds("winners").slice(0, 1) } },
      "unlisted-by-country": { ...unlisted, groups, allow: { ...most, kinds: kinds("winners") } },
      minutes: {
        ...{ ...rows, item: "minutes", domain: { kind: "grid", ...RANGE } },
        allow: { ...most, kinds: kinds("values") },
      },
    },
    analysts: {
      alice: {
        keys: [KEYS.alice.hash],
        caps: Object.fromEntries(ALL.map((name) => [name, caps])),
      },
    },
  };
}

/** The rows, the list, and a ledger for each front end with a budget for each data set. */
async function place(list = AREAS): Promise<Folder> {
  const at = folder({
    ...{ "visits.csv": ROW_FILE, "areas.txt": list, "countries.txt": `${COUNTRIES.join("\n")}\n` },
    "service.json": JSON.stringify(serviceFile("service.ledger")),
    "agent.json": JSON.stringify(serviceFile("agent.ledger")),
  });
  for (const ledger of LEDGERS)
    for (const dataset of ALL) {
      const budget = ["--epsilon", "200", "--delta", "0.01", "--yes", "--ledger", ledger];
      const { exit, stderr } = await winnowHere(at, ["budget", "init", dataset, ...budget]);
      expect(stderr + exit).toMatch(/0$/);
    }
  return at;
}

function argumentsFor(asked: Fields): string[] {
  const { kind, dataset, ...fields } = asked;
  const given: Partial<Record<OptionName, unknown>> = {
    ...fields,
    ...(domainOf(asked) === "listed" && { domain: "areas.txt" }),
    ...(isInGroups(asked) && { by: "country", groups: "countries.txt", maxGroupsPerUser: 1 }),
    ...(dataset === "minutes"
      ? { column: "minutes", range: `${RANGE.lower}..${RANGE.upper}`, step: RANGE.step }
      : { item: "area" }),
    ...(isCut(asked) && {
      [takes(kindOf({ kind }), "maxValuesPerUser") ? "maxValuesPerUser" : "maxItemsPerUser"]: LIMIT,
    }),
    user: "user",
  };
  const options = Object.entries(given).flatMap(([name, value]) => [
    flagOf(OPTIONS[name as OptionName]),
    ...(value === true ? [] : [String(value)]),
  ]);
  return [kind, "visits.csv", ...options, "--dataset", dataset, "--ledger", "line.ledger"];
}

/** The service has one limit, and uses it where people must be cut; elsewhere someone says it or doesn't. */
function isCut({ kind, dataset, mechanism }: Fields): boolean {
  if (dataset === "minutes") return true;
  const all = MECHANISMS.filter(({ name, rules }) => rules.kind === kind && (mechanism ?? name) === name);
  return all.every(({ rules }) => rules.bound === "needed");
}

function askedFor(asked: Fields): Asked {
  const { dataset, ...fields } = asked;
  return {
    ...fields,
    domain: domainOf(asked),
    ...(isInGroups(asked) && { groups: { by: ["country"], list: "listed", maxGroupsPerUser: 1 } }),
    neighbours: "add-remove",
    unit: "one value of column user",
    ...(dataset === "minutes" && { range: RANGE }),
    ...(isCut(asked) && { maxItemsPerUser: LIMIT }),
  };
}

/** The page's side, as its worker has it. */
async function openPage(list = AREAS) {
  const session = new DataSession();
  const ledger = new BrowserLedger(passingMemory(), passingShelf());
  for (const dataset of ALL)
    await ledger.setBudget(dataset, { measure: "approx", epsilon: "200", delta: "0.01" });
  const read = async (item: string, group?: string) => {
    await session.open(new File([ROW_FILE], "visits.csv"), new Task());
    await session.count({ item, user: "user", ...(group && { groups: [group] }) }, new Task(), () => {});
    if (group !== undefined) await session.setGroups(COUNTRIES, 1, new Task());
    await session.setCandidates(new File([list], "areas.txt"), new Task());
  };
  return {
    cost: (fields: Fields) => costOf(session, ledger, fields.dataset, askedFor(fields)),
    release: async (fields: Fields, id: string) => {
      await read(
        fields.dataset === "minutes" ? "minutes" : "area",
        isInGroups(fields) ? "country" : undefined,
      );
      return releaseOnce(session, ledger, { dataset: fields.dataset, id, asked: askedFor(fields) });
    },
    read,
  };
}

async function openHttp(at: Folder) {
  const config = readConfig(serviceFile("service.ledger"));
  const host = machineHost(at.file("service.json"), config);
  const parts = { path: at.path, config, host, remove: () => {} };
  const { app, service, events } = await openService(parts, { openRows: host.openRows });
  onTestFinished(() => service.close());
  const post = async ({ dataset, ...body }: Fields, what: "cost" | "releases", key = "a") => {
    const response = await ask(app, `/v1/datasets/${dataset}/${what}`, {
      body,
      ...(what === "releases" && { key }),
    });
    return (await response.json()) as Record<string, unknown>;
  };
  return { post, events };
}

function parsed({ exit, stdout, stderr }: Ended): Record<string, unknown> {
  expect({ exit, stderr: exit === 0 ? "" : stderr }).toEqual({ exit: 0, stderr: "" });
  return JSON.parse(stdout) as Record<string, unknown>;
}

it("one price and one mechanism, for every kind and every mechanism", async () => {
  const at = await place();
  const [page, http] = [await openPage(), await openHttp(at)];
  const agent = await Agent.connect(at, { config: "agent.json" });
  for (const fields of [...BY_KIND, ...MORE, ...BY_MECHANISM, ...IN_GROUPS]) {
    await page.read("area", isInGroups(fields) ? "country" : undefined);
    const line = parsed(await winnowHere(at, [...argumentsFor(fields), "--dry-run", "--json"]));
    const own = await page.cost(fields);
    const asked = await http.post(fields, "cost");
    const { data } = await agent.call("cost", { ...fields });
    const {
      question,
      loss,
      mechanism,
      reserves = loss,
    } = line as {
      question: object;
      loss: { measure: string; readable: string };
      mechanism: { name: string };
      reserves?: { measure: string; readable: string };
    };
    // In another measure a dry run says what of this budget it would take; the others say what is set aside.
    const reserved = (reserves.measure === loss.measure ? reserves : loss).readable;
    expect(asked).toMatchObject({ question, loss, reserved: { readable: reserved } });
    expect(data).toMatchObject({ question, loss, reserved: { readable: reserved } });
    expect(own).toMatchObject({ mechanism: mechanism.name, loss: reserved });
  }
});

/** What differs between two runs, or belongs to a front end. */
function documentOf({ id, time, software, ledger, analyst, answer, source, ...release }: Release) {
  const { name: _, ...read } = source;
  const groups = answer.groups?.map(({ name, answer }) => ({ name, ...withoutDraws(answer) }));
  return { ...release, source: read, answer: { ...withoutDraws(answer), groups } };
}

function withoutDraws({ winners, ...answer }: Omit<Release["answer"], "groups">) {
  const named = winners.map(({ item, gap, count, quantile, ...more }) => ({
    ...{ item: quantile === undefined ? item : "a value", quantile, ...more },
    ...{ gap: gap !== undefined, count: count !== undefined },
  }));
  return { ...answer, winners: named, frequencies: answer.frequencies !== undefined };
}

function withoutNumbers(text: string): string {
  return text.replace(/[\d.,−-]+/g, "0");
}

/** Its words without its numbers. */
function labelsOf(release: Release) {
  const [columns] = toCsv(release).split("\n");
  const texts = [...toSvg(release).matchAll(/<text[^>]*>([^<]*)</g)].map(([, text = ""]) =>
    withoutNumbers(text),
  );
  return { columns, caption: withoutNumbers(caption(release)), texts: new Set(texts) };
}

it("one document with the same labels, for every kind, with counts, as a set and in groups", async () => {
  const at = await place();
  const [page, http] = [await openPage(), await openHttp(at)];
  const agent = await Agent.connect(at, {
    config: "agent.json",
    args: ["--session-cap", "90", "--session-delta", "0.001", "--yes"],
    answers: Array.from({ length: 40 }, () => "accept"),
  });
  for (const [index, fields] of [...BY_KIND, ...MORE, ...IN_GROUPS].entries()) {
    const key = `release-${index}`;
    const line = parsed(
      await winnowHere(at, [...argumentsFor(fields), "--json", "--yes", "--release-id", key]),
    ) as unknown as Release;
    const published = await page.release(fields, key);
    const answered = await http.post(fields, "releases", key);
    const { data, text } = await agent.call("release", { ...fields });
    const [own, asked] = [published.documents.json, JSON.stringify(answered)].map((json) =>
      readRelease(json),
    );
    expect(documentOf(own!)).toEqual(documentOf(line));
    expect(documentOf(asked!)).toEqual(documentOf(line));
    expect(data).toMatchObject({
      question: line.question,
      loss: line.loss,
      notes: line.notes,
      counted: countedInWords(line.question),
    });
    expect(labelsOf(own!)).toEqual(labelsOf(line));
    expect(labelsOf(asked!)).toEqual(labelsOf(line));
    expect(published.documents).toMatchObject({ csv: toCsv(own!), caption: caption(own!) });
    expect(withoutNumbers(text)).toContain(labelsOf(line).caption);
  }
});

it("refuses the same questions in the same words", async () => {
  const at = await place();
  const [page, http] = [await openPage(), await openHttp(at)];
  const agent = await Agent.connect(at, { config: "agent.json" });
  await page.read("area");
  const [top] = BY_KIND as [Fields];
  const { epsilon: _, ...unpaid } = top;
  const forOne = BY_MECHANISM.find(({ mechanism }) => mechanismNamed(mechanism)?.rules.isForOne)!;
  for (const [sentence, fields] of [
    [
      "must be an integer from 1 to 4 for 5 candidates with top-k-with-gap (the last lead needs a runner-up)",
      { ...top, k: 6 },
    ],
    ["must be 1 with permute-and-flip; got 2", { ...forOne, k: 2 }],
    ["counts must be absent with permute-and-flip; got true", { ...forOne, counts: true }],
    ["delta must be absent with permute-and-flip, which needs none", { ...forOne, delta: "1e-6" }],
    [/exactly one of (--)?epsilon and (--)?rho/, unpaid],
    ["quantiles must be", { ...BY_KIND.find(({ quantiles }) => quantiles)!, quantiles: ["0.5", "2"] }],
  ] as const) {
    const asked: Fields = fields;
    expect((await winnowHere(at, [...argumentsFor(asked), "--dry-run"])).stderr).toMatch(sentence);
    await expect(page.cost(asked)).rejects.toThrow(sentence);
    expect((await http.post(asked, "cost")).detail).toMatch(sentence);
    expect((await agent.call("cost", { ...asked })).text).toMatch(sentence);
  }
});

it("asks the curator about rows and prices; a service refuses such prices and tells no one about its rows", async () => {
  const list = "Mail\nPosts\nOther\n";
  const at = await place(list);
  const [page, http] = [await openPage(list), await openHttp(at)];
  const [top] = BY_KIND as [Fields];
  const line = (fields: Fields) => winnowHere(at, [...argumentsFor(fields), "--json"]);
  const concerned = { code: "unconfirmed", message: expect.stringContaining("may not match the rows") };
  expectRefused(await line(top), { exit: 2, code: "unconfirmed", says: "may not match the rows" });
  await expect(page.release(top, "none")).rejects.toMatchObject(concerned);
  expect(await http.post(top, "releases")).toMatchObject({ answer: { released: true } });
  expect(http.events).toEqual([{ event: "rows-doubtful", dataset: "listed", code: "list-match" }]);

  const dear = { ...top, epsilon: "11" };
  expectRefused(await line(dear), { exit: 2, code: "unconfirmed", says: "must be at most ε = 10" });
  await expect(page.release(dear, "dear")).rejects.toMatchObject({
    code: "unconfirmed",
    message: expect.stringContaining("must be at most ε = 10"),
  });
  expect(await http.post(dear, "releases", "dear")).toMatchObject({ code: "not-allowed" });
});

it("takes no private file for a list", async () => {
  const at = await place(ROW_FILE);
  const [top] = BY_KIND as [Fields];
  const line = await winnowHere(at, [...argumentsFor(top), "--yes"]);
  expectRefused(line, { exit: 2, code: "not-public", says: "must be a public file" });
  await expect((await openPage(ROW_FILE)).release(top, "own")).rejects.toMatchObject({ code: "not-public" });
  await expect(openHttp(at)).rejects.toMatchObject({ code: "not-public" });
  const { exit, stderr } = await at.winnow(["mcp", "agent.json", "--analyst", "alice"], { input: "" });
  expectRefused({ exit, stdout: "", stderr }, { exit: 2, code: "not-public", says: "must be a public file" });
});

it("takes no list whose rows were charged, under whatever name", async () => {
  const charged = `user,area,minutes\n${Array.from({ length: 40 }, (_, i) => `p${i},mail,1`).join("\n")}\n`;
  const at = await place(charged);
  const [top] = BY_KIND as [Fields];
  const names = ["--item", "area", "--user", "user", "-k", "1", "--epsilon", "1/9", "--delta", "1e-7"];
  for (const ledger of LEDGERS) {
    const others = [...names, "--format", "csv", "--dataset", "others", "--new-dataset", "--yes"];
    const { exit, stderr } = await winnowHere(at, ["top", "areas.txt", ...others, "--ledger", ledger]);
    expect(stderr + exit).toMatch(/0$/);
  }
  const says = 'has rows that were charged to "others"';
  const refused = { code: "not-public", message: expect.stringContaining(says) };
  expectRefused(await winnowHere(at, [...argumentsFor(top), "--yes"]), { exit: 2, code: "not-public", says });
  await expect(openHttp(at)).rejects.toMatchObject(refused);
  const { exit, stderr } = await at.winnow(["mcp", "agent.json", "--analyst", "alice"], { input: "" });
  expectRefused({ exit, stdout: "", stderr }, { exit: 2, code: "not-public", says });

  const session = new DataSession();
  const ledger = new BrowserLedger(passingMemory(), passingShelf());
  for (const dataset of ["others", top.dataset])
    await ledger.setBudget(dataset, { measure: "approx", epsilon: "200", delta: "0.01" });
  const read = async (text: string) => {
    await session.open(new File([text], "rows.csv"), new Task());
    await session.count({ item: "area", user: "user" }, new Task(), () => {});
  };
  await read(charged);
  const unlisted = askedFor({ ...top, k: 1, dataset: "unlisted", delta: "1e-6" });
  await releaseOnce(session, ledger, { dataset: "others", id: "first", asked: unlisted });
  await read(ROW_FILE);
  await session.setCandidates(new File([charged], "areas.txt"), new Task());
  const again = { dataset: top.dataset, id: "second", asked: askedFor(top) };
  await expect(releaseOnce(session, ledger, again)).rejects.toMatchObject(refused);
});

it("recognises rows that a service has charged under another name", async () => {
  const at = await place();
  const http = await openHttp(at);
  const [top] = BY_KIND as [Fields];
  expect(await http.post(top, "releases")).toMatchObject({ answer: { released: true } });
  const words = argumentsFor(top).map((word) => (word === "line.ledger" ? "service.ledger" : word));
  const renamed = [...words.slice(0, words.indexOf("--dataset")), "--dataset", "other people"];
  expectRefused(await winnowHere(at, [...renamed, "--ledger", "service.ledger"]), {
    exit: 2,
    code: "which-dataset",
    says: 'These rows were charged to "listed" before',
  });
});
