import { describe, expect, it } from "vitest";
import { Refusal } from "winnow-release";
import { ConnectionLost, retryLostConnections } from "../../src/sources/server-connection.js";

describe.concurrent("A run whose connection breaks", () => {
  it("starts again, and its answer is that of the attempt that came through", async () => {
    let attempts = 0;
    const answer = await retryLostConnections(async () => {
      if (++attempts < 3) throw new ConnectionLost("the server");
      return attempts;
    });
    expect(answer).toBe(3);
  });

  it("starts again while its server restarts, but not to find one that was never there", async () => {
    const unreachable = new Refusal("server-unreachable", "No server.");
    const failures = [new ConnectionLost("the server"), unreachable, unreachable];
    const comesBack = retryLostConnections(async () => {
      const failure = failures.shift();
      if (failure !== undefined) throw failure;
      return "back";
    });
    expect(await comesBack).toBe("back");
    let attempts = 0;
    const neverThere = retryLostConnections(async () => {
      attempts++;
      throw unreachable;
    });
    await expect(neverThere).rejects.toBe(unreachable);
    expect(attempts).toBe(1);
  });

  it("ends after a few attempts with a sentence", async () => {
    let attempts = 0;
    const run = retryLostConnections(async () => {
      attempts++;
      throw new ConnectionLost("the server");
    });
    await expect(run).rejects.toMatchObject({
      code: "server-failed",
      message: "The connection to the server broke before the count was complete.",
    });
    expect(attempts).toBe(4);
  });

  it("starts once if it was refused for another reason, or is interrupted", async () => {
    let attempts = 0;
    const refused = new Refusal("server-refused", "No.");
    const run = retryLostConnections(async () => {
      attempts++;
      throw refused;
    });
    await expect(run).rejects.toBe(refused);
    const interrupted = retryLostConnections(async () => {
      attempts++;
      throw new ConnectionLost("the server");
    }, AbortSignal.abort());
    await expect(interrupted).rejects.toBeInstanceOf(ConnectionLost);
    expect(attempts).toBe(2);
  });
});
