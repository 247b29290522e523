/**
 * How long a page is blocked: the longest task of its main thread, from the browser's own trace. While a task runs, nothing
 * can be clicked, typed or drawn. Its processor time tells how much of that is the page's and how much a busy machine's.
 * @module
 */
import type { Browser, Page } from "playwright-core";

const CATEGORIES = ["toplevel", "devtools.timeline", "disabled-by-default-devtools.timeline"];

export interface LongestTask {
  /** Milliseconds on the clock. */
  readonly elapsed: number;
  /** Milliseconds of a processor, of the task that took the most of them. */
  readonly processor: number;
  /** How long all of the work took, in milliseconds. */
  readonly took: number;
}

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** Microseconds. */
  readonly dur?: number;
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

export async function longestTaskDuring(
  browser: Browser,
  page: Page,
  work: () => Promise<unknown>,
): Promise<LongestTask> {
  await browser.startTracing(page, { categories: CATEGORIES });
  const began = performance.now();
  await work();
  const took = performance.now() - began;
  const { traceEvents } = JSON.parse(String(await browser.stopTracing())) as { traceEvents: TraceEvent[] };
  const tasks = tasksOfMainThread(traceEvents);
  if (tasks.length === 0) throw new Error("the trace must hold tasks of the page's main thread");
  const most = (size: (task: TraceEvent) => number | undefined) =>
    tasks.reduce((largest, task) => Math.max(largest, size(task) ?? 0), 0) / 1000;
  return { elapsed: most(({ dur }) => dur), processor: most(({ tdur }) => tdur), took };
}

function tasksOfMainThread(events: readonly TraceEvent[]): TraceEvent[] {
  const threadOf = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`;
  const isName = ({ name, args }: TraceEvent) => name === "thread_name" && args?.name === "CrRendererMain";
  const mainThreads = new Set(events.filter(isName).map(threadOf));
  return events.filter((event) => event.name.endsWith("RunTask") && mainThreads.has(threadOf(event)));
}
