import { once } from "node:events";
import { request } from "node:https";
import { connect } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import type { Host } from "../src/host.js";
import { type RunningService, type StartOptions, startService } from "../src/listen.js";
import {
  type Changes,
  countedInMemory,
  expectShape,
  KEYS,
  type ServiceFolder,
  serviceFolder,
  TOP,
} from "./support/service-folder.js";
import { CERTIFICATE, PRIVATE_KEY } from "./support/test-certificate.js";

let folder: ServiceFolder | undefined;
let running: RunningService | undefined;
const lines: string[] = [];

async function start(
  changes: Changes = {},
  options: StartOptions = {},
  own: (host: Host) => Partial<Host> = () => ({}),
) {
  folder = await serviceFolder({ listen: { port: 0 }, ...changes });
  const host = { ...folder.host, openRows: countedInMemory(folder) };
  lines.length = 0;
  running = await startService(
    folder.config,
    { ...host, ...own(host) },
    { write: (line) => lines.push(line), ...options },
  );
  return running;
}

afterEach(async () => {
  await running?.close();
  running = undefined;
  folder?.remove();
});

const headers = { authorization: `Bearer ${KEYS.bob.key}`, "content-type": "application/json" };

function release(address: string, key: string): Promise<Response> {
  return fetch(`${address}v1/datasets/visits/releases`, {
    method: "POST",
    headers: { ...headers, "idempotency-key": key },
    body: JSON.stringify(TOP),
  });
}

/** Rows whose count waits until the test lets it go, or until it is cancelled. */
function held(open: Host["openRows"]) {
  let letGo = () => {};
  const gate = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  let begin = () => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const openRows: Host["openRows"] = async (...given) => {
    const rows = await open(...given);
    return {
      ...rows,
      async *count(wanted, options) {
        begin();
        const cancelled = new Promise<never>((_, reject) => {
          options.signal.addEventListener("abort", () => reject(options.signal.reason), { once: true });
        });
        await Promise.race([gate, cancelled]);
        yield* rows.count(wanted, options);
      },
    };
  };
  return { openRows, letGo: () => letGo(), begun };
}

