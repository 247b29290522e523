import { createHash } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { Authenticator, newKey, type Primitives, type RequestHeaders } from "../src/authenticate.js";

const bearer = (credential: string) => new Headers({ authorization: `Bearer ${credential}` });
const ada = newKey();
const second = newKey();
const ben = newKey();
const analysts = [
  { name: "ada", keys: [{ hash: ada.hash }, { hash: second.hash }] },
  { name: "ben", keys: [{ hash: ben.hash }] },
];

const nameOf = async (authenticator: Authenticator, headers: RequestHeaders) =>
  (await authenticator.authenticate(headers)).analyst;

describe("a new key", () => {
  it("is a prefix, 256 random bits and a checksum; its hash is that of the text", () => {
    expect(ada.key).toMatch(/^winnow_[\w-]{48}$/);
    const bytes = Buffer.from(ada.key.slice(7), "base64url");
    const digest = createHash("sha256").update(bytes.subarray(0, 32)).digest();
    expect(bytes.subarray(32)).toEqual(digest.subarray(0, 4));
    expect(ada.hash).toBe(`sha256:${createHash("sha256").update(ada.key).digest("hex")}`);
    expect(ada.key).not.toBe(ben.key);
  });
});

describe("an analyst with a key", () => {
  const authenticator = new Authenticator({ analysts });

  it.each([
    ["ada", ada.key],
    ["ada", second.key],
    ["ben", ben.key],
  ])("%s is known by each of the keys", async (name, key) => {
    expect(await nameOf(authenticator, bearer(key))).toBe(name);
    expect(await nameOf(authenticator, new Headers({ authorization: `bEARER   ${key}` }))).toBe(name);
  });

  it("is unknown with every letter of the key changed in turn", async () => {
    for (let at = 0; at < ada.key.length; at++) {
      const other = ada.key[at] === "x" ? "y" : "x";
      const wrong = ada.key.slice(0, at) + other + ada.key.slice(at + 1);
      expect(await nameOf(authenticator, bearer(wrong))).toBeUndefined();
    }
  });

  it("is unknown by a hash of a key without the right checksum, even if an operator wrote it down", async () => {
    const mistyped = `winnow_${"B".repeat(48)}`;
    const hash = `sha256:${createHash("sha256").update(mistyped).digest("hex")}`;
    const careless = new Authenticator({ analysts: [{ name: "ada", keys: [{ hash }] }] });
    expect(await nameOf(careless, bearer(mistyped))).toBeUndefined();
  });

  it.each<[string, Record<string, string>]>([
    ["no header", {}],
    ["an empty header", { authorization: "" }],
    ["no scheme", { authorization: ada.key }],
    ["another scheme", { authorization: `Basic ${ada.key}` }],
    ["no credential", { authorization: "Bearer " }],
    ["two credentials", { authorization: `Bearer ${ada.key} ${ada.key}` }],
    ["two headers, joined", { authorization: `Bearer ${ada.key}, Bearer ${ada.key}` }],
    ["the hash instead of the key", { authorization: `Bearer ${ada.hash}` }],
    ["a header of a megabyte", { authorization: `Bearer ${"a".repeat(1 << 20)}` }],
    ["spaces of a megabyte", { authorization: `Bearer ${" ".repeat(1 << 20)}x` }],
    ["a key in another header", { "x-api-key": ada.key }],
  ])("is unknown with %s", async (_, headers) => {
    expect(await nameOf(authenticator, new Map(Object.entries(headers)))).toBeUndefined();
  });
});

describe("the work for a key", () => {
  it("is the same whatever is wrong with it: two digests, and one comparison with each key", async () => {
    let log: string[] = [];
    const primitives: Primitives = {
      sha256: (data) => {
        log.push(`sha256 of ${data.length}`);
        return createHash("sha256").update(data).digest();
      },
      equal: (a, b) => {
        log.push("equal");
        return Buffer.from(a).equals(b);
      },
    };
    const authenticator = new Authenticator({ analysts }, primitives);
    const work = async (authorization: string | undefined) => {
      log = [];
      await nameOf(authenticator, { get: () => authorization });
      return log;
    };
    const expected = ["sha256 of 32", "sha256 of 55", "equal", "equal", "equal"];
    const swapped = ada.key.slice(0, -1) + (ada.key.endsWith("A") ? "B" : "A");
    for (const credential of [ada.key, second.key, ben.key, newKey().key, swapped, "winnow_", "winnow_ß"])
      expect(await work(`Bearer ${credential}`)).toEqual(expected);
    for (const header of [undefined, "", "Bearer", "Basic eA==", `Bearer winnow_${"a".repeat(9000)}`])
      expect(await work(header)).toEqual(expected);
    expect(await work("Bearer a.b.c")).toEqual(expected); // no provider: tokens are treated as wrong keys
  });
});

