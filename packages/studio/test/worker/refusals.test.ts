import { expose, wrap } from "comlink";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WinnowError } from "winnow-dp";
import { CATALOGUE, Refusal } from "winnow-release";
import { asRefusal, refusalsCross } from "../../src/worker/studio-refusal.js";

const SECRET = "alice bought 17 of them";

describe("what the page is told when something fails", () => {
  it("never holds the text of an error that nobody foresaw", () => {
    for (const error of [new Error(SECRET), new TypeError(SECRET), SECRET, undefined]) {
      const refusal = asRefusal(error);
      expect(refusal.code).toBe("unexpected");
      expect(`${refusal.message} ${refusal.next("page")} ${refusal.cause}`).not.toContain("alice");
    }
  });

  it("keeps the sentences of the library and the ledger, which are made of public values", () => {
    const parameter = asRefusal(new WinnowError("invalid-parameter", "k must be an integer >= 1; got 0"));
    expect(parameter).toMatchObject({
      code: "invalid-question",
      message: "k must be an integer >= 1; got 0.",
    });
    expect(asRefusal(new Refusal("over-budget", "Too much."))).toMatchObject({
      code: "over-budget",
      message: "Too much.",
    });
    expect(asRefusal(new Refusal("ledger-broken", "Broken."))).toMatchObject({ code: "ledger-unknown" });
    expect(asRefusal(new WinnowError("invalid-score", SECRET)).message).not.toContain("alice");
  });
});

describe("between worker and page", () => {
  const { port1, port2 } = new MessageChannel();
  const page = wrap<{ fail(): void; refuse(): void }>(port1);

  beforeAll(() => {
    refusalsCross();
    const worker = {
      fail: () => {
        throw new Error(SECRET);
      },
      refuse: () => {
        throw new Refusal("empty-file", "The file is empty.");
      },
    };
    expose(worker, port2);
  });

  afterAll(() => port1.close());

  it("a refusal arrives as what it was", async () => {
    const refusal = await page.refuse().catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(Refusal);
    expect((refusal as Refusal).next("page")).toBe(CATALOGUE["empty-file"].page);
    expect(refusal).toMatchObject({
      code: "empty-file",
      message: "The file is empty.",
    });
  });

  it("any other error arrives without its text", async () => {
    const refusal = await page.fail().catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: "unexpected" });
    expect(JSON.stringify(refusal) + String(refusal)).not.toContain("alice");
  });
});
