/** Whatever strangers send and in whatever order, nothing breaks. Seeded, as all properties are. */

import fc from "fast-check";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { describe, expect, it } from "vitest";
import { Refusal } from "winnow-release";
import { Authenticator, newKey } from "../src/authenticate.js";
import { addressBlock, RateLimit, WorkQueue } from "../src/limits.js";
import { settled } from "./support/fake-clock.js";

const part = fc.oneof(
  fc.base64String({ maxLength: 80 }),
  fc.json().map((json) => Buffer.from(json).toString("base64url")),
  fc
    .constantFrom(
      '{"alg":"none"}',
      '{"alg":"HS256"}',
      '{"alg":"ES256","crit":["b64"],"b64":false}',
      "{",
      "null",
      "[]",
    )
    .map((json) => Buffer.from(json).toString("base64url")),
);

/** Headers of strangers: keys and tokens with something wrong, and anything at all. */
const headers = fc.oneof(
  fc.string({ unit: "binary", maxLength: 200 }),
  fc.string({ unit: "grapheme", maxLength: 100 }).map((text) => `Bearer ${text}`),
  fc.string({ unit: "binary-ascii", maxLength: 60 }).map((text) => `Bearer winnow_${text}`),
  fc.array(part, { minLength: 1, maxLength: 6 }).map((parts) => `Bearer ${parts.join(".")}`),
  fc.nat(100_000).map((length) => `Bearer ${"a.".repeat(length)}`),
  fc.constantFrom(undefined, null, 7, {}, [], ["Bearer", "x"], Symbol("bearer")),
);

describe("hostile headers", () => {
  it("are no one's, and never throw", async () => {
    const { publicKey } = await generateKeyPair("ES256");
    const jwks = { keys: [{ ...(await exportJWK(publicKey)), alg: "ES256" }] };
    const authenticator = new Authenticator({
      analysts: [{ name: "ada", keys: [{ hash: newKey().hash }], subject: "ada" }],
      oidc: { issuer: "https://id.example", audience: "winnow", jwks },
    });
    await fc.assert(
      fc.asyncProperty(headers, async (header) => {
        const { analyst } = await authenticator.authenticate({ get: () => header as string });
        expect(analyst).toBeUndefined();
      }),
      { numRuns: 2000 },
    );
  });

  it("that differ from a right one by any edit are no one's", async () => {
    const { publicKey, privateKey } = await generateKeyPair("ES256");
    const [issuer, audience] = ["https://id.example", "winnow"];
    const token = await new SignJWT({ iss: issuer, aud: audience, sub: "ada", exp: 2 ** 40 })
      .setProtectedHeader({ alg: "ES256" })
      .sign(privateKey);
    const { key, hash } = newKey();
    const authenticator = new Authenticator({
      analysts: [{ name: "ada", keys: [{ hash }], subject: "ada" }],
      oidc: { issuer, audience, jwks: { keys: [await exportJWK(publicKey)] } },
    });
    const who = async (credential: string) =>
      (await authenticator.authenticate({ get: () => `Bearer ${credential}` })).analyst;
    expect([await who(key), await who(token)]).toEqual(["ada", "ada"]);
    const edits = fc.record({
      right: fc.constantFrom(key, token),
      at: fc.nat(),
      without: fc.nat(3),
      insert: fc.string({ maxLength: 3 }),
    });
    await fc.assert(
      fc.asyncProperty(edits, async ({ right, at, without, insert }) => {
        const place = at % right.length;
        const wrong = right.slice(0, place) + insert + right.slice(place + without);
        fc.pre(wrong.trim() !== right && !isSameSignature(wrong, right));
        expect(await who(wrong)).toBeUndefined();
      }),
      { numRuns: 2000 },
    );
  });
});

/** The last letter of base64 has bits that mean nothing: such a token is the same token. */
function isSameSignature(a: string, b: string): boolean {
  const bytes = (token: string) =>
    token.split(".").map((part) => Buffer.from(part, "base64url").toString("hex"));
  return a.includes(".") && bytes(a).join() === bytes(b).join();
}

