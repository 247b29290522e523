/**
 * The store of the page, in a real Chromium, for a ledger in this process: each call crosses into the browser. A page that is
 * closed in the middle of a transaction is a tab that was killed.
 * @module
 */
import { fileURLToPath } from "node:url";
import type { BrowserContext, Page } from "playwright-core";
import { rolldown } from "rolldown";
import { Refusal, type RefusalCode, type Store } from "winnow-release";
import type { Tables } from "../../../release/test/ledger/laws/place.js";
import type { IndexedDbStore, Witness } from "../../src/ledger/indexed-db-store.js";

/** Storage and locks need an origin that a browser trusts. */
const ADDRESS = "http://localhost:9/";

interface Run {
  readonly store: IndexedDbStore;
  /** Ends the work of the transaction that is open. */
  end?: (isGood: boolean) => void;
  done?: Promise<unknown>;
}

/** In the page. */
interface StorePage extends Window {
  winnowStore: { readonly IndexedDbStore: new (name: string, witness: Witness) => IndexedDbStore };
  runs: Run[];
}
declare const window: StorePage;

/** What came back from the page: errors lose their fields on the way. */
type Crossed = {
  readonly value?: unknown;
  readonly error?: { readonly code?: string; readonly message: string };
};

/** Opens a tab with the store's own code in it. */
export async function openStorePage(context: BrowserContext): Promise<Page> {
  const code = await storeCode();
  const page = await context.newPage();
  await page.route(ADDRESS, (route) => route.fulfill({ contentType: "text/html", body: "<!doctype html>" }));
  await page.goto(ADDRESS);
  await page.evaluate(`${code}; window.winnowStore = winnowStore; window.runs = [];`);
  return page;
}

let code: Promise<string> | undefined;

/** The store as one script; built once. */
function storeCode(): Promise<string> {
  const source = (path: string) => fileURLToPath(new URL(path, import.meta.url));
  code ??= rolldown({
    input: source("../../src/ledger/indexed-db-store.ts"),
    resolve: {
      alias: {
        "winnow-release": source("../../../release/src/index.ts"),
        "winnow-dp": source("../../../core/src/index.ts"),
      },
    },
    logLevel: "silent",
  })
    .then((bundle) => bundle.generate({ format: "iife", name: "winnowStore" }))
    .then(({ output: [chunk] }) => chunk.code);
  return code;
}

/** Another connection to the database of this name, whose witness is the page's `localStorage`. */
export async function pageStore(page: Page, name: string): Promise<Store> {
  const run = await page.evaluate((name) => {
    const kept = `${name} head`;
    const witness: Witness = {
      seen: async () => JSON.parse(localStorage.getItem(kept) ?? "null") ?? undefined,
      keep: async (head) => localStorage.setItem(kept, JSON.stringify(head)),
    };
    return window.runs.push({ store: new window.winnowStore.IndexedDbStore(name, witness) }) - 1;
  }, name);
  const transaction = async <T>(mode: "reading" | "writing", work: () => Promise<T>): Promise<T> => {
    opened(await page.evaluate(begin, { run, mode }));
    let result: T;
    try {
      result = await work();
    } catch (error) {
      if (!page.isClosed()) await page.evaluate(end, { run, isGood: false });
      throw error;
    }
    opened(await page.evaluate(end, { run, isGood: true }));
    return result;
  };
  const call =
    (method: string) =>
    async (...args: unknown[]) =>
      opened(await page.evaluate(ask, { run, method, args }));
  const own: Partial<Store> & Record<string, unknown> = {
    name,
    reading: (work) => transaction("reading", work),
    writing: (work) => transaction("writing", work),
    refusal: (error) => error,
    close: async () => {},
    keepAnew: (kept) =>
      call("keepAnew")({ ...kept, accounts: [...kept.accounts], places: [...kept.places] }) as Promise<void>,
  };
  const methods = new Proxy(own, {
    // Not a promise, whose `then` whoever awaits it would call; and without the methods that a store may do without.
    get: (_, name) => own[String(name)] ?? (ABSENT.has(String(name)) ? undefined : call(String(name))),
  });
  return methods as unknown as Store;
}

const ABSENT: ReadonlySet<string> = new Set(["then", "seek", "gather"]);

function opened({ value, error }: Crossed): unknown {
  if (error === undefined) return value;
  if (error.code === undefined) throw new Error(error.message);
  throw new Refusal(error.code as RefusalCode, error.message);
}

