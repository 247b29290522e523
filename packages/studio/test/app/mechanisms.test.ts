import { describe, expect, it } from "vitest";
import { MECHANISMS, readQuestion } from "winnow-release";
import { mechanismsFor } from "../../src/app/state/mechanisms.js";
import type { Asked, Mechanism } from "../../src/worker/api.js";

const SIZE = 5;
const ALL = Object.keys(MECHANISMS) as Mechanism[];

describe("the mechanisms that the page offers", () => {
  const questions = (["top", "adaptive"] as const).flatMap((kind) =>
    (["listed", "unknown"] as const).flatMap((domain) => [1, 3, SIZE].map((k) => ({ kind, domain, k }))),
  );

  it.each(questions)(
    "for $kind $k of $domain candidates are those that can answer",
    ({ kind, domain, k }) => {
      const offered = mechanismsFor({ kind, domain, k, size: domain === "listed" ? SIZE : undefined });
      expect([...offered].sort()).toEqual(ALL.filter((name) => canAnswer(name, kind, domain, k)).sort());
    },
  );

  it.each(questions)("for $kind $k of $domain candidates begin with the default", ({ kind, domain, k }) => {
    const [first] = mechanismsFor({ kind, domain, k, size: domain === "listed" ? SIZE : undefined });
    const delta = MECHANISMS[first].delta ? { delta: "1e-6" } : {};
    expect(readQuestion({ ...asked(kind, domain, k), ...delta }).mechanism).toBe(first);
  });
});

function canAnswer(mechanism: Mechanism, kind: Asked["kind"], domain: Asked["domain"], k: number): boolean {
  const delta = MECHANISMS[mechanism].delta ? { delta: "1e-6" } : {};
  try {
    readQuestion({ ...asked(kind, domain, k), ...delta, mechanism });
    return true;
  } catch {
    return false;
  }
}

function asked(kind: Asked["kind"], domain: Asked["domain"], k: number) {
  return {
    kind,
    k,
    domain:
      domain === "listed"
        ? ({ kind: "listed", size: SIZE, hash: "0".repeat(64) } as const)
        : ({ kind: "unknown" } as const),
    neighbours: "add-remove",
    epsilon: "1",
    unit: "one person",
  } as const;
}
