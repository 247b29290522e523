/** Whatever is sent to the service over HTTP, and whatever its rows do: no failure, no stack, and nothing private anywhere. */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Host } from "../src/host.js";
import { OPERATIONS } from "../src/http/openapi.js";
import { PROBLEM_CODES } from "../src/problems.js";
import { Watch } from "../src/watch.js";
import {
  CANARY,
  countedInMemory,
  KEYS,
  type OpenedService,
  openService,
  type ServiceFolder,
  serviceFolder,
} from "./support/service-folder.js";

let folder: ServiceFolder;
let opened: OpenedService;

/** Every second count breaks with an error that quotes a row, as an engine's does. */
function breaking(whole: Host["openRows"]): Host["openRows"] {
  let counts = 0;
  return async (...open) => {
    const rows = await whole(...open);
    return {
      ...rows,
      async *count(...wanted) {
        if (counts++ % 2 === 0) throw new Error(`Conversion of "${CANARY}" failed at ${folder.path}`);
        yield* rows.count(...wanted);
      },
    };
  };
}

beforeAll(async () => {
  folder = await serviceFolder({ "datasets/visits/maxAge": 0 });
  opened = await openService(folder, { openRows: breaking(countedInMemory(folder)) });
});
afterAll(async () => {
  await opened.service.close();
  folder.remove();
});

const number = fc.oneof(
  fc.constantFrom<unknown>("1/10", "1", "1e-6", 0.1, 0, -1, "1/0", "1e999", "９", "0x1", null, true),
  fc.double(),
  fc.string({ unit: "binary", maxLength: 12 }),
);

const RIGHT = [
  '{"kind":"top","k":2,"epsilon":"1/10"}',
  '{"kind":"top","k":1,"epsilon":0.01,"counts":true}',
  '{"kind":"quantile","epsilon":"1/10","quantiles":["0.5"]}',
  '{"kind":"top","k":1,"epsilon":"1/10","__proto__":{"item":"user"}}',
];

/** Questions that are nearly right, and anything else. */
const body = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .record(
        {
          kind: fc.constantFrom<unknown>(
            "top",
            "top",
            "top",
            "names",
            "adaptive",
            "quantile",
            "frequencies",
            "x",
            7,
          ),
          k: fc.oneof(fc.integer({ min: 0, max: 5 }), number),
          epsilon: number,
          rho: number,
          delta: number,
          mechanism: fc.constantFrom("noisy-top-k", "permute-and-flip", "__proto__", ""),
          counts: fc.oneof(fc.boolean(), number),
          resolution: number,
          quantiles: fc.array(number, { maxLength: 3 }),
          item: fc.constant("user"),
        },
        { requiredKeys: ["kind"] },
      )
      .map((ask) => JSON.stringify(ask)),
  },
  { weight: 4, arbitrary: fc.constantFrom(...RIGHT) },
  fc.json({ maxDepth: 6 }),
  fc.string({ unit: "binary", maxLength: 50 }),
  fc.uint8Array({ maxLength: 40 }),
  fc.constantFrom(
    "[".repeat(9000),
    `{"kind":"${"x".repeat(20_000)}"}`,
    '{"kind":"top","kind":"top"}',
    "\u{feff}{}",
  ),
);

const segment = fc.oneof(
  fc.constantFrom("visits", "unlisted", "minutes", "alice.a", "bob.a", "..", "%2e%2e", "%00", "%ff", CANARY),
  fc
    .string({ unit: "binary", maxLength: 20 })
    .map((text) => encodeURIComponent(Buffer.from(text).toString())),
);
const path = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom("/v1/datasets/visits/releases", "/v1/datasets/minutes/releases") },
  {
    weight: 5,
    arbitrary: fc
      .tuple(fc.constantFrom(...Object.values(OPERATIONS).map((operation) => operation.path)), segment)
      .map(([pattern, text]) => pattern.replace(/\{\w+\}/, () => text)),
  },
  fc.array(segment, { maxLength: 4 }).map((segments) => `/${segments.join("/")}`),
);
const query = fc.oneof(
  fc.constantFrom(
    "",
    "",
    "",
    "",
    "",
    "?limit=5",
    "?before=0",
    "?limit=NaN",
    "?limit=1&limit=2",
    "?__proto__=1",
  ),
  fc.webQueryParameters().map((text) => `?${text}`),
);

const headerText = fc.string({ unit: fc.constantFrom(..."azAZ09._~:-/ \"'%\t\u{ff}"), maxLength: 30 });
const headers = fc.record(
  {
    authorization: fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom(...Object.values(KEYS).map(({ key }) => `Bearer ${key}`)) },
      headerText,
    ),
    "content-type": fc.oneof(
      { weight: 6, arbitrary: fc.constant("application/json") },
      fc.constantFrom("text/plain", "application/json; charset=utf-16", "application/jsonp"),
      headerText,
    ),
    "idempotency-key": fc.oneof(fc.uuid(), fc.constantFrom("a", '"a"', "", CANARY), headerText),
    "content-length": fc.constantFrom("0", "-1", "999999999", "x"),
    origin: headerText,
    host: headerText,
    "x-forwarded-for": headerText,
  },
  { requiredKeys: ["authorization", "content-type", "idempotency-key"] },
);
const method = fc.constantFrom(
  "POST",
  "POST",
  "POST",
  "GET",
  "GET",
  "HEAD",
  "PUT",
  "DELETE",
  "OPTIONS",
  "PATCH",
);

describe("a hostile request", () => {
  it("is answered or refused as the document says, without a stack, a path or anything of the rows", async () => {
    let log = "";
    const watch = new Watch(folder.config, "0.0.0", (line) => {
      log += line;
    });
    const statuses = new Map<number, number>();
    const request = fc.record({ method, path, query, headers, body });
    await fc.assert(
      fc.asyncProperty(request, async ({ method, path, query, headers, body }) => {
        const isEmpty = method === "GET" || method === "HEAD";
        const response = await opened.app.request(`http://service.test${path}${query}`, {
          method,
          headers,
          ...(!isEmpty && { body: body as BodyInit }),
        });
        const text = await response.text();
        statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
        expect(response.status).not.toBe(500);
        for (const shown of [text, [...response.headers].join("\n")]) {
          expect(shown).not.toContain(folder.path);
          expect(shown).not.toMatch(/\n\s+at |node_modules|\.[jt]s:\d/);
          if (!`${path}${JSON.stringify(headers)}`.includes(CANARY)) expect(shown).not.toContain(CANARY);
        }
        if (response.status >= 400 && method !== "HEAD") {
          expect(response.headers.get("content-type")).toBe("application/problem+json; charset=utf-8");
          expect(PROBLEM_CODES).toContain(JSON.parse(text).code);
        }
      }),
      { numRuns: 800 },
    );
    for (const request of opened.requests) watch.request(request);
    for (const event of opened.events) watch.event(event);
    expect(log).not.toContain(CANARY);
    expect(log).not.toContain(folder.path);
    expect(opened.events.length).toBeGreaterThan(0); // rows did break
    for (const status of [200, 201, 400, 401, 403, 404, 405, 415])
      expect([...statuses.keys()]).toContain(status);
  });
});
