/**
 * What the worker holds between two calls: the file, its counts, and the public list of candidates. Nothing of it leaves
 * the worker but what the curator may see.
 * @module
 */
import { boundContributions } from "winnow-dp";
import { type CountedItems, listedDomain, type ReleaseSource } from "winnow-release";
import type { DataFile } from "../reading/data-file.js";
import { openFile, readCandidates } from "../reading/open-file.js";

import { UserCounter } from "../reading/user-counter.js";
import type { Candidates, Columns, FileShape, OnProgress, PrivateView, ReadAs } from "./api.js";
import { StudioRefusal } from "./studio-refusal.js";
import type { Task } from "./task.js";

/** How many items the curator sees. */
const SHOWN = 50;

interface Counted {
  readonly counter: UserCounter;
  readonly source: ReleaseSource;
}

export class DataSession {
  #file: DataFile | undefined;
  #counted: Counted | undefined;
  #bounded:
    | { readonly counter: UserCounter; readonly most: number; readonly users: readonly number[] }
    | undefined;
  #list: { readonly names: readonly string[]; readonly candidates: Candidates } | undefined;

  get candidates(): Candidates | undefined {
    return this.#list?.candidates;
  }

  /** The name of the file, as far as there is one. */
  get fileName(): string | undefined {
    return this.isExample ? undefined : this.#file?.shape.name;
  }

  get isExample(): boolean {
    return this.#file?.shape.format === "generated";
  }

  close(): void {
    this.#file = undefined;
    this.#counted = undefined;
  }

  async open(file: File | "example", task: Task, as?: ReadAs): Promise<FileShape> {
    this.close();
    const opened = await openFile(file, as);
    task.signal.throwIfAborted(); // a newer file may have been opened faster
    this.#file = opened;
    return opened.shape;
  }

  async count(columns: Columns, task: Task, onProgress: OnProgress): Promise<PrivateView> {
    this.#counted = undefined;
    if (this.#file === undefined) throw noFile();
    const counter = new UserCounter();
    const take = (item: string, user: string) => counter.add(item, user);
    const { dialect } = this.#file.shape;
    const totals = await this.#file.read(columns, { task, onProgress, take });
    task.signal.throwIfAborted(); // another file may have been opened after the last row
    this.#counted = { counter, source: { ...columns, dialect } };
    return { ...totals, items: counter.items, users: counter.users, top: counter.largest(SHOWN) };
  }

  async setCandidates(list: File | readonly string[], task: Task): Promise<Candidates> {
    this.#list = undefined;
    const names = await readCandidates(list);
    const { size, hash } = await listedDomain(names);
    task.signal.throwIfAborted(); // a newer list may have been read faster
    this.#list = { names, candidates: { size, hash } };
    return this.#list.candidates;
  }

  /** Every candidate of the list once, or every item of the rows, after each person was cut to so many items. */
  histogram(domain: "listed" | "unknown", maxItemsPerUser?: number): CountedItems {
    const { counter } = this.#require();
    if (domain === "unknown")
      return maxItemsPerUser === undefined ? counter.histogram() : boundedCounts(counter, maxItemsPerUser);
    const names = this.#list?.names ?? [];
    return { items: names, users: names.map((name) => counter.usersOf(name)) };
  }

  /**
   * What is left of the counts of all items, in the order of `histogram`, where people are cut to so many. For plans: it
   * is kept, while a release cuts people anew with a key of its own.
   */
  boundedUsers(domain: "listed" | "unknown", maxItemsPerUser?: number): readonly number[] | undefined {
    if (domain === "listed" || maxItemsPerUser === undefined) return undefined;
    const { counter } = this.#require();
    if (this.#bounded?.counter !== counter || this.#bounded.most !== maxItemsPerUser) {
      const { items, users } = boundedCounts(counter, maxItemsPerUser);
      const left = new Map(items.map((item, index) => [item, users[index]!]));
      const all = counter.histogram().items.map((item) => left.get(item) ?? 0);
      this.#bounded = { counter, most: maxItemsPerUser, users: all };
    }
    return this.#bounded.users;
  }

  /** Where the counts came from, in public terms. */
  get source(): ReleaseSource {
    return this.#require().source;
  }

  #require(): Counted {
    if (this.#counted === undefined) throw noFile();
    return this.#counted;
  }
}

function boundedCounts(counter: UserCounter, maxItemsPerUser: number): CountedItems {
  const counts = boundContributions(counter.pairs(), { maxItemsPerUser });
  return { items: [...counts.keys()], users: [...counts.values()] };
}

function noFile(): StudioRefusal {
  return new StudioRefusal("no-file", "No file has been counted yet.");
}
