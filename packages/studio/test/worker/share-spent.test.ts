import { describe, expect, it } from "vitest";
import { approx, pure, zcdp } from "winnow-dp";
import { shareSpent } from "../../src/worker/ledger-view.js";

describe("the share of a budget that is spent", () => {
  it.each([
    [pure(0n), pure(2n), 0],
    [pure("1/2"), pure(2n), 0.25],
    [approx(1n, "1e-6"), approx(4n, "2e-6"), 0.5],
    [approx(3n, 0n), approx(4n, "1e-6"), 0.75],
    [zcdp("0.1"), zcdp("0.4"), 0.25],
    [zcdp("0.1", "1e-6"), zcdp("0.4", "1e-6"), 1],
    [pure(2n), pure(2n), 1],
  ])("is the largest in any of its numbers", (spent, limit, share) => {
    expect(shareSpent(spent, limit)).toBeCloseTo(share, 12);
  });
});