describe("the service on a port", () => {
  it("takes a body that is cut off for a refused request, with and without a key, and not for an error of its own", async () => {
    const { address, operatorAddress, ready } = await start();
    await ready;
    const { port } = new URL(address);
    for (const key of ["", `authorization: ${headers.authorization}\r\n`]) {
      const before = lines.length;
      const socket = connect(Number(port), "127.0.0.1");
      await once(socket, "connect");
      const head = `POST /v1/datasets/visits/cost HTTP/1.1\r\nhost: x\r\n${key}content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n`;
      socket.write(`${head}5\r\n{"kin`);
      await fetch(`${address}health`);
      socket.resetAndDestroy();
      await expect.poll(() => lines.slice(before).filter((line) => line.includes("/cost"))).toHaveLength(1);
    }
    const told = lines.filter((line) => line.includes("/cost")).map((line) => JSON.parse(line));
    expect(told.map(({ level, event, status, code }) => [level, event, status, code])).toEqual([
      ["info", "denied", 401, "unauthenticated"], // without reading the body
      ["info", "refused", 400, "invalid-request"],
    ]);
    expect(await (await fetch(`${operatorAddress}metrics`)).text()).not.toMatch(
      /status="500"|code="unexpected"} [1-9]/,
    );
  });

  it.each<[string, string]>([
    ["states its length", "content-length: 20000\r\n\r\n"],
    ["comes in pieces", `transfer-encoding: chunked\r\n\r\n4e20\r\n${" ".repeat(20_000)}\r\n0\r\n\r\n`],
  ])("refuses a body that is too long, if it %s", async (_, rest) => {
    const { address } = await start();
    const socket = connect(Number(new URL(address).port), "127.0.0.1");
    await once(socket, "connect");
    const known = `authorization: ${headers.authorization}\r\ncontent-type: application/json\r\n`;
    socket.write(`POST /v1/datasets/visits/cost HTTP/1.1\r\nhost: x\r\n${known}${rest}`);
    const [answer] = await once(socket, "data");
    expect(String(answer)).toMatch(/^HTTP\/1\.1 413 /); // without waiting for the rest
    socket.destroy();
  });

  it.each([
    ["without a host", "GET /health HTTP/1.1\r\n\r\n", 400],
    ["with another protocol", "GET /health SPDY/9\r\n\r\n", 400],
    ["with a bare line feed in a header", "GET /health HTTP/1.1\r\nhost: x\r\na: b\nc\r\n\r\n", 400],
    [
      "with two lengths",
      "POST /health HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n",
      400,
    ],
    ["with 100 kB of headers", `GET /health HTTP/1.1\r\nhost: x\r\na: ${"b".repeat(100_000)}\r\n\r\n`, 431],
    ["with an address that isn't one", "GET http://[ HTTP/1.1\r\nhost: x\r\n\r\n", 400],
    ["with a host that isn't one", "GET /health HTTP/1.1\r\nhost: a b\r\n\r\n", 400],
    ["in HTTP/1.0 without a host", "GET /nowhere HTTP/1.0\r\n\r\n", 404],
  ])("refuses a request %s with a problem, on both ports", async (_, text, status) => {
    const { address, operatorAddress } = await start();
    for (const { port } of [new URL(address), new URL(operatorAddress)]) {
      const socket = connect(Number(port), "127.0.0.1");
      socket.write(text);
      let answer = "";
      for await (const part of socket.setEncoding("utf8")) {
        answer += part;
        if (/\r\n\r\n.+\n/s.test(answer)) break;
      }
      socket.destroy();
      const [head = "", body = ""] = answer.split("\r\n\r\n");
      expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
      if (status === 404 && port === new URL(operatorAddress).port) continue; // the operator's port has no pages
      expect(head.toLowerCase()).toContain("content-type: application/problem+json");
      const problem = JSON.parse(body.replace(/^[\da-f]+\r\n|\r\n0\r\n.*$/g, ""));
      expectShape("Problem", problem);
      expect(problem.status).toBe(status);
    }
  });

  it("answers over HTTP, and writes down public words only", async () => {
    const { address, operatorAddress, ready } = await start();
    await ready;
    expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
    expect((await release(address, "a")).status).toBe(201);
    expect((await release(address, "a")).status).toBe(200);
    expect((await fetch(`${address}v1/datasets`)).status).toBe(401);
    expect((await fetch(`${address}ready`)).status).toBe(200);
    const metrics = await (await fetch(`${operatorAddress}metrics`)).text();
    expect(metrics).toContain('winnow_releases_total{dataset="visits"} 1');
    expect(metrics).toContain('winnow_refusals_total{code="unauthenticated"} 1');
    await running?.close();
    const events = lines.map((line) => JSON.parse(line)).filter(({ event }) => event !== "slow"); // depends on the machine
    expect(events.map(({ event }) => event)).toEqual([
      ...["started", "released", "request", "denied", "stopping", "stopped"],
    ]);
    expect(events[1]).toMatchObject({ analyst: "bob", dataset: "visits", status: 201, sequence: 4 });
    expect(events[3]).toMatchObject({ code: "unauthenticated", address: "127.0.0.1" });
    expect(lines.filter((line) => !line.includes("denied")).join("")).not.toContain("127.0.0.1");
    expect(lines.join("")).not.toMatch(/mail|news|bob\.a/);
  });

  it("answers over TLS with the operator's certificate", async () => {
    const tls = { key: PRIVATE_KEY, cert: CERTIFICATE };
    const { address } = await start({}, { tls });
    expect(address).toMatch(/^https:/);
    const status = await new Promise((resolve, reject) => {
      const asked = request(`${address}health`, { ca: CERTIFICATE }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      asked.on("error", reject).end();
    });
    expect(status).toBe(200);
  });

  it("says which address it can't listen on", async () => {
    const { address } = await start();
    const port = Number(new URL(address).port);
    const second = await serviceFolder({ listen: { port } });
    const host = { ...second.host, openRows: countedInMemory(second) };
    await expect(startService(second.config, host)).rejects.toThrow(
      `listen must be a free address; 127.0.0.1:${port} is used by another program.`,
    );
    second.remove();
  });

  it("finishes a release under way when it is stopped", async () => {
    let gate: ReturnType<typeof held> | undefined;
    const { address, close } = await start({ "datasets/visits/maxAge": 0 }, {}, ({ openRows }) => {
      gate = held(openRows);
      return gate;
    });
    const answer = release(address, "a");
    await gate?.begun;
    const closed = close();
    gate?.letGo();
    expect((await answer).status).toBe(201);
    await closed;
  });

  it("answers while it drains, and says at /ready that it is stopping", async () => {
    const { address, ready, close } = await start({ stop: { drain: 1 } });
    await ready;
    const closed = close();
    const probe = await fetch(`${address}ready`);
    expect([probe.status, await probe.json()]).toEqual([
      503,
      { status: "stopping", reason: "The service is stopping." },
    ]);
    expect((await release(address, "late")).status).toBe(201);
    await closed;
    await expect(fetch(`${address}health`)).rejects.toThrow();
  });

  it("cancels a count that doesn't end before its charge", async () => {
    let gate: ReturnType<typeof held> | undefined;
    const { address, close } = await start(
      { "datasets/visits/maxAge": 0, stop: { grace: 1 } },
      {},
      ({ openRows }) => {
        gate = held(openRows);
        return gate;
      },
    );
    const answer = release(address, "a");
    await gate?.begun;
    await close();
    const { status, headers } = await answer;
    expect([status, headers.get("retry-after")]).toEqual([503, "5"]);
    expect(await (await answer).json()).toMatchObject({ code: "shutting-down" });
  });

  it("answers at its time limit, and keeps the release for the same key", async () => {
    let gate: ReturnType<typeof held> | undefined;
    const changes = { "datasets/visits/maxAge": 0, "limits/time": 1 };
    const { address } = await start(changes, {}, ({ openRows }) => {
      gate = held(openRows);
      return gate;
    });
    const late = await release(address, "a");
    expect([late.status, await late.json()]).toMatchObject([
      503,
      { code: "still-running", release: "bob.a" },
    ]);
    gate?.letGo();
    const again = await release(address, "a");
    expect(again.status).toBe(200);
  });
});
