import { describe, expect, it } from "vitest";
import { approx, pure, zcdp } from "winnow-dp";
import { AgentSession } from "../../src/mcp/session.js";

const spent = () => true;
const half = pure("1/2");

describe("the cap of a session", () => {
  it("is one half with a small delta unless the person who starts it says otherwise", async () => {
    const session = new AgentSession();
    expect(session.left).toBe("ε = 0.5, δ = 0.000001 of its cap of ε = 0.5, δ = 0.000001");
    await session.spend(pure("1/3"), async () => {}, spent);
    expect(session.remaining).toEqual(approx("1/6", "1e-6"));
    session.admit(pure("1/6"));
    expect(() => session.admit(pure("0.1667"))).toThrow(
      "The release costs ε = 0.1667, but this session may spend only ε = 0.1666, δ = 0.000001 of its cap of ε = 0.5, δ = 0.000001.",
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
    expect(() => session.admit(approx("1/2", "1e-6"))).toThrow(
      "this session may spend only ε = 1 of its cap of ε = 1.",
    );
  });
});

describe("an agreement", () => {
  const NO_QUESTION = "The agreement belongs to no open question; nothing was charged.";

  it("is for the question that was asked, and for one use", () => {
    const session = new AgentSession();
    const [first, second] = [session.ask("top 5"), session.ask("top 6")];
    expect(() => session.agreed(first, "top 6", "accept")).toThrow(NO_QUESTION);
    expect(() => session.agreed(first, "top 5", "accept")).toThrow(NO_QUESTION);
    session.agreed(second, "top 6", "accept");
    expect(() => session.agreed(second, "top 6", "accept")).toThrow(NO_QUESTION);
    for (const token of [undefined, "", "guess"])
      expect(() => session.agreed(token, "top 5", "accept")).toThrow(NO_QUESTION);
  });

  it("is forgotten if too many wait", () => {
    const session = new AgentSession();
    const first = session.ask("old");
    for (let i = 0; i < 64; i++) session.ask("new");
    expect(() => session.agreed(first, "old", "accept")).toThrow(NO_QUESTION);
  });

  it("isn't asked for any more after three refusals in a row", () => {
    const session = new AgentSession();
    const answer = (action: "accept" | "decline" | "cancel") => session.agreed(session.ask("q"), "q", action);
    for (const [action, said] of [
      ["decline", "The person declined; nothing was charged."],
      ["cancel", "The person gave no answer; nothing was charged."],
    ] as const)
      expect(() => answer(action)).toThrow(said);
    answer("accept");
    for (let i = 0; i < 3; i++) expect(() => answer("decline")).toThrow("The person declined");
    expect(() => session.ask("q")).toThrow(
      "The person has refused 3 releases in a row and isn't asked again in this session.",
    );
  });
});
