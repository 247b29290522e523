import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { isNetwork, TrustedProxies } from "../src/client-address.js";
import { type RunningService, startService } from "../src/listen.js";
import {
  type Changes,
  countedInMemory,
  KEYS,
  type ServiceFolder,
  serviceFolder,
} from "./support/service-folder.js";

let folder: ServiceFolder | undefined;
let running: RunningService | undefined;
const lines: string[] = [];

async function start(changes: Changes = {}): Promise<RunningService> {
  folder = await serviceFolder({ listen: { port: 0 }, ...changes });
  lines.length = 0;
  running = await startService(
    folder.config,
    { ...folder.host, openRows: countedInMemory(folder) },
    { write: (line) => lines.push(line) },
  );
  await running.ready;
  return running;
}

afterEach(async () => {
  await running?.close();
  running = undefined;
  folder?.remove();
});

const events = () => lines.map((line) => JSON.parse(line));

describe("where a request comes from", () => {
  const proxies = new TrustedProxies(["10.0.0.0/8", "2001:db8::1"]);

  it.each<[string, string, string | undefined, string]>([
    ["the connection, without a header", "192.0.2.1", undefined, "192.0.2.1"],
    [
      "the connection, if that isn't a proxy's, whatever the header says",
      "192.0.2.1",
      "203.0.113.9",
      "192.0.2.1",
    ],
    ["the client of a proxy", "10.0.0.1", "203.0.113.9", "203.0.113.9"],
    ["the client of a proxy behind a proxy", "10.0.0.1", "203.0.113.9, 10.2.0.1", "203.0.113.9"],
    [
      "the last that a proxy has seen, not what a client wrote before",
      "10.0.0.1",
      "10.9.9.9, 1.1.1.1, 203.0.113.9",
      "203.0.113.9",
    ],
    ["the proxy, if its header has no address", "10.0.0.1", "203.0.113.9, unknown", "10.0.0.1"],
    ["the proxy, without a header", "10.0.0.1", undefined, "10.0.0.1"],
    ["a proxy that a socket for IPv6 shows", "::ffff:10.0.0.1", "2001:db8::7", "2001:db8::7"],
    ["a proxy by its own address", "2001:db8::1", "203.0.113.9", "203.0.113.9"],
    ["a client that a socket for IPv6 shows", "::ffff:192.0.2.1", undefined, "192.0.2.1"],
  ])("is %s", (_, connection, header, client) => {
    expect(proxies.client(connection, header)).toBe(client);
  });

  it("isn't looked for in a header without an end", () => {
    expect(proxies.client("10.0.0.1", `203.0.113.9, ${"10.0.0.1, ".repeat(100_000)}10.0.0.2`)).toBe(
      "10.0.0.1",
    );
  });

  it("is of a proxy that was given as an address or a network", () => {
    const right = ["10.0.0.1", "10.0.0.0/8", "::1", "2001:db8::/32", "0.0.0.0/0"];
    const wrong = [
      "",
      "10",
      "10.0.0.0/33",
      "10.0.0.0/-1",
      "10.0.0.0/8/8",
      "2001:db8::/129",
      "proxy.internal",
      "*",
    ];
    expect(right.filter((each) => !isNetwork(each))).toEqual([]);
    expect(wrong.filter(isNetwork)).toEqual([]);
  });
});

