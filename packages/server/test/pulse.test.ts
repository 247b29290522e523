import { describe, expect, it } from "vitest";
import { NoAnswer, Pulse } from "../src/pulse.js";
import { FakeClock } from "./support/fake-clock.js";

/** Looks that end when the test says so. */
function started() {
  const clock = new FakeClock();
  const looks: { readonly resolve: (sequence: number) => void; readonly reject: (error: unknown) => void }[] =
    [];
  const pulse = new Pulse(() => new Promise((resolve, reject) => looks.push({ resolve, reject })), clock);
  return { clock, looks, pulse };
}

describe("whether the ledger answers", () => {
  it("is asked once for many, and remembered for a second", async () => {
    const { clock, looks, pulse } = started();
    const all = [pulse.state(), pulse.state(), pulse.state()];
    looks[0].resolve(7);
    expect(await Promise.all(all)).toEqual(Array(3).fill({ failure: undefined, sequence: 7 }));
    await clock.pass(999);
    expect(await pulse.state()).toEqual({ failure: undefined, sequence: 7 });
    expect(looks).toHaveLength(1);
    await clock.pass(1);
    const next = pulse.state();
    looks[1].reject("away");
    expect(await next).toEqual({ failure: "away", sequence: 7 });
  });

  it("is asked again at once after something failed", async () => {
    const { looks, pulse } = started();
    const first = pulse.state();
    looks[0].resolve(7);
    await first;
    pulse.forget();
    const next = pulse.state();
    looks[1].resolve(8);
    expect(await next).toEqual({ failure: undefined, sequence: 8 });
  });

  it("has failed while a look takes longer than two seconds, and no one waits for it longer than one", async () => {
    const { clock, looks, pulse } = started();
    const first = pulse.state();
    looks[0].resolve(7);
    await first;
    await clock.pass(1000);
    const slow = pulse.state();
    await clock.pass(1000);
    expect(await slow).toEqual({ failure: undefined, sequence: 7 }); // as it was
    const slower = pulse.state();
    await clock.pass(1000);
    expect(await slower).toEqual({ failure: expect.any(NoAnswer), sequence: 7 });
    expect(looks).toHaveLength(2);
    looks[1].resolve(9);
    await clock.pass(0);
    expect(await pulse.state()).toEqual({ failure: undefined, sequence: 9 });
  });

  it("has failed until it is known", async () => {
    const { clock, pulse } = started();
    const first = pulse.state();
    await clock.pass(1000);
    expect(await first).toEqual({ failure: expect.any(NoAnswer), sequence: undefined });
  });
});