describe("hostile addresses", () => {
  it("have a short block, and the same block in every spelling of a network", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: "binary" }), fc.ipV4(), fc.ipV6()), (address) => {
        const block = addressBlock(address);
        expect(block.length).toBeLessThanOrEqual(45);
        expect(addressBlock(address.toUpperCase().toLowerCase())).toBe(addressBlock(address.toLowerCase()));
      }),
      { numRuns: 2000 },
    );
  });
});

describe("rates under any sequence of requests", () => {
  it("admit at most a burst and what has come back since, of any window, and remember no more names than they may", () => {
    const requests = fc.array(fc.record({ name: fc.nat(6), wait: fc.nat(3000) }), { maxLength: 80 });
    fc.assert(
      fc.property(requests, fc.integer({ min: 1, max: 5 }), (sequence, burst) => {
        let now = 0;
        const rate = new RateLimit({ perMinute: 60, burst, names: 7 }, { now: () => now });
        const admitted = new Map<number, number[]>();
        for (const { name, wait } of sequence) {
          now += wait;
          const times = admitted.get(name) ?? [];
          admitted.set(name, times);
          const fits = times.every(
            (since, at) => times.length - at + 1 <= burst + Math.floor((now - since) / 1000 + 1e-6),
          );
          const isAdmitted = attempt(() => rate.take(String(name)));
          expect(isAdmitted).toBe(fits);
          if (isAdmitted) times.push(now);
        }
        expect(rate.size).toBeLessThanOrEqual(7);
      }),
      { numRuns: 500 },
    );
  });
});

function attempt(take: () => void): boolean {
  try {
    take();
    return true;
  } catch (error) {
    expect((error as Refusal).after).toBeGreaterThanOrEqual(1);
    return false;
  }
}

type Step = {
  readonly kind: "send" | "end" | "fail" | "abort";
  readonly analyst: number;
  readonly pick: number;
};

interface Sent {
  readonly analyst: string;
  readonly abort: AbortController;
  started?: number;
  finish?: { resolve: () => void; reject: (error: Error) => void };
  outcome?: "done" | "failed" | "left" | "refused";
}

