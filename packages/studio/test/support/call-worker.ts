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

/** Before the page is opened. With a prelude, the worker's code begins with it: that is how a browser is made to fail. */
export async function captureWorker(page: Page, prelude = ""): Promise<void> {
  await page.addInitScript((prelude) => {
    const watched: Watched = window;
    window.Worker = class extends Worker {
      constructor(url: string | URL, options?: WorkerOptions) {
        super(url, options);
        watched.winnowWorker = this;
      }
    };
    if (prelude === "") return;
    window.Blob = class extends Blob {
      constructor(parts: BlobPart[] = [], options?: BlobPropertyBag) {
        super(options?.type?.startsWith("text/javascript") ? [prelude, ...parts] : parts, options);
      }
    };
  }, prelude);
}

/** A file for the worker, made in the page of bytes that are given here. */
export function asFile(name: string, content: string | Uint8Array) {
  return { winnowFile: name, base64: Buffer.from(content).toString("base64") };
}

/** Stands for a callback whose calls do not matter. */
export const IGNORED = "winnow-ignored-callback";

/** Calls a function of the worker. */
export async function callWorker<T>(page: Page, path: string, ...values: readonly unknown[]): Promise<T> {
  const answer = await page.evaluate(callInPage, { path, values: [...values], ignored: IGNORED });
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

/** Runs inside the page, so it must not use anything from around it. */
async function callInPage({ path, values, ignored }: { path: string; values: unknown[]; ignored: string }) {
  const watched: Watched = window;
  const worker = watched.winnowWorker;
  if (worker === undefined) throw new Error("the page has not started its worker");
  watched.winnowCalls = (watched.winnowCalls ?? 0) + 1;
  const id = `test-${watched.winnowCalls}`;
  const ports: Transferable[] = [];
  const argumentList = values.map((value) => {
    if (value === ignored) {
      const { port1, port2 } = new MessageChannel();
      port1.start();
      ports.push(port2);
      return { type: "HANDLER", name: "proxy", value: port2 };
    }
    if (typeof value !== "object" || value === null || !("winnowFile" in value))
      return { type: "RAW", value };
    const { winnowFile, base64 } = value as unknown as { winnowFile: string; base64: string };
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    return { type: "RAW", value: new File([bytes], winnowFile) };
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
}
