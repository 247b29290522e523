import { describe, expect, it } from "vitest";
import { MECHANISM_NAMES, mechanismFor, readQuestion } from "winnow-release";
import { type Applicable, mechanismsFor, needsDelta } from "../../src/app/state/mechanisms.js";
import type { Mechanism } from "../../src/worker/api.js";

const SIZE = 5;
const ALL: readonly Mechanism[] = MECHANISM_NAMES;

describe("the mechanisms that the page offers", () => {
  const questions: Applicable[] = (["top", "adaptive", "names"] as const).flatMap((kind) =>
    (["listed", "unknown"] as const)
      .filter((domain) => kind !== "names" || domain === "unknown")
      .flatMap((domain) =>
        [1, 3, SIZE].flatMap((k) =>
          (kind === "names" ? [2] : domain === "unknown" ? [undefined, 1] : [undefined]).map((bound) => ({
            kind,
            domain,
            k,
            bound,
            size: domain === "listed" ? SIZE : undefined,
            publishes: "counts" as const,
          })),
        ),
      ),
  );

  it.each(questions)("for $kind $k of $domain candidates are those that can answer: $bound", (question) => {
    const able = ALL.filter((name) => canAnswer(name, question));
    expect([...mechanismsFor(question)].sort()).toEqual(able.sort());
  });

  it.each(questions)("for $kind $k of $domain candidates begin with the default: $bound", (question) => {
    const [first] = mechanismsFor(question);
    expect(readQuestion({ ...asked(question), ...deltaFor(first) }).mechanism).toBe(first);
  });

  it("for names alone of a public list is the plain top k", () => {
    const question = { kind: "top", domain: "listed", k: 2, size: SIZE, bound: undefined } as const;
    expect(mechanismsFor({ ...question, publishes: "names" })[0]).toBe("top-k");
    expect(mechanismsFor({ ...question, publishes: "leads" })[0]).toBe("top-k-with-gap");
  });
});

/** A limit on items is used where it is needed; the page leaves it out elsewhere. */
function canAnswer(mechanism: Mechanism, question: Applicable): boolean {
  try {
    readQuestion({ ...asked(question), ...deltaFor(mechanism), ...boundFor(mechanism, question), mechanism });
    return true;
  } catch {
    return false;
  }
}

function deltaFor(mechanism: Mechanism): { readonly delta?: string } {
  return needsDelta(mechanism) ? { delta: "1e-6" } : {};
}

function boundFor(mechanism: Mechanism, { bound }: Applicable) {
  return { maxItemsPerUser: mechanismFor({ mechanism }).rules.bound === "needed" ? bound : undefined };
}

function asked({ kind, domain, k, bound }: Applicable) {
  return {
    kind,
    k,
    domain:
      domain === "listed"
        ? ({ kind: "listed", size: SIZE, hash: "0".repeat(64) } as const)
        : ({ kind: "unknown" } as const),
    neighbours: "add-remove",
    maxItemsPerUser: domain === "unknown" && kind !== "adaptive" ? bound : undefined,
    epsilon: "1",
    unit: "one person",
  } as const;
}
