import { describe, expect, it } from "vitest";
import { pure } from "winnow-dp";
import { inSafeOrder, type Steps } from "../../src/flow/safe-order.js";

const ORDER = ["stored", "guard", "admit", "confirm", "reserve", "count", "draw", "settle", "record"];

/** Steps that write down that they ran; one of them fails. */
function traced(more: Partial<Steps<string, string, string>> = {}, failing?: string) {
  const trace: string[] = [];
  const step = <T>(name: string, value: T) => {
    trace.push(name);
    if (name === failing) throw new Error(name);
    return value;
  };
  const steps: Steps<string, string, string> = {
    stored: async () => step("stored", undefined),
    guard: async () => step("guard", undefined),
    admit: async () => step("admit", pure(1)),
    confirm: () => step("confirm", undefined),
    reserve: async () => step("reserve", undefined),
    count: async () => step("count", "rows"),
    draw: (rows) => step("draw", `drawn from ${rows}`),
    settle: () => step("settle", undefined),
    record: async (drawn) => step("record", `recorded: ${drawn}`),
    onKept: () => step("kept", undefined),
    ...more,
  };
  return { trace, run: () => inSafeOrder(steps) };
}

describe("the safe order", () => {
  it("is the same each time, and hands out what was recorded", async () => {
    const { trace, run } = traced({ isReserved: true });
    expect(await run()).toEqual({ release: "recorded: drawn from rows", drawn: "drawn from rows" });
    expect(trace).toEqual(ORDER);
  });

  it("ends with the stored answer, and does nothing else", async () => {
    const { trace, run } = traced({ stored: async () => "stored before" });
    expect(await run()).toEqual({ release: "stored before" });
    expect(trace).toEqual([]);
  });

  it.each(ORDER.filter((name) => name !== "reserve"))(
    "ends where it fails, and charges nothing: %s",
    async (name) => {
      const { trace, run } = traced({}, name);
      await expect(run()).rejects.toThrow(name);
      expect(trace).toEqual(ORDER.filter((step) => step !== "reserve").slice(0, trace.length));
      expect(trace.at(-1)).toBe(name);
    },
  );

  it.each(["count", "draw", "settle", "record"])(
    "says that a reservation stays if it fails after it: %s",
    async (name) => {
      const { trace, run } = traced({ isReserved: true }, name);
      await expect(run()).rejects.toThrow(name);
      expect(trace).toEqual([...ORDER.slice(0, ORDER.indexOf(name) + 1), "kept"]);
    },
  );

  it.each(["count", "draw"])(
    "charges a failure that others would see, and none that the front end lets go: %s",
    async (name) => {
      const { trace, run } = traced({ onRowsFailed: () => new Error("one refusal") }, name);
      await expect(run()).rejects.toThrow("one refusal");
      expect(trace.slice(trace.indexOf(name) + 1)).toEqual(["settle", "reserve", "kept"]);
      const reserved = traced({ isReserved: true, onRowsFailed: () => new Error("one refusal") }, name);
      await expect(reserved.run()).rejects.toThrow("one refusal");
      expect(reserved.trace.filter((step) => step === "reserve")).toHaveLength(1);
      const free = traced({ onRowsFailed: () => undefined }, name);
      await expect(free.run()).rejects.toThrow(name);
      expect(free.trace).not.toContain("reserve");
    },
  );

  it("counts and draws again as long as that may help, from the first row", async () => {
    const lost = new Error("lost");
    let attempts = 0;
    const retried = traced({
      draw: () => {
        if (++attempts < 3) throw lost;
        return "drawn";
      },
      mayRetry: async (error) => error === lost,
    });
    expect(await retried.run()).toMatchObject({ drawn: "drawn" });
    expect(retried.trace.filter((step) => step === "count")).toHaveLength(3);
    const other = traced({ mayRetry: async (error) => error === lost }, "draw");
    await expect(other.run()).rejects.toThrow("draw");
    expect(other.trace.filter((step) => step === "count")).toHaveLength(1);
  });

  it("can be stopped until it settles, and not between the settlement and the charge", async () => {
    for (const [at, recorded] of [
      ["confirm", false],
      ["settle", false],
      ["record", true],
    ] as const) {
      const controller = new AbortController();
      const stop = () => controller.abort(new Error("stopped"));
      const record = async () => {
        if (at === "record") stop();
        return "recorded";
      };
      const { trace, run } = traced({
        signal: controller.signal,
        record,
        ...(at !== "record" && { [at]: stop }),
      });
      if (recorded) expect(await run()).toMatchObject({ release: "recorded" });
      else await expect(run()).rejects.toThrow("stopped");
      expect(trace.includes("draw")).toBe(at !== "confirm");
    }
  });
});
