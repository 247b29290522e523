import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Refusal, verifyConsistency } from "winnow-release";
import type { SchemaName } from "../src/http/schemas.js";
import {
  type AskOptions,
  ask,
  CANARY,
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
  opened = await openService(folder, folder.host);
});
afterAll(async () => {
  await opened.service.close();
  folder.remove();
});

/** The answer as text and JSON; nothing that was sent may hold the canary. */
async function answerTo(path: string, options?: AskOptions) {
  const response = await ask(opened.app, path, options);
  const text = await response.text();
  expect(text).not.toContain(CANARY);
  expect([...response.headers].join()).not.toContain(CANARY);
  return { response, text, status: response.status, json: text === "" ? undefined : JSON.parse(text) };
}

const RELEASES = "/v1/datasets/visits/releases";

describe("the service over HTTP", () => {
  it("makes a release, returns it again, and shows it with its proof", async () => {
    const made = await answerTo(RELEASES, { body: TOP, key: "first" });
    expect(made.status).toBe(201);
    expectShape("Release", made.json);
    expect(made.response.headers.get("location")).toBe("/v1/releases/alice.first");
    const again = await answerTo(RELEASES, { body: TOP, key: '"first"' });
    expect([again.status, again.text]).toEqual([200, made.text]);
    const shown = await answerTo("/v1/releases/alice.first");
    expect([shown.status, shown.text]).toEqual([200, made.text]);
    const proof = await answerTo("/v1/releases/alice.first/proof");
    expect(proof.status).toBe(200);
    expectShape("Proof", proof.json);
    const list = await answerTo("/v1/releases?limit=1");
    expectShape("Releases", list.json);
    expect(list.json.releases).toEqual([made.json]);
    expect((await answerTo(`/v1/releases?before=${list.json.next}`)).json.releases).toEqual([]);
    const taken = await answerTo(RELEASES, { body: { ...TOP, k: 1 }, key: "first" });
    expect([taken.status, taken.json.code]).toEqual([409, "release-id-taken"]);
  });

  it.each([
    [
      '{"kind": "top", "k": 2, "epsilon": 1e400}',
      "epsilon must be a number that a computer keeps as it is written, or text; got 1e400.",
    ],
    ['{"kind": "top", "k": 2, "k": 3, "epsilon": 1}', "k must be given once; it is there twice."],
  ])("names what JSON would lose: %s", async (body, detail) => {
    const { status, json } = await answerTo("/v1/datasets/visits/cost", { body });
    expect([status, json.code, json.detail]).toEqual([400, "invalid-request", detail]);
  });

  it("proves that the ledger has only grown since an earlier head", async () => {
    const earlier = (await answerTo("/v1/ledger/head")).json;
    await answerTo(RELEASES, { body: { ...TOP, epsilon: "1/8" }, key: "one-more" });
    const { status, json } = await answerTo(`/v1/ledger/consistency?size=${earlier.sequence}`);
    expect(status).toBe(200);
    expectShape("Consistency", json);
    expect(await verifyConsistency(json)).toBe(true);
    expect(json.first).toEqual({ size: earlier.sequence, root: earlier.root });
    const { sequence, root } = (await answerTo("/v1/ledger/head")).json;
    expect(json.second).toEqual({ size: sequence, root });
    for (const size of ["", "?size=0", "?size=x", `?size=${sequence + 1}`, "?size=1&from=2"]) {
      const refused = await answerTo(`/v1/ledger/consistency${size}`);
      expect([refused.status, refused.json.code]).toEqual([400, "invalid-request"]);
    }
    expect((await answerTo(`/v1/ledger/consistency?size=${sequence + 1}`)).json.detail).toBe(
      `size must be a whole number from 1 to ${sequence}, the number of entries; got ${sequence + 1}.`,
    );
  });

  it.each<[string, object]>([
    ["visits", { kind: "frequencies", epsilon: 1 }],
    ["unlisted", { kind: "top", k: 2, epsilon: 2, delta: "1e-6", counts: true }],
    ["unlisted", { kind: "names", epsilon: 2, delta: "1e-6" }],
    ["minutes", { kind: "quantile", quantiles: ["0.25", 0.75], epsilon: 1 }],
  ])("answers a question about %s: %j", async (dataset, body) => {
    const path = `/v1/datasets/${dataset}/releases`;
    const { status, json } = await answerTo(path, { body, key: `kind-${JSON.stringify(body).length}` });
    expect(status).toBe(201);
    expectShape("Release", json);
  });

  it.each<[string, SchemaName, unknown?]>([
    ["/v1/datasets", "Datasets"],
    ["/v1/datasets/unlisted", "Dataset"],
    ["/v1/datasets/minutes", "Dataset"],
    ["/v1/datasets/visits/plan", "Plan", { ...TOP, counts: true }],
    ["/v1/datasets/minutes/plan", "Plan", { kind: "quantile", quantiles: ["1/2", 0.9], epsilon: 1 }],
    ["/v1/datasets/unlisted/plan", "Plan", { kind: "names", epsilon: 1, delta: "1e-6" }],
    ["/v1/datasets/unlisted/plan", "Plan", { kind: "adaptive", k: 2, epsilon: 1, delta: "1e-6" }],
    ["/v1/datasets/visits/cost", "Cost", TOP],
    ["/v1/datasets/unlisted/cost", "Cost", { kind: "top", k: 3, epsilon: 1, delta: 1e-6 }],
    ["/v1/datasets/visits/budget", "Budget"],
    ["/v1/ledger/head", "Head"],
    ["/health", "Health"],
    ["/ready", "Health"],
  ])("answers %s in the shape of %s", async (path, shape, body) => {
    const { status, json, response } = await answerTo(path, body === undefined ? {} : { body });
    expect(status).toBe(200);
    expectShape(shape, json);
    expect(response.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    expect(response.headers.get("access-control-allow-origin")).toBeNull();
  });

  it.each<[string, string, AskOptions, number, string]>([
    ["no idempotency key", RELEASES, { body: TOP }, 400, "invalid-request"],
    ["a bad idempotency key", RELEASES, { body: TOP, key: "a b" }, 400, "invalid-request"],
    ["an unknown field", RELEASES, { body: { ...TOP, epsilom: 1 }, key: "x" }, 400, "invalid-request"],
    ["text that isn't JSON", RELEASES, { body: "{", key: "x" }, 400, "invalid-request"],
    [
      "another media type",
      RELEASES,
      { body: TOP, key: "x", headers: { "content-type": "text/plain" } },
      415,
      "not-json",
    ],
    ["a large body", RELEASES, { body: " ".repeat(20_000), key: "x" }, 413, "request-too-large"],
    ["too large a price", RELEASES, { body: { ...TOP, epsilon: 2 }, key: "x" }, 403, "not-allowed"],
    ["an impossible question", RELEASES, { body: { kind: "top", k: 1 }, key: "x" }, 422, "not-answerable"],
    ["an unknown data set", "/v1/datasets/other/cost", { body: TOP }, 404, "not-found"],
    ["an unknown address", "/v2", {}, 404, "not-found"],
    ["another method", "/v1/datasets", { body: {} }, 405, "method-not-allowed"],
    ["an unknown parameter", "/v1/releases?offset=1", {}, 400, "invalid-request"],
    ["a bad page", "/v1/releases?limit=0", {}, 400, "invalid-request"],
  ])("refuses %s", async (_, path, options, status, code) => {
    const { json, response } = await answerTo(path, options);
    expect([response.status, json.code]).toEqual([status, code]);
    expectShape("Problem", json);
    expect(json.type).toBe(`https://winnow-dp.github.io/winnow/guide/errors#${code}`);
    expect(response.headers.get("content-type")).toBe("application/problem+json; charset=utf-8");
  });

  it("says which field was probably meant", async () => {
    const { json } = await answerTo(RELEASES, { body: { ...TOP, epsilom: 1 }, key: "x" });
    expect(json.detail).toBe('The body has the unknown field "epsilom". Did you mean "epsilon"?');
  });

  it("refuses wrong, missing and unknown keys alike, and another's release like one that doesn't exist", async () => {
    await answerTo(RELEASES, { body: TOP, key: "secret", as: "bob" });
    const texts = async (tries: readonly AskOptions[], path: string) =>
      new Set(
        await Promise.all(
          tries.map(async (each) => {
            const { status, text } = await answerTo(path, each);
            return `${status} ${text}`;
          }),
        ),
      );
    const { key } = KEYS.alice;
    const wrong = [
      "",
      "Bearer",
      "Bearer winnow_x",
      `Bearer ${key.slice(0, -1)}${key.endsWith("A") ? "E" : "A"}`,
      `Basic ${key}`,
      "Bearer a.b.c",
    ];
    const refused = await texts(
      wrong.map((authorization) => ({ headers: { authorization } })),
      "/v1/releases",
    );
    expect(refused.size).toBe(1);
    expect([...refused][0]).toContain("401");
    const theirs = await answerTo("/v1/releases/bob.secret");
    const none = await answerTo("/v1/releases/bob.nothing");
    expect([theirs.status, theirs.text]).toEqual([404, none.text]);
    const proofs = [await answerTo("/v1/releases/bob.secret/proof"), await answerTo("/v1/releases/x/proof")];
    expect(new Set(proofs.map(({ text }) => text)).size).toBe(1);
  });

  it("takes tokens of the provider, and refuses expired ones, those for others and those of others alike", async () => {
    const { publicKey, privateKey } = await generateKeyPair("ES256");
    const jwk = { ...(await exportJWK(publicKey)), alg: "ES256", kid: "a" };
    const provider = createServer((_, response) => response.end(JSON.stringify({ keys: [jwk] })));
    await new Promise<void>((resolve) => provider.listen(0, "127.0.0.1", resolve));
    const issuer = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
    const own = await serviceFolder({
      oidc: { issuer, audience: "winnow", jwks: `${issuer}/keys` },
      "analysts/bob/subject": "bob@example.org",
    });
    const { app, service } = await openService(own);
    const answer = async ({ sub = "bob@example.org", aud = "winnow", exp = "1h" }) => {
      const token = new SignJWT({}).setProtectedHeader({ alg: "ES256", kid: "a" }).setIssuer(issuer);
      const signed = await token.setSubject(sub).setAudience(aud).setExpirationTime(exp).sign(privateKey);
      const response = await ask(app, "/v1/datasets", { headers: { authorization: `Bearer ${signed}` } });
      return `${response.status} ${await response.text()}`;
    };
    expect(await answer({})).toMatch(/^200 /);
    const refused = [await answer({ exp: "-1h" }), await answer({ aud: "x" }), await answer({ sub: "eve" })];
    const wrong = await ask(app, "/v1/datasets", { headers: { authorization: "Bearer winnow_x" } });
    expect(new Set([...refused, `401 ${await wrong.text()}`]).size).toBe(1);
    await service.close();
    provider.close();
    own.remove();
  });

  it("gives the id to ask again with when it isn't known whether a release was charged", async () => {
    const own = await serviceFolder();
    const { app, service } = await openService(own, {
      openLedger: async (location) => {
        const ledger = await own.host.openLedger(location);
        const broken = () => Promise.reject(new Refusal("charge-unknown", "at db.internal"));
        return new Proxy(ledger, {
          get: (target, name) => {
            const value = Reflect.get(target, name);
            return name === "record" ? broken : typeof value === "function" ? value.bind(target) : value;
          },
        });
      },
    });
    const response = await ask(app, RELEASES, { body: TOP, key: "k" });
    expect(response.headers.get("retry-after")).toBe("2");
    const problem = await response.json();
    expect(problem).toMatchObject({ status: 503, code: "charge-unknown", release: "alice.k" });
    expect(JSON.stringify(problem)).not.toContain("db.internal");
    await service.close();
    own.remove();
  });

  it("tells the operator public values only", async () => {
    await answerTo(RELEASES, { body: TOP, key: "first" });
    expect(opened.requests.at(-1)).toEqual({
      request: expect.stringMatching(/^[\da-f-]{36}$/),
      address: "",
      method: "POST",
      route: "/v1/datasets/{name}/releases",
      status: 200,
      analyst: "alice",
      dataset: "visits",
      code: undefined,
      release: { isStored: true, sequence: expect.any(Number) },
      arrived: expect.any(Date),
      milliseconds: expect.any(Number),
      phases: [{ name: "find", from: expect.any(Number), milliseconds: expect.any(Number) }],
      traceparent: undefined,
      unforeseen: undefined,
    });
    expect(JSON.stringify([opened.requests, opened.events])).not.toContain(CANARY);
  });

  it("charges a new release at a tick and lets it leave at the next, and a stored one at once", async () => {
    const left: number[] = [];
    const charged: number[] = [];
    const own = await serviceFolder();
    const grid = {
      tick: 1,
      now: () => 17,
      leave: async (arrivedAt: number) => {
        charged.push((await service.budget("bob", "visits")).cap.releases);
        left.push(arrivedAt);
      },
    };
    const { app, service } = await openService(own, {}, { grid });
    const statusOf = async (body: unknown) =>
      (await ask(app, RELEASES, { body, key: `t${JSON.stringify(body).length}`, as: "bob" })).status;
    expect([await statusOf(TOP), left, charged]).toEqual([201, [17, 17], [0, 1]]);
    expect([await statusOf(TOP), left]).toEqual([200, [17, 17]]);
    expect([await statusOf({ ...TOP, epsilon: 9 }), left]).toEqual([403, [17, 17]]);
    const dear = { ...TOP, rho: "0.1", epsilon: undefined };
    expect([await statusOf(dear), left]).toEqual([403, [17, 17, 17]]); // ρ can't be counted in a budget of ε
    await service.close();
    own.remove();
  });

  it("limits each analyst by itself", async () => {
    const strict = await serviceFolder({ limits: { requestsPerMinute: 6, strangersPerMinute: 6 } });
    const { app, service } = await openService(strict);
    const statuses = [];
    for (const as of ["alice", "alice", "bob"] as const)
      statuses.push((await ask(app, "/v1/datasets", { as })).status);
    expect(statuses).toEqual([200, 429, 200]);
    const late = await ask(app, "/v1/datasets");
    expect(Number(late.headers.get("retry-after"))).toBeGreaterThan(0);
    await service.close();
    strict.remove();
  });

  it("answers pages of configured origins only", async () => {
    const shared = await serviceFolder({ cors: ["https://notebook.example"] });
    const { app, service } = await openService(shared);
    const originOf = async (origin: string) =>
      (await ask(app, "/v1/datasets", { headers: { origin } })).headers.get("access-control-allow-origin");
    expect(await originOf("https://notebook.example")).toBe("https://notebook.example");
    expect(await originOf("https://other.example")).toBeNull();
    await service.close();
    shared.remove();
  });
});
