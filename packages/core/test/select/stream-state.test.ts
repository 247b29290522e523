import { describe, expect, it } from "vitest";
import type { LooseOptions } from "../../src/accounting/spend.js";
import { Entropy } from "../../src/entropy.js";
import { rational } from "../../src/exact/rational.js";
import { readState, type StreamState, writeState } from "../../src/select/stream-state.js";
import {
  listen,
  nodeModule,
  pushPart,
  type Report,
  type Task,
  worker,
} from "../../src/select/stream-worker.js";
import { TopKStream, type TopKStreamOptions } from "../../src/select/top-k-stream.js";
import { bitTree } from "../../src/testing/bit-tree.js";
import { seededEntropy } from "../../src/testing/seeded-entropy.js";
import { real } from "../sample/binary-digits.js";
import { expectLaw } from "../support/expect-law.js";
import { expectRefused, untouched } from "./refusals.js";

function open(options: Partial<LooseOptions<TopKStreamOptions>> = {}): TopKStream {
  const all = { k: 1, scale: "1e-6", entropy: seededEntropy("state"), ...options };
  return new TopKStream(all as TopKStreamOptions);
}

/** As a message to another thread, arrays moved. */
function send(stream: TopKStream): StreamState {
  const state = stream.detach();
  return structuredClone(state, { transfer: [state.words.buffer, state.bits.buffer] });
}

/** Scores in which many are close to each other, so that digits beyond the first word are drawn at the end. */
function scores(count: number, step: number): Float64Array {
  return Float64Array.from({ length: count }, (_, i) => ((i * step) % 977) / 8);
}

const REFUSED = "state must be the state of a stream with the same parameters that was not attached before";

describe("A stream that is detached and attached", () => {
  it("has its law by exhaustion: 1 against 0, in either place", () => {
    const win = real("1").minus(real("1/2").div(real("1").exp()));
    const law = { "0": win.toFixed(40), "1": real("1").minus(win).toFixed(40) };
    const routes: ((stream: () => TopKStream) => TopKStream)[] = [
      (stream) =>
        stream()
          .push(1, 0)
          .attach(send(stream().push(0, 1))),
      (stream) =>
        stream()
          .attach(send(stream().push(0, 1)))
          .push(1, 0),
      (stream) =>
        stream().attach(
          send(
            stream()
              .attach(send(stream().push(1, 0)))
              .push(0, 1),
          ),
        ),
    ];
    for (const route of routes) {
      const sample = (entropy: Entropy) =>
        route(() => open({ scale: 1, entropy })).finish().winners[0].candidate;
      const tree = bitTree(sample, { depth: 15 });
      expect(tree.undecided.toNumber()).toBeLessThan(0.1);
      expectLaw({ tree, probabilities: law });
    }
  });

  it.each([
    ["exponential noise", { k: 7, scale: 5 }],
    ["gaps", { k: 7, scale: 5, resolution: "1/7" }],
    ["gaps so fine that digits are drawn at the end", { k: 7, scale: 5, resolution: "1e-12" }],
    ["Gumbel noise", { k: 7, rho: "1/9" }],
    ["the smallest", { k: 7, scale: 5, negate: true }],
  ] satisfies [string, Partial<LooseOptions<TopKStreamOptions>>][])(
    "gives bit for bit the answer of a merge in place: %s",
    (_, options) => {
      for (let seed = 0; seed < 40; seed++) {
        const [here, there] = [true, false].map((isSent) => {
          const entropy = seededEntropy(seed);
          const stream = (first: number, step: number) =>
            open({ ...options, scale: undefined, ...options, entropy }).pushScores(scores(500, step), first);
          const all = stream(0, 48_271);
          for (const part of [stream(500, 16_807), stream(1000, 69_621)])
            if (isSent) all.attach(send(part));
            else all.merge(part);
          return { answer: all.finish(), bits: entropy.bitsUsed };
        });
        expect(there).toEqual(here);
      }
    },
  );

  it("keeps scores exact that no double holds", () => {
    const huge = 10n ** 30n;
    const sent = send(
      open()
        .push(0, huge)
        .push(1, huge + 1n),
    );
    expect(
      open()
        .push(2, huge - 1n)
        .attach(sent)
        .finish().winners,
    ).toEqual([{ candidate: 1 }]);
  });

  it("is small, whatever was pushed", () => {
    const state = open({ k: 10, scale: 1 }).pushScores(scores(100_000, 48_271)).detach();
    expect(state.pushed).toBe(100_000);
    expect(state.ids.length).toBeGreaterThanOrEqual(10);
    expect(state.ids.length).toBeLessThan(60);
  });

  it("counts its candidates: those of a domain that nobody pushed stay zeros", () => {
    const isPushed = (id: number) => id < 4;
    const whole = open({ k: 6, domain: { size: 6 } })
      .push(0, 5)
      .push(1, 4);
    whole.attach(
      send(
        open({ k: 6, domain: { size: 6 } })
          .push(2, 9)
          .push(3, -1),
      ),
    );
    const order = whole.finish({ isPushed }).winners.map(({ candidate }) => candidate);
    expect(order.slice(0, 3)).toEqual([2, 0, 1]);
    expect(new Set(order.slice(3, 5))).toEqual(new Set([4, 5]));
    expect(order[5]).toBe(3);
  });

  it("may be empty", () => {
    expect(open().push(3, 1).attach(send(open())).finish().winners).toEqual([{ candidate: 3 }]);
  });

  it("is used up where it was, and draws nothing to leave", () => {
    const stream = open({ entropy: untouched() });
    stream.detach();
    const used = expect.objectContaining({ code: "stream-finished" });
    for (const use of [
      () => stream.push(0, 1),
      () => stream.detach(),
      () => stream.finish(),
      () => stream.attach(open().detach()),
      () => open().merge(stream),
    ])
      expect(use).toThrow(used);
  });
});

