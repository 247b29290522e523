/**
 * A service over real parts: rows in a CSV file, a public list, a ledger in a file, two analysts with keys. The time grid is
 * short, and the engine that counts the rows is used where a test passes the machine's own `openRows`.
 * @module
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import type { BudgetJson } from "winnow-release";
import type { z } from "zod";
import { openLedger } from "../../../cli/src/ledger/open-ledger.js";
import { machineHost } from "../../../cli/src/serve/machine.js";
import { newKey } from "../../src/authenticate.js";
import { type Config, readConfig } from "../../src/config.js";
import type { Host } from "../../src/host.js";
import { type AppOptions, createApp } from "../../src/http/app.js";
import type { ObservedRequest } from "../../src/http/messages.js";
import { SCHEMAS, type SchemaName } from "../../src/http/schemas.js";
import { edgesOf } from "../../src/listen.js";
import { Service, type ServiceEvent } from "../../src/service.js";

/** A name that only the rows know; no answer and no log may contain it. */
export const CANARY = "canary-0b54c2";

/** So far apart that at ε = 1 no noise changes their order. */
const COUNTS = { mail: 400, news: 300, maps: 200, jobs: 100, [CANARY]: 1 };

function csvOf(counts: Readonly<Record<string, number>>): string {
  const rows = Object.entries(counts).flatMap(([area, people]) =>
    Array.from({ length: people }, (_, i) => `p${i},${area},${i % 100}`),
  );
  return `user,area,minutes\n${rows.join("\n")}\n`;
}

export const KEYS = { alice: newKey(), bob: newKey() };

/** The file as an operator writes it. */
export function configJson() {
  const source = { source: "visits.csv", user: "user" };
  return {
    ledger: "team.ledger",
    tick: 20,
    limits: { requestsPerMinute: 100_000, strangersPerMinute: 100_000 },
    datasets: {
      visits: {
        ...source,
        item: "area",
        domain: { kind: "list", file: "areas.txt" },
        allow: { kinds: ["top", "frequencies"], k: 4, epsilon: "1", rho: "0.1", weakProtection: true }, // bob's cap
        budget: { epsilon: "20" },
        maxAge: 3600,
      },
      unlisted: {
        ...source,
        item: "area",
        account: "unlisted",
        domain: { kind: "unknown" },
        maxItemsPerUser: 2,
        allow: { kinds: ["top", "names", "adaptive"], k: 3, epsilon: "2", delta: "1e-6" },
      },
      minutes: {
        ...source,
        item: "minutes",
        domain: { kind: "grid", lower: 0, upper: 100, step: "1" },
        allow: { kinds: ["quantile"], k: 5, epsilon: "1" },
      },
    },
    analysts: {
      alice: {
        keys: [KEYS.alice.hash],
        caps: {
          visits: { epsilon: "3" },
          unlisted: { epsilon: "10", delta: "1e-5" },
          minutes: { epsilon: "5" },
        },
      },
      bob: { keys: [KEYS.bob.hash], caps: { visits: { epsilon: "20" } } },
    },
  };
}

export const BUDGETS: Readonly<Record<string, BudgetJson>> = {
  visits: { measure: "pure", epsilon: "20" },
  unlisted: { measure: "approx", epsilon: "20", delta: "0.0001" },
  minutes: { measure: "pure", epsilon: "10" },
};

export interface ServiceFolder {
  readonly path: string;
  readonly config: Config;
  readonly host: Host;
  readonly remove: () => void;
}

/** Fields of the operator's file by their paths, such as `datasets/visits/maxAge`; undefined removes one. */
export type Changes = Readonly<Record<string, unknown>>;

export function changedConfig(changes: Changes): unknown {
  type Fields = Record<string, unknown>;
  const json: Fields = structuredClone(configJson());
  for (const [path, value] of Object.entries(changes)) {
    const names = path.split("/");
    const last = names.pop() ?? "";
    const owner = names.reduce((object, name) => object[name] as Fields, json);
    if (value === undefined) delete owner[last];
    else owner[last] = value;
  }
  return json;
}

