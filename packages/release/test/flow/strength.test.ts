import { expect, it } from "vitest";
import { rational } from "winnow-dp";
import { privacyVerdict, strengthOf } from "winnow-release";

it.each([
  ["0.1", "very strong"],
  ["0.11", "strong"],
  ["1", "strong"],
  ["3", "moderate"],
  ["6", "weak"],
  ["6.01", "very weak"],
])("ε = %s is %s", (epsilon, strength) => {
  expect(strengthOf(rational(epsilon))).toBe(strength);
  expect(privacyVerdict({ epsilon: rational(epsilon) }).strength).toBe(strength);
});

it("no promise at all is very weak", () => {
  expect(strengthOf(Number.POSITIVE_INFINITY)).toBe("very weak");
});

it.each([
  ["1e-6", 610, "strong"],
  ["1e-4", 610, "strong"],
  ["2e-4", 610, "weak"],
  ["0.1", 610, "very weak"],
  ["1e-6", 1_000_000, "very weak"],
  ["1e-6", undefined, "strong"],
] as const)("δ = %s among %s people makes an ε of 1 %s", (delta, people, strength) => {
  const verdict = privacyVerdict({ epsilon: rational(1n), delta: rational(delta), people });
  expect(verdict.strength).toBe(strength);
});

it("says how many people with something unique would be named, rounded up", () => {
  const { words } = privacyVerdict({ epsilon: rational(1n), delta: rational("0.1"), people: 611 });
  expect(words).toContain("the items of about 62 of your 611 people could be named");
});