describe("The state of a stream", () => {
  it("is attached once: it is wiped, and what was sent away is refused", () => {
    const state = open().push(0, 5).push(1, 6).detach();
    const { words, bits } = state;
    open().attach(state);
    expect(state.ids).toEqual([]);
    expect(state.scores).toEqual([]);
    expect([...words, ...bits]).toEqual(new Array(words.length + bits.length).fill(0));
    expectRefused(() => open().attach(state), REFUSED);
    const moved = open().push(0, 5).detach();
    structuredClone(moved, { transfer: [moved.words.buffer, moved.bits.buffer] });
    expectRefused(() => open().attach(moved), REFUSED);
  });

  it("is refused by a stream of other parameters, which then goes on", () => {
    const like: Partial<LooseOptions<TopKStreamOptions>> = {
      k: 2,
      scale: 3,
      resolution: "1/2",
      sensitivity: 2,
    };
    const others: Partial<LooseOptions<TopKStreamOptions>>[] = [
      { k: 3 },
      { scale: "3.1" },
      { resolution: undefined },
      { sensitivity: 1 },
      { monotone: true },
      { negate: true },
      { domain: { size: 5 } },
      { scale: undefined, rho: 1, resolution: undefined },
    ];
    const stream = open(like);
    for (const other of others)
      expectRefused(
        () =>
          stream.attach(
            open({ ...like, ...other })
              .push(0, 1)
              .detach(),
          ),
        REFUSED,
      );
    const state = open({ ...like, resolution: "2/4" })
      .pushScores([1, 2e9, 3e9])
      .detach();
    expect(
      stream
        .attach(state)
        .finish()
        .winners.map(({ candidate }) => candidate),
    ).toEqual([2, 1]);
  });

  it.each([
    ["another format", { format: "winnow-stream/2" }],
    ["columns of different lengths", { scores: [1, 2] }],
    ["more candidates than were pushed", { pushed: 0 }],
    ["no number of candidates", { pushed: Number.NaN }],
  ])("is refused with %s, and nothing of it is quoted", (_, damage) => {
    const state = { ...open().push(0, 5).push(1, 5).detach(), ...damage } as StreamState;
    expectRefused(() => open({ entropy: untouched() }).attach(state), REFUSED);
  });
});

describe("what a state holds", () => {
  const contents = () => ({
    ids: ["ant", "bee"],
    scores: [1.5, rational("1/3")],
    words: Uint32Array.of(1, 2),
    bits: Uint8Array.of(3, 4),
  });

  it("is read as it was written, numbers as numbers and rationals exactly", () => {
    const state = writeState("k = 1", 7, contents());
    expect(state.scores).toEqual([1.5, "1/3"]);
    expect(readState(state, "k = 1")).toEqual({ pushed: 7, contents: contents() });
    expect(() => readState(state, "k = 1")).toThrow("state must be the state of a stream");
  });

  it("is never nothing after something was pushed, as in a state that was attached before", () => {
    const none = { ids: [], scores: [], words: new Uint32Array(0), bits: new Uint8Array(0) };
    expect(() => readState(writeState("k = 1", 3, none), "k = 1")).toThrow("was not attached before");
    expect(readState(writeState("k = 1", 0, none), "k = 1").pushed).toBe(0);
    expect(() => readState(undefined as never, "k = 1")).toThrow("state must be an object");
  });
});