describe("strangers", () => {
  it("behind a trusted proxy have a limit each, and without the setting one together", async () => {
    const refusals = async (trustedProxies: readonly string[]) => {
      const { address, close } = await start({
        listen: { port: 0, trustedProxies },
        "limits/strangersPerMinute": 6, // one at once
      });
      const statuses: number[] = [];
      for (const client of ["203.0.113.1", "203.0.113.2", "203.0.113.1"]) {
        const headers = { "x-forwarded-for": `1.1.1.1, ${client}` };
        statuses.push((await fetch(`${address}v1/datasets`, { headers })).status);
      }
      await close();
      folder?.remove();
      return [statuses, events().flatMap(({ event, address: from }) => (event === "denied" ? [from] : []))];
    };
    expect(await refusals(["127.0.0.1"])).toEqual([
      [401, 401, 429],
      ["203.0.113.1", "203.0.113.2"],
    ]);
    expect(await refusals([])).toEqual([[401, 429, 429], ["127.0.0.1"]]);
  });

  it("with one address don't take all connections; a trusted proxy may", async () => {
    const opened = async (count: number, address: string) => {
      const { hostname, port } = new URL(address);
      const sockets: Socket[] = [];
      for (let at = 0; at < count; at++) {
        const socket = connect(Number(port), hostname);
        socket.on("error", () => {});
        await once(socket, "connect");
        sockets.push(socket);
      }
      const answers = await Promise.all(
        sockets.map(async (socket) => {
          let text = "";
          socket.on("data", (chunk) => {
            text += chunk;
          });
          const closed = new Promise((resolve) => socket.on("close", resolve));
          socket.write("GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
          await closed;
          return text.slice(0, 12);
        }),
      );
      return answers.filter((line) => line === "HTTP/1.1 200").length;
    };
    const strict = await start({ "limits/connectionsPerAddress": 3 });
    expect(await opened(5, strict.address)).toBe(3);
    await expect.poll(() => opened(3, strict.address)).toBe(3); // their places are free again
    const metrics = await (await fetch(`${strict.operatorAddress}metrics`)).text();
    expect(Number(/winnow_connections_refused_total (\d+)/.exec(metrics)?.[1])).toBeGreaterThanOrEqual(2);
    await strict.close();
    folder?.remove();
    const { address } = await start({
      listen: { port: 0, trustedProxies: ["127.0.0.0/8"] },
      "limits/connectionsPerAddress": 3,
    });
    expect(await opened(5, address)).toBe(5);
  });

  it("make no line above info, whatever they send, and only so many of those", async () => {
    const { address } = await start({ "limits/strangersPerMinute": 30 });
    const { hostname, port } = new URL(address);
    const post =
      "POST /v1/datasets/visits/releases HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n";
    const requests = [
      "\r\n\r\n",
      "nonsense\r\n\r\n",
      "GET /v1/releases/%00 HTTP/1.1\r\nHost: x\r\n\r\n",
      "GET / HTTP/1.0\r\n\r\n",
      "GET /health HTTP/9.9\r\nHost: x\r\n\r\n",
      `GET /${"x".repeat(30_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
      `${post}Content-Length: 100\r\n\r\n{`,
      `${post}Transfer-Encoding: chunked\r\n\r\n5\r\n{"kin`,
      `${post}Transfer-Encoding: chunked\r\n\r\nzz\r\n`,
      `${post}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n`,
      `${post}Authorization: Bearer ${"x".repeat(9000)}\r\nContent-Length: 2\r\n\r\n{}`,
      "GET /v1/datasets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer a.b.c\r\n\r\n",
    ];
    for (const request of requests)
      for (const isAborted of [false, true]) {
        const socket = connect(Number(port), hostname);
        socket.on("error", () => {});
        await once(socket, "connect");
        socket.write(request);
        await new Promise((resolve) => setTimeout(resolve, 20));
        if (isAborted) socket.resetAndDestroy();
        else socket.destroy();
      }
    for (let at = 0; at < 50; at++) await fetch(`${address}v1/datasets`);
    await running?.close();
    const told = events().filter(({ event }) => event !== "slow");
    expect(told.filter(({ level }) => level !== "info")).toEqual([]);
    expect(told.filter(({ event }) => event === "denied").length).toBeLessThan(10);
    expect(new Set(told.map(({ event }) => event))).toEqual(
      new Set(["started", "denied", "stopping", "stopped"]),
    );
  });
});

describe("the operator's port", () => {
  it("has the probes and the metrics; that for analysts has the probes only", async () => {
    const { address, operatorAddress } = await start();
    expect(operatorAddress).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
    const status = async (path: string) => (await fetch(path)).status;
    for (const path of ["health", "ready"]) {
      expect(await status(operatorAddress + path)).toBe(200);
      expect(await status(address + path)).toBe(200);
    }
    expect(await (await fetch(`${operatorAddress}metrics`)).text()).toContain("winnow_ledger_answers 1\n");
    expect(await status(`${address}metrics`)).toBe(404);
    expect(await status(`${address}v1/../metrics`)).toBe(404);
    expect(await status(`${operatorAddress}v1/datasets`)).toBe(404);
  });

  it("is one above that for analysts unless it is given, and is refused in the words of its field", async () => {
    const { operatorAddress } = await start();
    const taken = await serviceFolder({
      listen: { port: 0 },
      operator: { port: Number(new URL(operatorAddress).port) },
    });
    const host = { ...taken.host, openRows: countedInMemory(taken) };
    await expect(startService(taken.config, host)).rejects.toThrow(
      /^operator must be a free address; .* is used by/,
    );
    taken.remove();
  });
});

describe("a request id", () => {
  it("is in the answer and in the log", async () => {
    const { address } = await start();
    const headers = { authorization: `Bearer ${KEYS.alice.key}` };
    const ids = [
      (await fetch(`${address}v1/datasets`, { headers })).headers.get("x-request-id"),
      (await fetch(`${address}v1/datasets/none/budget`, { headers })).headers.get("x-request-id"),
      (await fetch(`${address}v1/datasets`)).headers.get("x-request-id"),
    ];
    expect(new Set(ids).size).toBe(3);
    const told = events().filter(({ event }) => !["started", "slow"].includes(event));
    expect(told.map(({ event, request, code }) => [event, request, code])).toEqual([
      ["request", ids[0], undefined],
      ["denied", ids[1], "not-found"],
      ["denied", ids[2], "unauthenticated"],
    ]);
  });
});
