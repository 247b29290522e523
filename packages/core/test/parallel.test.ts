import { describe, expect, it } from "vitest";
import type { Entropy } from "../src/entropy.js";
import { topKParallel, type WorkerThread } from "../src/parallel.js";
import { type Report, type Task, worker } from "../src/select/stream-worker.js";
import type { TopKStreamOptions } from "../src/select/top-k-stream.js";
import { TopKStream } from "../src/select/top-k-stream.js";
import { bitTree } from "../src/testing/bit-tree.js";
import { seededEntropy } from "../src/testing/seeded-entropy.js";
import { real } from "./sample/binary-digits.js";
import { expectLaw } from "./support/expect-law.js";

const PRECISE = { k: 3, scale: "1e-6", resolution: "0.4" };

function shared(scores: ArrayLike<number>): Float64Array {
  const memory = new Float64Array(new SharedArrayBuffer(8 * scores.length));
  memory.set(scores);
  return memory;
}

type Handler = (event: { data?: unknown; error?: unknown }) => void;
type Message = Task & { job: number };

/** A thread of its own kind: the worker's code in this one, with messages that are cloned and come later. */
class FakeThread implements WorkerThread {
  readonly handlers = new Map<string, Set<Handler>>();
  readonly answer = worker();
  readonly entropy: Entropy | undefined;
  isTerminated = false;
  tasks = 0;

  constructor(entropy?: Entropy) {
    this.entropy = entropy;
  }

  addEventListener(type: string, handler: Handler): void {
    this.handlers.set(type, (this.handlers.get(type) ?? new Set()).add(handler));
  }

  removeEventListener(type: string, handler: Handler): void {
    this.handlers.get(type)?.delete(handler);
  }

  send(type: string, event: { data?: unknown; error?: unknown }): void {
    for (const handler of this.handlers.get(type) ?? []) handler(event);
  }

  postMessage(message: unknown, transfer: ArrayBuffer[]): void {
    const { job, ...task } = structuredClone(message, { transfer }) as Message;
    setTimeout(() => {
      if (this.isTerminated) return;
      this.tasks++;
      this.send("message", { data: { ...structuredClone(this.answerTo(task as Task)), job } });
    });
  }

  answerTo(task: Task): Report {
    const { entropy } = this;
    return this.answer(
      "settings" in task && entropy !== undefined ? { settings: { ...task.settings, entropy } } : task,
    );
  }

  terminate(): void {
    this.isTerminated = true;
  }
}

function threads(make: (index: number) => FakeThread = () => new FakeThread()) {
  const started: FakeThread[] = [];
  return {
    started,
    startWorker: () => {
      started.push(make(started.length));
      return started[started.length - 1];
    },
  };
}

function isLeft(thread: FakeThread): boolean {
  return thread.isTerminated && [...thread.handlers.values()].every(({ size }) => size === 0);
}

