import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { afterEach, describe, expect, it } from "vitest";
import { builtProgram } from "../support/built-program.js";

let running: ChildProcess | undefined;

afterEach(() => {
  running?.kill("SIGKILL");
});

describe("the command winnow studio", () => {
  it.each(["SIGINT", "SIGTERM"] as const)("serves the built page until %s, and ends well", async (signal) => {
    running = spawn(process.execPath, [builtProgram(), "studio", "--port", "0"], {
      stdio: ["ignore", "pipe", "ignore"],
    });
    const [address] = await once(createInterface({ input: running.stdout! }), "line");
    expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
    const response = await fetch(String(address));
    expect(response.status).toBe(200);
    expect(await response.text()).toContain("<title>Winnow studio</title>");
    expect(response.headers.get("content-security-policy")).toContain("connect-src 'none'");
    running.kill(signal);
    expect(await once(running, "exit")).toEqual([0, null]);
  });

  it.each(["70000", "-1", "http", "1e3"])("refuses %s for a port", async (port) => {
    running = spawn(process.execPath, [builtProgram(), "studio", "--port", port], {
      stdio: ["ignore", "ignore", "pipe"],
    });
    const said = await new Response(running.stderr as unknown as BodyInit).text();
    expect(said).toContain("must be a port from 0 to 65535");
    expect(running.exitCode ?? (await once(running, "exit"))[0]).toBe(2);
  });
});
