import { expect, it } from "vitest";
import { approx, lossToJson, pure } from "winnow-dp";
import { Account, type LedgerEntry, readableLoss } from "winnow-release";

const entry = (sequence: number, loss: ReturnType<typeof lossToJson>) =>
  ({
    ...{ format: "winnow-ledger/1", sequence, previous: "0".repeat(64), kind: "release" },
    release: {
      id: `r${sequence}`,
      dataset: "visits",
      loss,
      question: { neighbours: "add-remove", unit: "one user" },
    },
  }) as unknown as LedgerEntry;

it("the total of one release is that release's own loss", () => {
  const one = lossToJson(approx("0.9978", "9.7e-7"));
  expect(readableLoss(new Account("visits", [entry(1, one)]).atDelta)).toBe("ε = 0.9978, δ = 9.7e-7");
});

it("of many, the curve is the tighter total, at a larger δ", () => {
  const many = Array.from({ length: 60 }, (_, i) => entry(i + 1, lossToJson(approx("0.1", "1e-9"))));
  const { epsilon, delta } = new Account("visits", many).atDelta;
  expect(Number(epsilon)).toBeLessThan(6);
  expect(String(delta)).toBe("0.000001");
});

it("a pure loss is stated with a δ as before", () => {
  const account = new Account("visits", [entry(1, lossToJson(pure(1)))]);
  expect(String(account.atDelta.delta)).toBe("0.000001");
});
