import { describe, expect, it } from "vitest";
import { seededEntropy } from "winnow-dp/testing";
import { type AuditPart, runAudit } from "../../src/audit-report/run-audit.js";
import { fewSubjects, withBrokenAttack, withLeakyReplay, withWrongLaw } from "./planted-subjects.js";

function setting(parts: readonly AuditPart[]) {
  return { parts, quick: true, onSubject: async () => {}, entropy: seededEntropy("audit") };
}

describe("An audit", () => {
  it("holds if every claim does, and has an entry for each", async () => {
    const report = await runAudit(setting(["attacks", "exact", "replay"]), fewSubjects());
    expect(report.holds).toBe(true);
    expect(report.attacks).toHaveLength(1);
    expect(report.claims).toHaveLength(1);
    expect(report.trees).toHaveLength(1);
    expect(report.runs).toHaveLength(1);
    expect(report.replays).toHaveLength(fewSubjects().replays.length);
    expect(report.timings).toBeUndefined();
    expect(JSON.parse(JSON.stringify(report)).schema).toBe("winnow-audit/1");
  });

  it("finds every planted fault of a replay, and names it", async () => {
    const { replays = [] } = await runAudit(setting(["replay"]), fewSubjects());
    const planted = replays.filter(({ expected }) => expected !== "none");
    expect(planted.map(({ expected }) => expected)).toEqual(
      expect.arrayContaining(["parameters", "sensitivity", "release", "steps"]),
    );
    for (const { holds, violations } of planted) {
      expect(holds).toBe(true);
      expect(violations.length).toBeGreaterThan(0);
    }
  });

  it.each([
    ["an attack that succeeds on ours", withBrokenAttack, "attacks"],
    ["code with another law", withWrongLaw, "exact"],
    ["a mechanism that leaks", withLeakyReplay, "replay"],
  ] as const)("fails for %s", async (_, subjects, part) => {
    const report = await runAudit(setting([part]), subjects());
    expect(report.holds).toBe(false);
  });

  it("tells its progress, from nothing to nearly all", async () => {
    const shares: number[] = [];
    const onSubject = async (_: string, share: number) => {
      shares.push(share);
    };
    await runAudit({ ...setting(["attacks", "replay"]), onSubject }, fewSubjects());
    expect(shares[0]).toBe(0);
    expect(shares.at(-1)).toBeLessThan(1);
    expect([...shares].sort((a, b) => a - b)).toEqual(shares);
  });
});