/** In the page: resolves when the transaction is open. */
function begin({ run: index, mode }: { run: number; mode: "reading" | "writing" }): Promise<Crossed> {
  const run = window.runs[index]!;
  return new Promise((resolve) => {
    run.done = run.store[mode](() => {
      resolve({});
      return new Promise<void>((good, bad) => {
        run.end = (isGood) => (isGood ? good() : bad(new Error("rolled back")));
      });
    });
    run.done.catch(({ code, message }) => resolve({ error: { code, message } }));
  });
}

/** In the page: ends the transaction that is open. */
async function end({ run: index, isGood }: { run: number; isGood: boolean }): Promise<Crossed> {
  const { end, done } = window.runs[index]!;
  end?.(isGood);
  try {
    return { value: await done };
  } catch (error) {
    const { code, message } = error as { code?: RefusalCode; message: string };
    return { error: { ...(code !== undefined && { code }), message } };
  }
}

/** In the page: one method of the store. */
async function ask({
  run,
  method,
  args,
}: {
  run: number;
  method: string;
  args: unknown[];
}): Promise<Crossed> {
  const { store } = window.runs[run]!;
  try {
    const part = Reflect.get(store, method) as (...args: unknown[]) => unknown;
    return { value: await part.apply(store, args) };
  } catch (error) {
    const { code, message } = error as { code?: RefusalCode; message: string };
    return { error: { ...(code !== undefined && { code }), message } };
  }
}

/** Changes what the database holds, and what is remembered of it, as someone would who has the browser. */
export async function tamperWithPage(
  page: Page,
  name: string,
  change: (tables: Tables) => void,
): Promise<void> {
  const { accounts, places, rows, ...heads } = await page.evaluate(readDatabase, name);
  const tables: Tables = {
    rows,
    head: heads.head,
    summarised: heads.summarised,
    accounts: accounts
      .sort((one, other) => one.place - other.place)
      .map(({ key, summary }) => [key, summary]),
    places: places.map(({ key, sequence }) => [key, sequence]),
  };
  const before = JSON.stringify(tables);
  change(tables);
  if (JSON.stringify(tables) !== before) await page.evaluate(writeDatabase, { name, tables });
}

interface Found extends Pick<Tables, "rows" | "head" | "summarised"> {
  readonly accounts: { key: string; place: number; summary: string }[];
  readonly places: { key: string; sequence: number }[];
}

/** In the page. */
function readDatabase(name: string): Promise<Found> {
  return new Promise((resolve, reject) => {
    const opened = indexedDB.open(name);
    opened.onerror = reject;
    opened.onsuccess = () => {
      const transaction = opened.result.transaction(["rows", "accounts", "places", "state"]);
      const [rows, accounts, places, state] = ["rows", "accounts", "places", "state"].map((store) =>
        transaction.objectStore(store).getAll(),
      ) as [IDBRequest, IDBRequest, IDBRequest, IDBRequest];
      transaction.oncomplete = () => {
        opened.result.close();
        const states = new Map<string, Tables["head"]>(
          state.result.map((one: { name: string; value: Tables["head"] }) => [one.name, one.value]),
        );
        resolve({
          rows: rows.result,
          accounts: accounts.result,
          places: places.result,
          head: states.get("head"),
          summarised: states.get("summarised"),
        });
      };
    };
  });
}

/** In the page. */
function writeDatabase({ name, tables }: { name: string; tables: Tables }): Promise<void> {
  return new Promise((resolve, reject) => {
    const opened = indexedDB.open(name);
    opened.onerror = reject;
    opened.onsuccess = () => {
      const transaction = opened.result.transaction(["rows", "accounts", "places", "state"], "readwrite");
      const into = (store: string) => transaction.objectStore(store);
      for (const store of ["rows", "accounts", "places"]) into(store).clear();
      for (const row of tables.rows) into("rows").add(row);
      for (const [index, [key, summary]] of tables.accounts.entries())
        into("accounts").add({ key, place: index + 1, summary });
      for (const [key, sequence] of tables.places) into("places").add({ key, sequence });
      for (const state of ["head", "summarised"] as const)
        if (tables[state] === undefined) into("state").delete(state);
        else into("state").put({ name: state, value: tables[state] });
      transaction.onabort = reject;
      transaction.oncomplete = () => {
        opened.result.close();
        localStorage.removeItem(`${name} head`);
        resolve();
      };
    };
  });
}
