import { readFileSync } from "node:fs";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { Ask } from "../src/ask.js";
import { MECHANISM_NAMES, readConfig } from "../src/config.js";
import { OPERATIONS, type Operation, openApiDocument } from "../src/http/openapi.js";
import { pageOf } from "../src/http/page.js";
import { PROBLEM_CODES } from "../src/problems.js";
import {
  CANARY,
  configJson,
  expectShape,
  KEYS,
  type OpenedService,
  openService,
  type ServiceFolder,
  serviceFolder,
  TOP,
} from "./support/service-folder.js";

let folder: ServiceFolder;
let opened: OpenedService;

beforeAll(async () => {
  folder = await serviceFolder();
  opened = await openService(folder);
});
afterAll(async () => {
  await opened.service.close();
  folder.remove();
});

describe("the OpenAPI document", () => {
  const document = openApiDocument("1.2.3");

  it("describes every operation with its answers and problems, and every reference resolves", async () => {
    const json = await (await opened.app.request("/openapi.json")).json();
    expect(json).toEqual(JSON.parse(JSON.stringify(openApiDocument("0.0.0"))));
    const operations = Object.values(document.paths).flatMap(
      (path) => Object.values(path) as { responses: object }[],
    );
    expect(operations).toHaveLength(Object.keys(OPERATIONS).length);
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)];
    expect(references.length).toBeGreaterThan(40);
    for (const [, name] of references) expect(Object.keys(document.components.schemas)).toContain(name);
    const used = (Object.values(OPERATIONS) as Operation[]).flatMap(({ problems }) => problems);
    const unused = PROBLEM_CODES.filter((code) => !used.includes(code as never));
    expect(unused).toEqual(["unconfirmed", "method-not-allowed"]); // the first is for agents, whose person is asked
  });

  it("has examples that its own patterns take, everywhere", () => {
    const examples: [string, boolean][] = [];
    const look = (part: unknown, at: string): void => {
      if (typeof part !== "object" || part === null) return;
      const schema = part as { readonly examples?: readonly unknown[] };
      for (const example of Array.isArray(schema.examples) ? schema.examples : [])
        examples.push([`${at}: ${example}`, z.fromJSONSchema(schema as never).safeParse(example).success]);
      for (const [name, inner] of Object.entries(part)) look(inner, `${at}/${name}`);
    };
    look(document, "");
    expect(examples.length).toBeGreaterThan(3);
    expect(examples.filter(([, fits]) => !fits)).toEqual([]);
    const wrong = { anyOf: [{ type: "string", pattern: "^\\d+$" }], examples: ['"1"'] };
    expect(z.fromJSONSchema(wrong as never).safeParse('"1"').success).toBe(false);
  });

  it("allows no question that the usual limit of a body refuses", () => {
    const long = (first: string) => first.padEnd(90, "0");
    const { shape } = Ask;
    const largest: Record<keyof typeof shape, unknown> = {
      kind: "frequencies",
      k: 1_000_000,
      epsilon: long("1."),
      rho: long("1."),
      delta: long("0.1"),
      mechanism: [...MECHANISM_NAMES].sort((a, b) => b.length - a.length)[0],
      counts: false,
      set: false,
      outsiderShare: long("0.1"),
      guess: "people=1000000000000,".padEnd(200, "0"),
      resolution: long("0.1"),
      where: "é".repeat(1000),
      period: "2026-11-20",
      quantiles: Array.from({ length: 100 }, () => long("0.1")),
    };
    const { limits } = readConfig(configJson());
    expect(JSON.stringify(largest, null, 2).length).toBeLessThan(limits.body);
    const { success: isMore } = Ask.shape.quantiles.safeParse(Array.from({ length: 101 }, () => "0.5"));
    expect(isMore).toBe(false);
  });

  it("refers to the page of the catalogue, which has every code", () => {
    const page = readFileSync(new URL("../../../docs/guide/errors.md", import.meta.url), "utf8");
    const rows = [...page.matchAll(/^\| <a id="([\w-]+)"><\/a>`([\w-]+)` \| /gm)];
    expect(rows.map(([, anchor, code]) => [anchor, code])).toEqual(PROBLEM_CODES.map((code) => [code, code]));
  });

  it("is shown by one page without scripts or other servers, whose policy has the hash of its style", async () => {
    const response = await opened.app.request("/");
    const html = await response.text();
    expect(html).toBe(pageOf(openApiDocument("0.0.0")));
    expect(html).not.toMatch(/<script|https?:\/\/(?!winnow-dp\.github\.io)|src=|@import/);
    const policy = response.headers.get("content-security-policy") ?? "";
    const style = /<style>([\s\S]*)<\/style>/.exec(html)?.[1] ?? "";
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(style));
    expect(policy).toContain(`'sha256-${Buffer.from(digest).toString("base64")}'`);
    expect(policy).toContain("default-src 'none'");
  });
});

describe("whatever is sent", () => {
  const paths = Object.values(OPERATIONS).map(({ path }) =>
    path.replace("{name}", "visits").replace("{id}", "alice.first"),
  );
  const value = fc.oneof(
    fc.jsonValue(),
    fc.constantFrom(
      "1e999",
      "1/0",
      "0x10",
      "-1",
      "1e-200",
      "𝟙",
      "__proto__",
      "'; DROP TABLE",
      "../../etc/passwd",
    ),
    fc.double(),
    fc.bigInt().map(String),
  );
  const fields = [
    "kind",
    "k",
    "epsilon",
    "rho",
    "delta",
    "mechanism",
    "counts",
    "resolution",
    "quantiles",
    "query",
    "__proto__",
  ];
  const body = fc.oneof(
    fc.string(),
    fc.json(),
    fc.dictionary(fc.constantFrom(...fields), value).map((each) => JSON.stringify({ ...TOP, ...each })),
  );

  it("is answered without a 500, a stack or a private name", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...paths, "/%E0%A4%A", "/v1/datasets/%2e%2e/plan", "/v1/releases/%00"),
        fc.constantFrom("GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH"),
        body,
        fc.string({ unit: fc.integer({ min: 32, max: 126 }).map((code) => String.fromCharCode(code)) }),
        async (path, method, text, key) => {
          const response = await opened.app.request(path, {
            method,
            headers: {
              authorization: `Bearer ${KEYS.alice.key}`,
              "content-type": "application/json",
              "idempotency-key": key,
            },
            ...(method !== "GET" && method !== "HEAD" && { body: text }),
          });
          const said = await response.text();
          expect(response.status).toBeLessThan(500);
          expect(said).not.toMatch(/at .*\.(ts|js):\d+/);
          expect(said).not.toContain(CANARY);
          if (response.status >= 400 && method !== "HEAD") expectShape("Problem", JSON.parse(said));
        },
      ),
      { numRuns: 150 },
    );
    expect(JSON.stringify([opened.requests, opened.events])).not.toContain(CANARY);
  });
});
