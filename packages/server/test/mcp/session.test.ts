import { describe, expect, it } from "vitest";
import { approx, pure, zcdp } from "winnow-dp";
import { AgentSession } from "../../src/mcp/session.js";

const spent = () => true;
const half = pure("1/2");

describe("the cap of a session", () => {
  it("is one half with a small delta unless the person who starts it says otherwise", async () => {
    const session = new AgentSession();
    expect(session.left).toBe("ε = 0.5, δ = 0.000001 of ε = 0.5, δ = 0.000001");
    await session.spend(pure("1/3"), async () => {}, spent);
    expect(session.remaining).toEqual(approx("1/6", "1e-6"));
    session.admit(pure("1/6"));
    expect(() => session.admit(pure("0.1667"))).toThrow(
      "The release costs ε = 0.1667, but this session may spend only ε = 0.1666, δ = 0.000001 of ε = 0.5, δ = 0.000001 more.",
    );
  });

  it("holds for releases that are asked for at once, which go one after the other", async () => {
    const session = new AgentSession({ cap: { measure: "pure", epsilon: "1" } });
    let [running, most] = [0, 0];
    const release = async () => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setTimeout(resolve, 1));
      running--;
    };
    const all = await Promise.allSettled(
      Array.from({ length: 5 }, () => session.spend(half, release, spent)),
    );
    expect(all.map(({ status }) => status)).toEqual([
      ...["fulfilled", "fulfilled"],
      ...["rejected", "rejected", "rejected"],
    ]);
    expect(most).toBe(1);
  });

  it("counts what was charged, and an error only if it may have been", async () => {
    const session = new AgentSession({ cap: { measure: "zcdp", rho: "1" } });
    const fail = async () => Promise.reject(new Error("gone"));
    await session.spend(
      zcdp("1/2"),
      async () => "stored",
      () => false,
    );
    await expect(session.spend(zcdp("1/2"), fail, () => false)).rejects.toThrow("gone");
    expect(session.remaining).toEqual(zcdp(1n));
    await expect(session.spend(zcdp("1/2"), fail, spent)).rejects.toThrow("gone");
    expect(session.remaining).toEqual(zcdp("1/2"));
  });

  it("refuses a price that it cannot count", () => {
    const session = new AgentSession({ cap: { measure: "pure", epsilon: "1" } });
    expect(() => session.admit(approx("1/2", "1e-6"))).toThrow("over");
  });
});

describe("an agreement", () => {
  it("is for the question that was asked, and for one use", () => {
    const session = new AgentSession();
    const [first, second] = [session.ask("top 5"), session.ask("top 6")];
    expect(session.wasAsked(first, "top 6")).toBe(false);
    expect(session.wasAsked(first, "top 5")).toBe(false);
    expect(session.wasAsked(second, "top 6")).toBe(true);
    expect(session.wasAsked(second, "top 6")).toBe(false);
    for (const token of [undefined, "", "guess"]) expect(session.wasAsked(token, "top 5")).toBe(false);
  });

  it("is forgotten if too many wait", () => {
    const session = new AgentSession();
    const first = session.ask("old");
    for (let i = 0; i < 64; i++) session.ask("new");
    expect(session.wasAsked(first, "old")).toBe(false);
  });
});