describe("the queue under any sequence of requests, ends, failures and departures", () => {
  const steps = fc.array(
    fc.record({
      kind: fc.constantFrom<Step["kind"]>("send", "send", "send", "end", "fail", "abort"),
      analyst: fc.nat(3),
      pick: fc.nat(),
    }),
    { maxLength: 50 },
  );
  const sizes = fc.record({
    running: fc.integer({ min: 1, max: 3 }),
    runningEach: fc.integer({ min: 1, max: 3 }),
    waiting: fc.integer({ min: 0, max: 8 }),
    waitingEach: fc.integer({ min: 0, max: 5 }),
  });

  it("keeps its bounds, its order and its turns, and ends everything exactly once", async () => {
    await fc.assert(
      fc.asyncProperty(steps, sizes, async (sequence, options) => {
        const queue = new WorkQueue({ ...options, milliseconds: 60_000 });
        const all: Sent[] = [];
        let starts = 0;
        const waiting = () =>
          all.filter(({ started, outcome }) => started === undefined && outcome === undefined);
        const under = () =>
          all.filter(({ started, outcome }) => started !== undefined && outcome === undefined);
        for (const step of [...sequence, ...ENDS]) {
          const before = { waiting: waiting(), under: under() };
          if (step.kind === "send") {
            const sent: Sent = { analyst: String(step.analyst), abort: new AbortController() };
            all.push(sent);
            queue
              .run(
                sent.analyst,
                () =>
                  new Promise<void>((resolve, reject) => {
                    sent.started = starts++;
                    sent.finish = { resolve, reject };
                  }),
                sent.abort.signal,
              )
              .then(
                () => {
                  sent.outcome = "done";
                },
                (error) => {
                  sent.outcome =
                    error instanceof Refusal ? "refused" : error.message === "failed" ? "failed" : "left";
                },
              );
          } else {
            const among = step.kind === "abort" ? before.waiting : before.under;
            const chosen = among[step.pick % Math.max(1, among.length)];
            if (step.kind === "abort") chosen?.abort.abort();
            else if (step.kind === "end") chosen?.finish?.resolve();
            else chosen?.finish?.reject(new Error("failed"));
          }
          await settled();
          expect([queue.length, queue.running]).toEqual([waiting().length, under().length]);
          expectBounds(options, waiting(), under());
          if (step.kind === "send") expectRefusedOnlyIfFull(all.at(-1)!, options, before);
        }
        expect([queue.length, queue.running]).toEqual([0, 0]);
        expect(all.filter(({ outcome }) => outcome === undefined)).toEqual([]);
        expectOrder(all);
      }),
      { numRuns: 60 },
    );
  });

  /** Whatever is under way ends: at most 3 run and 8 wait. */
  const ENDS: readonly Step[] = Array.from({ length: 12 }, () => ({ kind: "end", analyst: 0, pick: 0 }));

  type Sizes = Omit<ConstructorParameters<typeof WorkQueue>[0], "milliseconds">;
  const of = (list: readonly Sent[], analyst: string) => list.filter((sent) => sent.analyst === analyst);

  function expectBounds(options: Sizes, waiting: readonly Sent[], under: readonly Sent[]): void {
    expect(under.length).toBeLessThanOrEqual(options.running);
    expect(waiting.length).toBeLessThanOrEqual(options.waiting);
    for (const analyst of ["0", "1", "2", "3"]) {
      expect(of(under, analyst).length).toBeLessThanOrEqual(options.runningEach);
      expect(of(waiting, analyst).length).toBeLessThanOrEqual(options.waitingEach);
      // No place is idle while someone could use it.
      if (under.length < options.running && of(under, analyst).length < options.runningEach)
        expect(of(waiting, analyst)).toEqual([]);
    }
  }

  function expectRefusedOnlyIfFull(
    sent: Sent,
    options: Sizes,
    { waiting, under }: { readonly waiting: readonly Sent[]; readonly under: readonly Sent[] },
  ): void {
    const starts = under.length < options.running && of(under, sent.analyst).length < options.runningEach;
    const waits = waiting.length < options.waiting && of(waiting, sent.analyst).length < options.waitingEach;
    expect(sent.outcome === "refused").toBe(!starts && !waits);
  }

  /** What one analyst sends is started in that order. */
  function expectOrder(all: readonly Sent[]): void {
    for (const analyst of ["0", "1", "2", "3"]) {
      const started = of(all, analyst).flatMap(({ started }) => started ?? []);
      expect(started).toEqual(started.toSorted((a, b) => a - b));
    }
  }

  it("starts at most one request of each other analyst before one that waits at the head of its analyst's", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(3), { minLength: 5, maxLength: 40 }), async (analysts) => {
        const queue = new WorkQueue({
          running: 1,
          runningEach: 1,
          waiting: 99,
          waitingEach: 99,
          milliseconds: 60_000,
        });
        const order: number[] = [];
        let release = () => {};
        const gate = new Promise<void>((resolve) => {
          release = resolve;
        });
        const first = queue.run("first", () => gate);
        const rest = analysts.map((analyst) =>
          queue.run(String(analyst), async () => void order.push(analyst)),
        );
        release();
        await Promise.all([first, ...rest]);
        const left = [0, 1, 2, 3].map((analyst) => analysts.filter((each) => each === analyst).length);
        const since = [0, 1, 2, 3].map(() => [0, 0, 0, 0]);
        for (const analyst of order) {
          left[analyst]--;
          for (const other of [0, 1, 2, 3])
            if (other !== analyst && left[other] > 0) expect(++since[other][analyst]).toBeLessThanOrEqual(1);
          since[analyst] = [0, 0, 0, 0];
        }
        expect(order).toHaveLength(analysts.length);
      }),
      { numRuns: 100 },
    );
  });
});