const AUDIENCE = "winnow";

/** A provider with one key of each of two kinds. */
class Provider {
  private constructor(
    readonly issuer: string,
    readonly keys: Record<string, CryptoKey>,
    readonly jwks: { keys: Record<string, unknown>[] },
  ) {}

  static async make(issuer = "https://id.example/team"): Promise<Provider> {
    const keys: Record<string, CryptoKey> = {};
    const set: Record<string, unknown>[] = [];
    for (const algorithm of ["ES256", "EdDSA"]) {
      const pair = await generateKeyPair(algorithm);
      keys[algorithm] = pair.privateKey;
      set.push({ ...(await exportJWK(pair.publicKey)), alg: algorithm, kid: algorithm });
    }
    return new Provider(issuer, keys, { keys: set });
  }

  /** A token for Ada, one hour from now, with these claims instead. */
  token(claims: JWTPayload = {}, algorithm = "ES256"): Promise<string> {
    const now = Math.floor(Date.now() / 1000);
    const payload = { iss: this.issuer, aud: AUDIENCE, sub: "248289761001", exp: now + 3600, ...claims };
    return new SignJWT(payload)
      .setProtectedHeader({ alg: algorithm, kid: algorithm })
      .sign(this.keys[algorithm]);
  }
}

describe("a key with an end", () => {
  const [past, future] = ["2020-01-01", "2999-12-31T18:00:00+01:00"];
  const expiring = new Authenticator({
    analysts: [
      { name: "ada", keys: [{ hash: ada.hash, label: "old laptop", expires: past }] },
      { name: "ben", keys: [{ hash: ben.hash, label: "laptop", expires: future }, { hash: second.hash }] },
    ],
  });

  it("is known until then, by its label, and the operator may know why someone isn't", async () => {
    const who = (credential: string) => expiring.authenticate(bearer(credential));
    const unknown = (because: string) => ({ analyst: undefined, because });
    expect(await who(ben.key)).toEqual({ analyst: "ben", key: "laptop" });
    expect(await who(second.key)).toEqual({ analyst: "ben", key: undefined });
    expect(await who(ada.key)).toEqual(unknown("expired-key"));
    expect(await who(newKey().key)).toEqual(unknown("unknown-key"));
    expect(await who(ada.key.slice(0, -1))).toEqual(unknown("mistyped-key"));
    expect(await who("a.b.c")).toEqual(unknown("refused-token"));
    expect(await expiring.authenticate(new Headers())).toEqual(unknown("no-credential"));
  });

  it("costs the same work after it, and the operator can know when the next one comes", async () => {
    let work = 0;
    const counting: Primitives = {
      sha256: (data) => {
        work++;
        return createHash("sha256").update(data).digest();
      },
      equal: (a, b) => {
        work += 100;
        return Buffer.from(a).equals(b);
      },
    };
    const keys = [
      { hash: ada.hash, expires: past },
      { hash: ben.hash, expires: future },
    ];
    const counted = new Authenticator({ analysts: [{ name: "ada", keys }] }, counting);
    const spent = [];
    for (const key of [ada.key, ben.key, second.key, "winnow_"]) {
      work = 0;
      await counted.authenticate(bearer(key));
      spent.push(work);
    }
    expect(spent).toEqual([202, 202, 202, 202]);
    expect(counted.nextExpiry).toBe(Date.parse(future));
    expect(new Authenticator({ analysts }).nextExpiry).toBe(Infinity);
  });

  it.each(["", "soon", "2030", "2030-13-01", "2030-1-1", "2030-01-01T10:00:00", "1 Jan 2030"])(
    "is refused if its end is %j",
    (expires) => {
      const keys = [{ hash: ada.hash, expires }];
      expect(() => new Authenticator({ analysts: [{ name: "ada", keys }] })).toThrow(
        "analysts[0].keys[0].expires must be a date or a time, such as 2030-12-31 or 2030-12-31T18:00:00Z",
      );
    },
  );
});