/** The files. */
export async function serviceFolder(changes: Changes = {}): Promise<ServiceFolder> {
  const path = mkdtempSync(join(tmpdir(), "winnow-service-"));
  writeFileSync(join(path, "visits.csv"), csvOf(COUNTS));
  writeFileSync(join(path, "areas.txt"), "about\njobs\nmail\nmaps\nnews\n");
  const ledger = await openLedger(join(path, "team.ledger"), { create: true });
  for (const [dataset, budget] of Object.entries(BUDGETS)) await ledger.setBudget(dataset, budget);
  await ledger.close();
  const config = readConfig(changedConfig(changes));
  const host = machineHost(join(path, "service.json"), config);
  return { path, config, host, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/**
 * Counts the same rows without an engine, which takes a second to start. The file must be there, as for the engine. Everyone is
 * in one group, where there are groups.
 */
export function countedInMemory({ path }: ServiceFolder): Host["openRows"] {
  return async ({ item, user, groups }, { items: list, groups: listed = [] }) => {
    if (!existsSync(join(path, "visits.csv"))) throw Object.assign(new Error(), { code: "missing-source" });
    const [header = "", ...lines] = readFileSync(join(path, "visits.csv"), "utf8").trimEnd().split("\n");
    const columns = header.split(",");
    const place = columns.indexOf(item);
    const group = columns.indexOf(groups?.by[0] ?? "");
    const counted = (rows: readonly string[]) => {
      const users = new Map<string, number>(list.map((name) => [name, 0]));
      for (const line of rows) {
        const name = line.split(",")[place] ?? "";
        if (list.length === 0 || users.has(name)) users.set(name, (users.get(name) ?? 0) + 1);
      }
      return [...users].sort(([, a], [, b]) => b - a);
    };
    return {
      source: { item, user, dialect: { format: "csv" } },
      notes: [],
      async *count(wanted) {
        const batch = (rows: readonly string[]) => {
          const sorted = counted(rows);
          const first = wanted.kind === "largest" ? sorted.slice(0, wanted.rows) : sorted;
          return { items: first.map(([name]) => name), users: first.map(([, count]) => count) };
        };
        if (groups === undefined) yield batch(lines);
        for (const [name = ""] of listed)
          yield { group: name, ...batch(lines.filter((line) => line.split(",")[group] === name)) };
      },
      close: async () => {},
    };
  };
}

/** The service with its app, and what its operator sees. */
export async function openService(
  folder: ServiceFolder,
  own: Partial<Host> = {},
  parts: { readonly grid?: AppOptions["grid"] } = {},
) {
  const { config, host } = folder;
  const events: ServiceEvent[] = [];
  const requests: ObservedRequest[] = [];
  const machine = { ...host, openRows: countedInMemory(folder), ...own };
  const { grid } = parts;
  const service = await Service.open(config, machine, {
    onEvent: (event) => {
      if (event.event !== "count-slow") events.push(event); // depends on the machine
    },
    ...(grid !== undefined && { grid }),
  });
  const app = createApp({
    ...edgesOf(config),
    ...parts,
    service,
    version: "0.0.0",
    state: () => "ok",
    observe: (request) => requests.push(request),
  });
  return { service, app, events, requests };
}

export type OpenedService = Awaited<ReturnType<typeof openService>>;

/** A request as an analyst sends it. */
export function ask(
  app: OpenedService["app"],
  path: string,
  { as = "alice", body, key, headers = {} }: AskOptions = {},
): Promise<Response> | Response {
  return app.request(path, {
    method: body === undefined ? "GET" : "POST",
    headers: {
      ...(as !== undefined && { authorization: `Bearer ${KEYS[as].key}` }),
      ...(body !== undefined && { "content-type": "application/json" }),
      ...(key !== undefined && { "idempotency-key": key }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
}

export interface AskOptions {
  readonly as?: keyof typeof KEYS;
  readonly body?: unknown;
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export const TOP = { kind: "top", k: 2, epsilon: "1" };

/** Nothing more and nothing less than the document promises. */
export function expectShape(name: SchemaName, value: unknown): void {
  const { error } = (SCHEMAS[name] as z.ZodObject).strict().safeParse(value);
  expect(error?.issues ?? []).toEqual([]);
}
