import { describe, expect, it } from "vitest";
import { approx, base2, compose, convert, describeLoss, type Loss, pure, zcdp } from "winnow-dp";
import { totalsOfCharges } from "../../src/ledger/budget.js";

const totalsOf = (losses: readonly Loss[]) => totalsOfCharges(losses.map((loss) => ({ loss, times: 1 })));
const words = (losses: readonly Loss[]) => totalsOf(losses).map((loss) => describeLoss(loss));

describe("the total without a budget", () => {
  it("of nothing is nothing", () => expect(words([])).toEqual(["epsilon = 0"]));

  it("of pure losses is their sum, and in zCDP the sum of their prices", () =>
    expect(words([pure("1/2"), pure("1/2"), pure(1n)])).toEqual(["epsilon = 2", "rho = 0.707035819663719"]));

  it("of pure and approximate losses adds the δ too", () =>
    expect(words([pure(1n), approx(1n, "1e-6")])).toEqual([
      "epsilon = 2, delta = 0.000001",
      "rho = 0.9242343145200196, delta = 0.000001",
    ]));

  it("of anything with a zCDP loss is in zCDP, all at once", () =>
    expect(words([pure(1n), zcdp("0.1"), pure(1n), approx(1n, "1e-6")])).toEqual([
      "rho = 1.4863514717800294, delta = 0.000001",
    ]));

  it("of base-2 losses is at least what they are in ε", () => {
    const [total, concentrated] = totalsOf([base2(1n), base2(2n)]);
    expect(total).toEqual(base2(3n));
    const expected = compose(convert(base2(1n), { to: "zcdp" }), convert(base2(2n), { to: "zcdp" }));
    expect(describeLoss(concentrated)).toBe(describeLoss(expected));
  });

  it("of a loss that promises nothing promises nothing", () =>
    expect(words([pure(1n), pure(Infinity)])).toEqual(["epsilon = Infinity", "rho = Infinity"]));
});