describe("an analyst with a token", () => {
  let provider: Provider;
  let authenticator: Authenticator;
  const withSubject = [{ name: "ada", subject: "248289761001" }, ...analysts.slice(1)];
  beforeAll(async () => {
    provider = await Provider.make();
    const { issuer, jwks } = provider;
    authenticator = new Authenticator({ analysts: withSubject, oidc: { issuer, audience: AUDIENCE, jwks } });
  });
  const now = () => Math.floor(Date.now() / 1000);
  const who = (token: string) => nameOf(authenticator, bearer(token));

  it.each(["ES256", "EdDSA"])(
    "is known by the subject, signed with %s; keys work beside it",
    async (algorithm) => {
      expect(await who(await provider.token({}, algorithm))).toBe("ada");
      expect(await who(ben.key)).toBe("ben");
    },
  );

  it.each<[string, () => JWTPayload]>([
    ["that has expired", () => ({ exp: now() - 60 })],
    ["that isn't valid yet", () => ({ nbf: now() + 60 })],
    ["without an end", () => ({ exp: undefined }) as never],
    ["with an end that isn't a number", () => ({ exp: "soon" }) as never],
    ["for someone else", () => ({ aud: "another service" })],
    ["for no one", () => ({ aud: undefined }) as never],
    ["of another provider", () => ({ iss: "https://id.example/other" })],
    ["of an unknown subject", () => ({ sub: "1" })],
    ["without a subject", () => ({ sub: undefined }) as never],
    ["whose subject isn't a text", () => ({ sub: 248289761001 }) as never],
  ])("is unknown with a token %s", async (_, claims) => {
    expect(await who(await provider.token(claims()))).toBeUndefined();
  });

  it("is unknown with a token that someone else signed, or no one", async () => {
    const stranger = await Provider.make();
    expect(await who(await stranger.token())).toBeUndefined();
    const [header, payload, signature] = (await provider.token()).split(".");
    const none = Buffer.from('{"alg":"none"}').toString("base64url");
    for (const token of [
      `${none}.${payload}.`,
      `${none}.${payload}.${signature}`,
      `${header}.${payload}.`,
      `${header}.${payload}`,
      `${header}.${Buffer.from('{"sub":"248289761001"}').toString("base64url")}.${signature}`,
    ])
      expect(await who(token)).toBeUndefined();
  });

  it("is unknown with a token whose shared secret is the provider's public key", async () => {
    const secret = new TextEncoder().encode(JSON.stringify(provider.jwks.keys[0]));
    const forged = await new SignJWT({
      iss: provider.issuer,
      aud: AUDIENCE,
      sub: "248289761001",
      exp: now() + 60,
    })
      .setProtectedHeader({ alg: "HS256", kid: "ES256" })
      .sign(secret);
    expect(await who(forged)).toBeUndefined();
  });

  it("costs a comparison with every subject, known or not", async () => {
    let compared = 0;
    const counting: Primitives = {
      sha256: (data) => createHash("sha256").update(data).digest(),
      equal: (a, b) => {
        compared++;
        return Buffer.from(a).equals(b);
      },
    };
    const { issuer, jwks } = provider;
    const names = ["248289761001", "b", "c"].map((subject) => ({ name: subject, subject }));
    const counted = new Authenticator(
      { analysts: names, oidc: { issuer, audience: AUDIENCE, jwks } },
      counting,
    );
    for (const sub of ["248289761001", "c", "d"]) {
      compared = 0;
      await nameOf(counted, bearer(await provider.token({ sub })));
      expect(compared).toBe(3);
    }
  });

  describe("of a provider on the network", () => {
    /** Serves the description and the keys, counts requests, and can be out of order. */
    async function online(describe: (issuer: string) => unknown) {
      let requests = 0;
      let status = 200;
      let provider: Provider | undefined;
      const server: Server = createServer(({ url }, response) => {
        requests++;
        response.statusCode = status;
        const isDescription = url === "/.well-known/openid-configuration";
        response.end(JSON.stringify(isDescription ? describe(provider!.issuer) : provider!.jwks));
      });
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      onTestFinished(() => void server.close());
      provider = await Provider.make(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
      return {
        provider,
        requests: () => requests,
        answer: (next: number) => {
          status = next;
        },
        authenticator: (jwks?: string, onProvider?: (isAway: boolean) => void) =>
          new Authenticator({
            analysts: withSubject,
            oidc: { issuer: provider.issuer, audience: AUDIENCE, jwks },
            onProvider,
          }),
      };
    }
    const described = (issuer: string) => ({ issuer, jwks_uri: `${issuer}/keys` });

    it("is known through its description, which is asked for once", async () => {
      const { provider, requests, authenticator } = await online(described);
      const known = authenticator();
      const tokens = await Promise.all([provider.token(), provider.token({}, "EdDSA")]);
      const names = await Promise.all(tokens.map((token) => nameOf(known, bearer(token))));
      expect([...names, await nameOf(known, bearer(tokens[0]))]).toEqual(["ada", "ada", "ada"]);
      expect(requests()).toBe(2);
    });

    it("is known through the address of its keys", async () => {
      const { provider, requests, authenticator } = await online(() => ({}));
      const known = authenticator(`${provider.issuer}/keys`);
      expect(await nameOf(known, bearer(await provider.token()))).toBe("ada");
      expect(requests()).toBe(1);
    });

    it("is unknown while the provider is out of order, and many tokens are one request to it", async () => {
      const { provider, requests, authenticator, answer } = await online(described);
      answer(503);
      const told: boolean[] = [];
      const known = authenticator(undefined, (isAway) => told.push(isAway));
      const token = await provider.token();
      const all = Array.from({ length: 20 }, () => nameOf(known, bearer(token)));
      expect(new Set(await Promise.all(all))).toEqual(new Set([undefined]));
      answer(200);
      expect(await nameOf(known, bearer(token))).toBeUndefined(); // still within the pause
      expect(requests()).toBe(1);
      expect(await known.authenticate(bearer(token))).toEqual({
        analyst: undefined,
        because: "provider-away",
      });
      expect(told).toEqual([true]);
      expect(await known.provider?.answers()).toBe(false);
      expect(await authenticator().provider?.answers()).toBe(true); // as a check asks
    });

    it.each<[string, (issuer: string) => unknown]>([
      ["calls itself by another name", (issuer) => ({ issuer: `${issuer}/`, jwks_uri: `${issuer}/keys` })],
      [
        "has its keys at an address that anyone could change",
        (issuer) => ({ issuer, jwks_uri: "http://example.org/" }),
      ],
      ["describes nothing", () => null],
    ])("is unknown if the provider %s", async (_, description) => {
      const { provider, authenticator } = await online(description);
      expect(await nameOf(authenticator(), bearer(await provider.token()))).toBeUndefined();
    });
  });
});

describe("the options of an authenticator", () => {
  const issuer = "https://id.example";
  const oidc = { issuer, audience: "a" };
  it.each<[string, unknown]>([
    ["options must be an object; got undefined", undefined],
    ["analysts must be a list", {}],
    ["options has an unknown name; known are analysts, oidc, onProvider", { analysts, secret: "x" }],
    ["key is not an option; did you mean keys\\?", { analysts: [{ name: "ada", key: ada.hash }] }],
    ["analysts[0].name must be 1 to 100 visible characters", { analysts: [{ name: "a\n" }] }],
    [
      'analysts[0].keys[0].hash must be "sha256:" and 64 hexadecimal digits in lower case',
      { analysts: [{ name: "a", keys: [{ hash: ada.key }] }] },
    ],
    ["analysts must be a list in which all names differ", { analysts: [{ name: "a" }, { name: "a" }] }],
    [
      "analysts must be a list in which all keys differ",
      { analysts: [analysts[0], { name: "b", keys: [{ hash: ada.hash }] }] },
    ],
    [
      "analysts must be a list in which all subjects differ",
      {
        analysts: [
          { name: "a", subject: "s" },
          { name: "b", subject: "s" },
        ],
        oidc,
      },
    ],
    ["oidc must be given if an analyst has a subject", { analysts: [{ name: "a", subject: "s" }] }],
    [
      "oidc.issuer must be an https:// address (http:// for this machine only)",
      { analysts, oidc: { issuer: "http://id.example", audience: "a" } },
    ],
    ["oidc.audience must be 1 to 255 printable ASCII characters", { analysts, oidc: { issuer } }],
    [
      "oidc.jwks must be an https:// address (http:// for this machine only)",
      { analysts, oidc: { ...oidc, jwks: "file:///keys" } },
    ],
    [
      "oidc.jwks must be a set of public keys (RSA, EC or OKP)",
      { analysts, oidc: { ...oidc, jwks: { keys: [{ kty: "oct", k: "c2VjcmV0" }] } } },
    ],
    [
      "oidc.jwks must be a set of public keys (RSA, EC or OKP)",
      { analysts, oidc: { ...oidc, jwks: { keys: [{ kty: "EC", d: "c2VjcmV0" }] } } },
    ],
    ["oidc.jwks.keys must be a list", { analysts, oidc: { ...oidc, jwks: { keys: {} } } }],
  ])("are refused: %s", (message, options) => {
    expect(() => new Authenticator(options as never)).toThrow(
      new RegExp(`^${message.replace(/[()[\]./]/g, "\\$&")}$`),
    );
  });

  it("never repeat a key that stands in the wrong place", () => {
    const wrong = [
      { name: "a", keys: [{ hash: ada.key }] },
      { name: "a", subject: `${ada.key}\n` },
      { [ada.key]: 1 },
      { name: `${ada.key}\n` },
    ];
    for (const analyst of wrong) {
      const message = messageOf(() => new Authenticator({ analysts: [analyst] as never }));
      expect(message).toMatch(/ must be | has an unknown name; known are /);
      expect(message).not.toContain(ada.key.slice(7));
    }
  });
});

function messageOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    return (error as Error).message;
  }
  return "";
}
