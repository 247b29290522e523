import { existsSync } from "node:fs";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { onFreePorts, ServerProcess, serverFolder } from "../../src/scale/server-process.js";

/** With `setpriv`, and all of 127.0.0.0/8 on the loopback interface. In continuous integration nothing may be skipped. */
beforeEach((test) => {
  if (process.platform !== "linux" && process.env.CI === undefined)
    test.skip("servers are started on Linux only");
});

describe("a server that is started", () => {
  const never = () => Promise.resolve(false);

  it.each([
    ["ends by itself", "exit 1"],
    ["is killed", "kill -KILL $$"],
  ])("and %s before it answers is noticed at once", async (_, script) => {
    const folder = await serverFolder("ending");
    const server = new ServerProcess("sh", ["-c", script], folder);
    onTestFinished(() => server.stop());
    await expect(server.started(never)).rejects.toThrow("ended while it started");
  });

  it("ends when it is told to, and takes its folder with it", async () => {
    const folder = await serverFolder("running");
    const server = new ServerProcess("sleep", ["86400"], folder);
    await server.started(() => Promise.resolve(true));
    await server.stop();
    expect(existsSync(folder)).toBe(false);
  });
});

describe("free ports", () => {
  it("are others for everybody, and others are tried where a start fails", async () => {
    const tried: number[] = [];
    const start = (ports: number[]) => {
      tried.push(...ports);
      return tried.length < 30 ? Promise.reject(new Error("taken")) : Promise.resolve("started");
    };
    expect(await onFreePorts(10, start)).toBe("started");
    expect(new Set(tried).size).toBe(30);
    await expect(onFreePorts(1, () => Promise.reject(new Error("taken")))).rejects.toThrow("taken");
  });
});