describe("topKParallel", () => {
  const scores = Float64Array.from({ length: 5000 }, (_, i) => (i * 48_271) % 4999);
  const expected = [...scores.keys()].sort((a, b) => scores[b] - scores[a]).slice(0, 3);

  it.each([0, 1, 3])("finds the largest in shared memory with %d threads", async (workers) => {
    const { started, startWorker } = threads();
    const { winners, privacy } = await topKParallel(shared(scores), { ...PRECISE, workers, startWorker });
    expect(winners.map(({ candidate }) => candidate)).toEqual(expected);
    expect(winners.map(({ gap }) => String(gap))).toEqual(["0.8", "0.8", "0.8"]);
    expect(privacy).toEqual(new TopKStream({ ...PRECISE }).pushScores(scores).finish().privacy);
    expect(started).toHaveLength(workers);
    expect(started.every(isLeft)).toBe(true);
  });

  it.each([
    ["chunks that are there", (chunks: Float64Array[]) => chunks],
    [
      "chunks that arrive",
      async function* (chunks: Float64Array[]) {
        yield* chunks;
      },
    ],
  ])("takes %s, whose memory moves to the threads", async (_, source) => {
    const { started, startWorker } = threads();
    const chunks = [0, 1, 2, 3, 4].map((i) => scores.slice(1000 * i, 1000 * i + 1000));
    const { winners } = await topKParallel(source(chunks), { ...PRECISE, workers: 2, startWorker });
    expect(winners.map(({ candidate }) => candidate)).toEqual(expected);
    expect(chunks.map(({ length }) => length)).toEqual([0, 0, 0, 0, 0]);
    expect(started.map(({ tasks }) => tasks).sort()).toEqual([4, 5]); // settings and the end, and five chunks
  });

  it("gives out shared memory in pieces that fall in size, without a gap", async () => {
    const memory = new Float64Array(new SharedArrayBuffer(8 * 7_500_001));
    memory[7_500_000] = 1e6;
    const pieces: [first: number, length: number][] = [];
    const { startWorker } = threads(() => {
      const thread = new FakeThread();
      const post = thread.postMessage.bind(thread);
      return Object.assign(thread, {
        postMessage(message: { scores?: Float64Array; first?: number }, transfer: ArrayBuffer[]) {
          if (message.scores !== undefined) pieces.push([message.first ?? -1, message.scores.length]);
          post(message, transfer);
        },
      });
    });
    const { winners } = await topKParallel(memory, { ...PRECISE, k: 1, workers: 2, startWorker });
    expect(winners[0].candidate).toBe(7_500_000);
    expect(pieces.slice(0, 2)).toEqual([
      [0, 1_250_001],
      [1_250_001, 1_041_667],
    ]);
    expect(new Set(pieces.slice(2, -1).map(([, length]) => length))).toEqual(new Set([1_000_000]));
    for (const [i, [first, length]] of pieces.entries())
      expect(first + length).toBe(pieces[i + 1]?.[0] ?? memory.length);
  });

  it("copies a chunk that is a part of larger memory, and moves integers too", async () => {
    const { startWorker } = threads();
    const whole = Int32Array.from(scores);
    const chunks = [whole.subarray(0, 3000), whole.subarray(3000)];
    const { winners } = await topKParallel(chunks, { ...PRECISE, workers: 2, startWorker });
    expect(winners.map(({ candidate }) => candidate)).toEqual(expected);
    expect(whole).toHaveLength(5000);
  });

  it("starts no thread for few candidates, nor for an array that is not shared", async () => {
    const { started, startWorker } = threads();
    const chunks = () => [scores.slice(0, 2500), scores.slice(2500)];
    for (const given of [shared(scores), chunks(), scores, Array.from(scores)]) {
      const { winners } = await topKParallel(given, { ...PRECISE, startWorker });
      expect(winners.map(({ candidate }) => candidate)).toEqual(expected);
    }
    await topKParallel(scores, { ...PRECISE, workers: 2, startWorker });
    expect(started).toEqual([]);
  });

  it("finds the smallest, and the loss of Gumbel noise", async () => {
    const { startWorker } = threads();
    const options = { k: 1, rho: 1000, workers: 2, startWorker, negate: true } as const;
    const { winners, privacy } = await topKParallel(shared([9, 5, 2, 7].map((x) => 1000 * x)), options);
    expect(winners).toEqual([{ candidate: 2 }]);
    expect(Number(privacy.rho)).toBeCloseTo(1000);
  });

  it("gives bit for bit what streams over the same parts give that are merged", async () => {
    const options = { k: 7, scale: 900, resolution: "1/7" };
    for (let seed = 0; seed < 20; seed++) {
      const entropies = () => [0, 1].map((index) => seededEntropy(`${seed} ${index}`));
      const fakes = entropies().map((entropy) => new FakeThread(entropy));
      const { startWorker } = threads((index) => fakes[index]);
      const parts = [scores.slice(0, 2500), scores.slice(2500)];
      const { winners } = await topKParallel(parts, { ...options, workers: 2, startWorker });
      const streams = entropies().map((entropy) => new TopKStream({ ...options, entropy }));
      streams[0].pushScores(scores.slice(0, 2500)).merge(streams[1].pushScores(scores.slice(2500), 2500));
      const merged = streams[0].finish().winners;
      expect(winners).toEqual(merged);
    }
  });

  it("uses threads again that are kept", async () => {
    const kept = new FakeThread();
    kept.terminate = () => {};
    for (let turn = 0; turn < 3; turn++) {
      const options = { ...PRECISE, workers: 1, startWorker: () => kept };
      const { winners } = await topKParallel(shared(scores), options);
      expect(winners.map(({ candidate }) => candidate)).toEqual(expected);
    }
  });
});

