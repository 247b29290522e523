import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, describe, expect, it } from "vitest";
import type { ObservedRequest } from "../src/http/messages.js";
import { startService } from "../src/listen.js";
import { Timeline } from "../src/timeline.js";
import { Tracer } from "../src/tracer.js";
import { CANARY, countedInMemory, KEYS, serviceFolder, TOP } from "./support/service-folder.js";

let server: Server | undefined;

/** A collector, and what it was sent. */
async function collector(status = 200) {
  const got: { readonly path: string | undefined; readonly token: unknown; readonly body: string }[] = [];
  const answers = { status };
  server = createServer(async (request, response) => {
    got.push({ path: request.url, token: request.headers["x-token"], body: await text(request) });
    response.writeHead(answers.status).end("{}");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { got, answers, endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

interface Sent {
  readonly name: string;
  readonly kind: number;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly { readonly key: string; readonly value: Record<string, unknown> }[];
  readonly status: { readonly code: number };
}

const spansIn = (body: string): Sent[] => JSON.parse(body).resourceSpans[0].scopeSpans[0].spans;

const ARRIVED = new Date("2026-05-01T12:00:00.250Z");

const REQUEST: ObservedRequest = {
  request: "0b2f5b5e-7f25-4c89-9a5b-0123456789ab",
  address: "192.0.2.1",
  method: "POST",
  route: "/v1/datasets/{name}/releases",
  status: 201,
  analyst: "alice",
  key: "laptop",
  because: undefined,
  dataset: "visits",
  code: undefined,
  cause: undefined,
  release: { isStored: false, sequence: 3 },
  arrived: ARRIVED,
  milliseconds: 100,
  phases: [{ name: "count", from: 2.5, milliseconds: 20 }],
  traceparent: undefined,
  unforeseen: undefined,
};

const OPTIONS = { headers: { "x-token": "t" }, oneIn: 1, version: "1.2.3", datasets: ["visits"] };

describe("the phases of a request", () => {
  it("follow each other from its arrival on, and the last ends when they are read", () => {
    let now = 1000;
    const timeline = new Timeline(() => now, 990);
    timeline.enter("find");
    now = 1005;
    timeline.enter("queue");
    now = 1025;
    expect(timeline.phases()).toEqual([
      { name: "find", from: 10, milliseconds: 5 },
      { name: "queue", from: 15, milliseconds: 20 },
    ]);
    expect(new Timeline(() => now, now).phases()).toEqual([]);
  });
});

describe("traces", () => {
  it("have a span for the request and one in it for each phase, in the JSON of OpenTelemetry", async () => {
    const { got, endpoint } = await collector();
    const tracer = new Tracer({ ...OPTIONS, endpoint: `${endpoint}/` });
    tracer.request(REQUEST);
    await tracer.close();
    expect(got.map(({ path, token }) => [path, token])).toEqual([["/v1/traces", "t"]]);
    const [{ resource }] = JSON.parse(got[0]!.body).resourceSpans;
    expect(resource.attributes).toContainEqual({ key: "service.name", value: { stringValue: "winnow" } });
    expect(resource.attributes).toContainEqual({ key: "winnow.private", value: { boolValue: true } });
    const [root, inner, ...more] = spansIn(got[0]!.body);
    expect(more).toEqual([]);
    expect(root).toMatchObject({ name: "POST /v1/datasets/{name}/releases", kind: 2, status: { code: 0 } });
    expect(root?.traceId).toMatch(/^[\da-f]{32}$/);
    expect([root?.startTimeUnixNano, root?.endTimeUnixNano]).toEqual([
      "1777636800250000000",
      "1777636800350000000",
    ]);
    expect(root?.attributes).toEqual([
      { key: "http.request.method", value: { stringValue: "POST" } },
      { key: "http.route", value: { stringValue: "/v1/datasets/{name}/releases" } },
      { key: "http.response.status_code", value: { intValue: "201" } },
      { key: "winnow.request", value: { stringValue: REQUEST.request } },
      { key: "winnow.analyst", value: { stringValue: "alice" } },
      { key: "winnow.dataset", value: { stringValue: "visits" } },
    ]);
    expect(inner).toMatchObject({
      name: "count",
      kind: 1,
      traceId: root?.traceId,
      parentSpanId: root?.spanId,
    });
    expect([inner?.startTimeUnixNano, inner?.endTimeUnixNano]).toEqual([
      "1777636800252500000",
      "1777636800272500000",
    ]);
  });

  it("are of analysts only, of known words only, and as many as the operator wants", async () => {
    const { got, endpoint } = await collector();
    const tracer = new Tracer({ ...OPTIONS, endpoint, oneIn: 3 });
    tracer.request({ ...REQUEST, analyst: undefined });
    tracer.request({ ...REQUEST, method: CANARY, dataset: CANARY, status: 503, code: "busy" });
    for (let i = 0; i < 5; i++) tracer.request(REQUEST);
    await tracer.close();
    const spans = got.flatMap(({ body }) => spansIn(body)).filter(({ kind }) => kind === 2);
    expect(spans.map(({ name, status }) => [name, status.code])).toEqual([
      ["_OTHER /v1/datasets/{name}/releases", 2],
      ["POST /v1/datasets/{name}/releases", 0],
    ]);
    expect(JSON.stringify(got)).not.toContain(CANARY);
  });

  it("continue the trace of a trusted proxy, as it says whether to", async () => {
    const { got, endpoint } = await collector();
    const tracer = new Tracer({ ...OPTIONS, endpoint });
    const [trace, parent] = ["4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"];
    tracer.request({ ...REQUEST, traceparent: `00-${trace}-${parent}-01` });
    tracer.request({ ...REQUEST, traceparent: `00-${trace}-${parent}-00` });
    tracer.request({ ...REQUEST, traceparent: `00-${"0".repeat(32)}-${parent}-00` });
    await tracer.close();
    const roots = got.flatMap(({ body }) => spansIn(body)).filter(({ kind }) => kind === 2);
    expect(roots).toHaveLength(2);
    expect(roots[0]).toMatchObject({ traceId: trace, parentSpanId: parent });
    expect(roots[1]?.parentSpanId).toBeUndefined();
  });

  it("are given up, counted and told once if the collector doesn't take them", async () => {
    const { answers, endpoint } = await collector(500);
    const changes: boolean[] = [];
    const tracer = new Tracer({ ...OPTIONS, endpoint, onChange: (isFailing) => changes.push(isFailing) });
    for (const status of [500, 400, 200, 200]) {
      answers.status = status;
      tracer.request(REQUEST);
      await tracer.close();
    }
    expect([changes, tracer.dropped]).toEqual([[true, false], 4]);
    const away = new Tracer({ ...OPTIONS, endpoint: "http://127.0.0.1:1" });
    for (let i = 0; i < 3000; i++) away.request(REQUEST);
    await away.close();
    expect(away.dropped).toBe(6000);
  });

  it("are sent by a running service, with every phase of a new release, and hold no row and no answer", async () => {
    const { got, endpoint } = await collector();
    const folder = await serviceFolder({
      listen: { port: 0, trustedProxies: ["127.0.0.1"] },
      operator: { traces: { endpoint } },
    });
    const host = { ...folder.host, openRows: countedInMemory(folder) };
    const running = await startService(folder.config, host);
    await running.ready;
    const [trace, parent] = ["4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"];
    const response = await fetch(`${running.address}v1/datasets/visits/releases`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${KEYS.bob.key}`,
        "content-type": "application/json",
        "idempotency-key": "traced",
        traceparent: `00-${trace}-${parent}-01`,
      },
      body: JSON.stringify(TOP),
    });
    expect(response.status).toBe(201);
    const page = await (await fetch(`${running.operatorAddress}metrics`)).text();
    expect(page).toContain('winnow_release_ticks_count{dataset="visits"} 1\n');
    expect(page).toContain('winnow_budget_left_share{dataset="visits"} 0.75\n'); // 19 of 20
    expect(page).toContain('winnow_budget_left_share{dataset="minutes"} 1\n');
    await running.close();
    folder.remove();
    const spans = got.flatMap(({ body }) => spansIn(body));
    expect(spans.map(({ name }) => name)).toEqual([
      "POST /v1/datasets/{name}/releases",
      ...["find", "queue", "admit", "count", "draw", "tick", "charge", "leave"],
    ]);
    expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([trace]));
    for (const word of [CANARY, "mail", "news", "area", KEYS.bob.key])
      expect(JSON.stringify(got)).not.toContain(word);
  });
});
