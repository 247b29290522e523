/**
 * Speaks to the page's own worker from outside. The page has no door for tests: before it loads, the browser's `Worker` is
 * watched, so that the worker which the page starts for itself can be asked in the protocol that the page uses.
 * @module
 */
import type { Page } from "playwright-core";

interface Watched extends Window {
  winnowWorker?: Worker;
  winnowCalls?: number;
}

/** Before the page is opened. */
export async function captureWorker(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const watched: Watched = window;
    window.Worker = class extends Worker {
      constructor(url: string | URL, options?: WorkerOptions) {
        super(url, options);
        watched.winnowWorker = this;
      }
    };
  });
}

/** Calls a function of the worker; one that is given as "callback" is called with nothing. */
export async function callWorker<T>(page: Page, path: string, ...values: readonly unknown[]): Promise<T> {
  const answer = await page.evaluate(
    ({ path, values }) => {
      const watched: Watched = window;
      const worker = watched.winnowWorker;
      if (worker === undefined) throw new Error("the page has not started its worker");
      watched.winnowCalls = (watched.winnowCalls ?? 0) + 1;
      const id = `test-${watched.winnowCalls}`;
      const ports: Transferable[] = [];
      const argumentList = values.map((value) => {
        if (value !== "callback") return { type: "RAW", value };
        const { port1, port2 } = new MessageChannel();
        port1.start();
        ports.push(port2);
        return { type: "HANDLER", name: "proxy", value: port2 };
      });
      return new Promise<unknown>((resolve) => {
        const hear = ({ data }: MessageEvent) => {
          if (data?.id !== id) return;
          worker.removeEventListener("message", hear);
          resolve(data.type === "HANDLER" ? { refusal: data.value } : { value: data.value });
        };
        worker.addEventListener("message", hear);
        worker.postMessage({ id, type: "APPLY", path: path.split("."), argumentList }, ports);
      });
    },
    { path, values: [...values] },
  );
  const { refusal, value } = answer as { refusal?: { code: string; sentence: string }; value?: T };
  if (refusal !== undefined) throw new WorkerRefusal(refusal.code, refusal.sentence);
  return value as T;
}

export class WorkerRefusal extends Error {
  constructor(
    readonly code: string,
    sentence: string,
  ) {
    super(sentence);
  }
}