describe("A worker", () => {
  const SETTINGS = { k: 1, scale: "1e-6" } as const;
  const TAKEN = { taken: true };
  const shared = (...given: number[]) => {
    const memory = new Float64Array(new SharedArrayBuffer(8 * given.length));
    memory.set(given);
    return memory;
  };
  const winnerOf = (report: Report, settings: TopKStreamOptions) => {
    const { state } = report as { state: StreamState };
    return new TopKStream(settings).attach(state).finish().winners[0].candidate;
  };

  it("answers settings, scores and the end, one selection after the other", () => {
    const answer = worker();
    for (const negate of [undefined, true, false]) {
      const settings = { ...SETTINGS, negate };
      expect(answer({ settings })).toStrictEqual(TAKEN);
      expect(answer({ scores: shared(5, 3, 7), first: 10 })).toStrictEqual(TAKEN);
      expect(answer({ scores: [4, 6], first: 13 })).toStrictEqual(TAKEN);
      expect(winnerOf(answer({ end: true }), settings)).toBe(negate ? 11 : 12);
    }
  });

  it("reads what is not shared exactly, and passes by what is outside a domain", () => {
    const stream = open();
    pushPart(stream as never, [2n ** 60n, 2n ** 60n + 1n], 0); // one double
    expect(stream.finish().winners).toEqual([{ candidate: 1 }]);
    const domain = open({ domain: { size: 3 } });
    pushPart(domain as never, [5, 9, 99], 1); // 3 is outside
    expect(domain.finish({ isPushed: (id) => id > 0 }).winners).toEqual([{ candidate: 2 }]);
    const other = open();
    pushPart(other as never, shared(1, 9, 3), 0);
    expect(other.finish().winners).toEqual([{ candidate: 1 }]);
  });

  it("reports a failure without what was private in it, and forgets the selection", () => {
    const answer = worker();
    const none = { code: "stream-finished", message: "no settings were sent" };
    expect(answer({ end: true })).toMatchObject({ failure: none });
    const failure = {
      code: "invalid-parameter",
      message: "k must be an integer >= 1; got 0",
      field: "k",
      expected: "an integer >= 1",
      got: "0",
    };
    expect(answer({ settings: { ...SETTINGS, k: 0 } })).toStrictEqual({ failure });
    const broken = new Entropy({
      fill() {
        throw new Error("a secret");
      },
    });
    answer({ settings: { ...SETTINGS, entropy: broken } });
    expect(answer({ scores: [1, 2], first: 0 })).toStrictEqual({ failure: undefined });
    expect(answer({ end: true })).toMatchObject({ failure: none });
  });

  it("listens to messages, and keeps nothing of a state that it has sent", () => {
    const posted: (Report & { job: number })[] = [];
    const sent: Report[] = [];
    const listeners = new Map<string, (event: { data: Task & { job: number } }) => void>();
    listen({
      postMessage: (report) => {
        sent.push(report);
        posted.push(structuredClone(report));
      },
      addEventListener: (type, listener) => listeners.set(type, listener),
    });
    const tasks: Task[] = [{ settings: SETTINGS }, { scores: [1, 2], first: 0 }, { end: true }];
    for (const [job, task] of tasks.entries()) listeners.get("message")?.({ data: { ...task, job } });
    expect(posted.slice(0, 2)).toStrictEqual([
      { ...TAKEN, job: 0 },
      { ...TAKEN, job: 1 },
    ]);
    const states = [posted[2], sent[2]].map((report) => (report as unknown as { state: StreamState }).state);
    const [arrived, left] = states.map(({ words, bits }) => [...words, ...bits]);
    expect(arrived.filter((number) => number > 0).length).toBeGreaterThanOrEqual(2); // the bits of both
    expect(left).toEqual(arrived.map(() => 0));
    expect(posted[2].job).toBe(2);
  });

  it("finds modules of Node", () => {
    expect(nodeModule<{ sep: string }>("path")?.sep).toMatch(/^[/\\]$/);
    expect(nodeModule("not-a-module")).toBeUndefined();
  });
});