describe("The merged path", () => {
  it("has its law by exhaustion: 1 against 0, each read in shared memory by a worker of its own", () => {
    const win = real("1").minus(real("1/2").div(real("1").exp()));
    const law = { "0": win.toFixed(40), "1": real("1").minus(win).toFixed(40) };
    const tree = bitTree(
      (entropy) => {
        const settings: TopKStreamOptions = { k: 1, scale: 1, entropy };
        const whole = new TopKStream(settings);
        for (const [first, score] of [1, 0].entries()) {
          const answer = worker();
          for (const task of [{ settings }, { scores: shared([score]), first }, { end: true } as const]) {
            const report = answer(task);
            if ("failure" in report) throw new Error(report.failure?.message ?? "out of bits");
            if ("state" in report) whole.attach(structuredClone(report.state));
          }
        }
        return whole.finish().winners[0].candidate;
      },
      { depth: 15 },
    );
    expect(tree.undecided.toNumber()).toBeLessThan(0.1);
    expectLaw({ tree, probabilities: law });
  });
});

describe("topKParallel fails cleanly", () => {
  const scores = shared([3, 1, 2]);

  it.each([
    ["a thread breaks", "error", "a worker thread failed, and nothing was released: start again"],
    [
      "a message cannot be read",
      "messageerror",
      "a worker thread failed, and nothing was released: start again",
    ],
  ])("if %s", async (_, type, message) => {
    const { started, startWorker } = threads(() => {
      const thread = new FakeThread();
      thread.answerTo = () => {
        thread.send(type, { error: new Error("broken") });
        return { taken: true };
      };
      return thread;
    });
    const failing = topKParallel(scores, { ...PRECISE, k: 1, workers: 2, startWorker });
    await expect(failing).rejects.toMatchObject({ code: "stream-finished", message });
    expect(started.every(isLeft)).toBe(true);
  });

  it.each([
    [
      [1, Number.NaN],
      {
        code: "invalid-score",
        message: "scores must be finite numbers or bigints (up to 1.79e308) throughout",
      },
    ],
    [[1, -Infinity], { code: "invalid-score" }],
  ])("if a score is not finite: %s", async (bad, error) => {
    const { started, startWorker } = threads();
    const failing = topKParallel(shared(bad), { ...PRECISE, k: 1, workers: 2, startWorker });
    await expect(failing).rejects.toMatchObject(error);
    expect(started.every(isLeft)).toBe(true);
  });

  it("if a thread cannot be started", async () => {
    const { started, startWorker } = threads((index) => {
      if (index === 1) throw new Error("no more threads");
      return new FakeThread();
    });
    const failing = topKParallel(scores, { ...PRECISE, k: 1, workers: 2, startWorker });
    await expect(failing).rejects.toThrow("no more threads");
    expect(started.every(isLeft)).toBe(true);
  });

  it("if it is aborted, also while it waits for chunks or for a thread", async () => {
    const never = (async function* () {
      yield Float64Array.of(1, 2);
      await new Promise(() => {});
    })();
    const silent = threads(() => Object.assign(new FakeThread(), { postMessage: () => {} }));
    for (const [given, { started, startWorker }] of [
      [never, threads()],
      [scores, silent],
    ] as const) {
      const controller = new AbortController();
      const options = { ...PRECISE, k: 1, workers: 2, startWorker, signal: controller.signal };
      const failing = topKParallel(given, options);
      setTimeout(() => controller.abort(new Error("enough")), 20);
      await expect(failing).rejects.toThrow("enough");
      expect(started).toHaveLength(2);
      expect(started.every(isLeft)).toBe(true);
    }
    const aborted = { ...PRECISE, k: 1, signal: AbortSignal.abort(new Error("before")) };
    await expect(topKParallel(scores, aborted)).rejects.toThrow("before");
  });

  it("if what it is given is no array and no chunks, before a thread starts", async () => {
    const { started, startWorker } = threads();
    const message = "scores must be an array of numbers, or chunks that are typed arrays";
    for (const wrong of [undefined, 7, {}, [[1, 2]], new Set([1])]) {
      const failing = topKParallel(wrong as never, { ...PRECISE, k: 1, startWorker });
      await expect(failing).rejects.toMatchObject({ code: expect.stringMatching(/^invalid-/) });
    }
    await expect(topKParallel(new Set([1]) as never, { ...PRECISE, k: 1 })).rejects.toThrow(message);
    for (const wrong of [
      { workers: -1 },
      { workers: 1.5 },
      { startWorker: 1 },
      { signal: 1 },
      { entropy: 1 },
    ])
      await expect(topKParallel(scores, { ...PRECISE, k: 1, ...wrong } as never)).rejects.toMatchObject({
        code: "invalid-parameter",
      });
    expect(started).toEqual([]);
  });
});
