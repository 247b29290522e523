/**
 * What the worker holds between two calls: the file, its counts, and the public list of candidates. Nothing of it leaves
 * the worker but what the curator may see.
 * @module
 */
import { type CountedItems, listedDomain, type ReleaseSource } from "winnow-release";
import type { DataFile } from "../reading/data-file.js";
import { openFile, readCandidates } from "../reading/open-file.js";

import { UserCounter } from "../reading/user-counter.js";
import type { Candidates, Columns, FileShape, OnProgress, PrivateView } from "./api.js";
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
  #list: { readonly names: readonly string[]; readonly candidates: Candidates } | undefined;

  get candidates(): Candidates | undefined {
    return this.#list?.candidates;
  }

  async open(file: File | "example", task: Task): Promise<FileShape> {
    this.#file = undefined;
    this.#counted = undefined;
    const opened = await openFile(file);
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

  /** Every candidate of the list once, or every item of the rows. */
  histogram(domain: "listed" | "unknown"): CountedItems {
    const { counter } = this.#require();
    if (domain === "unknown") return counter.histogram();
    const names = this.#list?.names ?? [];
    return { items: names, users: names.map((name) => counter.usersOf(name)) };
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

function noFile(): StudioRefusal {
  return new StudioRefusal("no-file", "No file has been counted yet.");
}
