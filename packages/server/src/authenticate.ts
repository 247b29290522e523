/**
 * Who is asking: from `Authorization: Bearer …` to the name of an analyst, or to `undefined` for whatever is wrong with it.
 *
 * **Keys** are `winnow_` and 48 letters of base64url: 32 random bytes and the first four of their SHA-256, so that a mistyped
 * key is known to be mistyped without asking whose it is. The operator's file holds `sha256:<hex>` of the whole text. A
 * key has 256 bits of randomness, so one round of SHA-256 hides it as well as a slow hash would.
 *
 * **Tokens** are signed by the OpenID provider of the operator. Signature, issuer, audience and time are checked by jose,
 * with asymmetric algorithms only, and `sub` must be the subject of an analyst.
 *
 * **Constant work.** For everything that starts with `winnow_`, and for everything that isn't a bearer credential at all, the
 * number of operations depends on the configuration only: two digests (checksum and key) of 32 and 55 bytes, and one
 * comparison by `timingSafeEqual` with every key of every analyst, whether the key is right, mistyped, too long or
 * missing. Other credentials are treated as tokens. A token that is well formed and signed costs one verification and one
 * comparison with every subject, whether or not the subject is known; a token that isn't is refused earlier, which tells its sender
 * only what the sender wrote.
 *
 * Nothing here throws on what a stranger sends, and no credential is kept or logged.
 * @module
 */
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { createLocalJWKSet, createRemoteJWKSet, customFetch, type JWTVerifyGetKey, jwtVerify } from "jose";
import { listOf, optional, type Reader, readOptions, refusedOption, text } from "./options.js";

/** A public key set, as RFC 7517 writes it. */
export interface KeySet {
  readonly keys: readonly Readonly<Record<string, unknown>>[];
}

/** One person or program that may ask. */
export interface AnalystIdentity {
  readonly name: string;
  /** `sha256:<hex>` of each key; several of them for the time of a change. */
  readonly keys?: readonly string[] | undefined;
  /** The `sub` of the analyst's tokens. */
  readonly subject?: string | undefined;
}

/** The OpenID provider whose tokens are accepted. */
export interface OidcOptions {
  /** As in the tokens, letter by letter. */
  readonly issuer: string;
  readonly audience: string;
  /** The provider's keys or their address; by default the provider's own description is asked for it. */
  readonly jwks?: string | KeySet | undefined;
}

export interface AuthenticatorOptions {
  readonly analysts: readonly AnalystIdentity[];
  readonly oidc?: OidcOptions | undefined;
}

/** The operations that are counted: a test passes its own to see that their number is always the same. */
export interface Primitives {
  readonly sha256: (data: string | Uint8Array) => Uint8Array;
  readonly equal: (a: Uint8Array, b: Uint8Array) => boolean;
}

/** Anything with headers that are asked for by name: `Headers`, or a map with names in lower case. */
export interface RequestHeaders {
  get(name: string): string | null | undefined;
}

const PREFIX = "winnow_";
const KEY = /^winnow_[\w-]{48}$/;
const RANDOM_BYTES = 32;
const CHECKSUM_BYTES = 4;
/** A key that isn't one is replaced by this for the digests: the same work, and the result is ignored. */
const NO_KEY = PREFIX + "A".repeat(48);

/** Node itself accepts 16 KiB of headers. */
const LONGEST_HEADER = 8192;
const BEARER = /^Bearer +([\w.~+/-]+=*)$/i;

/** Asymmetric ones only: a public key set must never serve as a shared secret. */
const ALGORITHMS = "RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519".split(" ");
const CLOCK_TOLERANCE_SECONDS = 5;
const FETCH_MILLISECONDS = 5000;
/** After a failed request to the provider, tokens are refused for so long without another. */
const PAUSE_MILLISECONDS = 5000;

const PRIMITIVES: Primitives = {
  sha256: (data) => createHash("sha256").update(data).digest(),
  equal: timingSafeEqual,
};

/** A new key for an analyst, and the hash for the operator's file. The key is shown once and stored nowhere. */
export function newKey(): { readonly key: string; readonly hash: string } {
  const bytes = randomBytes(RANDOM_BYTES);
  const key = PREFIX + Buffer.concat([bytes, checksumOf(bytes, PRIMITIVES)]).toString("base64url");
  return { key, hash: `sha256:${Buffer.from(PRIMITIVES.sha256(key)).toString("hex")}` };
}

/** Knows the analysts by their keys and tokens. */
export class Authenticator {
  readonly #primitives: Primitives;
  readonly #keys: readonly Known[];
  readonly #subjects: readonly Known[];
  readonly #oidc: OidcOptions | undefined;
  readonly #providerKeys: JWTVerifyGetKey | undefined;

  constructor(options: AuthenticatorOptions, primitives: Primitives = PRIMITIVES) {
    const { analysts, oidc } = readOptions<AuthenticatorOptions>(options, {
      analysts: listOf(analyst),
      oidc: optional(provider),
    });
    this.#primitives = primitives;
    this.#oidc = oidc;
    this.#providerKeys = oidc && providerKeys(oidc);
    const names = analysts.map(({ name }) => name);
    const hashes = analysts.flatMap(({ name, keys = [] }) => keys.map((hash) => ({ name, hash })));
    const subjects = analysts.flatMap(({ name, subject }) =>
      subject === undefined ? [] : { name, subject },
    );
    refuseTwice(names, "names");
    refuseTwice(
      hashes.map(({ hash }) => hash),
      "keys",
    );
    refuseTwice(
      subjects.map(({ subject }) => subject),
      "subjects",
    );
    if (subjects.length > 0 && oidc === undefined)
      throw refusedOption("oidc", "given if an analyst has a subject");
    this.#keys = hashes.map(({ name, hash }) => ({ name, digest: Buffer.from(hash.split(":")[1], "hex") }));
    this.#subjects = subjects.map(({ name, subject }) => ({ name, digest: PRIMITIVES.sha256(subject) }));
  }

  /** The name of the analyst who sends these headers, or undefined. Never rejects. */
  async authenticate(headers: RequestHeaders): Promise<string | undefined> {
    const credential = credentialIn(headers);
    if (credential === undefined || credential.startsWith(PREFIX)) return this.#byKey(credential ?? "");
    return this.#byToken(credential);
  }

  #byKey(credential: string): string | undefined {
    const isWellFormed = KEY.test(credential);
    const key = isWellFormed ? credential : NO_KEY;
    const bytes = Buffer.from(key.slice(PREFIX.length), "base64url");
    const checksum = checksumOf(bytes.subarray(0, RANDOM_BYTES), this.#primitives);
    const isTyped = checksum.equals(bytes.subarray(RANDOM_BYTES));
    const name = this.#whose(key, this.#keys);
    return isWellFormed && isTyped ? name : undefined;
  }

  async #byToken(token: string): Promise<string | undefined> {
    if (this.#oidc === undefined || this.#providerKeys === undefined) return this.#byKey("");
    try {
      const { payload } = await jwtVerify(token, this.#providerKeys, {
        issuer: this.#oidc.issuer,
        audience: this.#oidc.audience,
        algorithms: ALGORITHMS,
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
        requiredClaims: ["exp", "sub"],
      });
      const isText = typeof payload.sub === "string"; // which jose doesn't check
      const name = this.#whose(String(payload.sub), this.#subjects);
      return isText ? name : undefined;
    } catch {
      return undefined; // the reason would tell the sender, or the log, something about the token
    }
  }

  /** Compares with all of them, also after the right one. */
  #whose(secret: string, known: readonly Known[]): string | undefined {
    const digest = this.#primitives.sha256(secret);
    let found: string | undefined;
    for (const { name, digest: theirs } of known) if (this.#primitives.equal(digest, theirs)) found = name;
    return found;
  }
}

interface Known {
  readonly name: string;
  readonly digest: Uint8Array;
}

function checksumOf(bytes: Uint8Array, { sha256 }: Primitives): Buffer {
  return Buffer.from(sha256(bytes)).subarray(0, CHECKSUM_BYTES);
}

function credentialIn(headers: RequestHeaders): string | undefined {
  const header = headers.get("authorization");
  if (typeof header !== "string" || header.length > LONGEST_HEADER) return undefined;
  return BEARER.exec(header)?.[1];
}

/** Where the provider's keys come from: given, or fetched and kept by jose, from a given or a discovered address. */
function providerKeys({ issuer, jwks }: OidcOptions): JWTVerifyGetKey {
  if (typeof jwks === "object") return createLocalJWKSet({ keys: jwks.keys.map((key) => ({ ...key })) });
  const patient = pausingFetch();
  const remote = (address: string) =>
    createRemoteJWKSet(new URL(address), { timeoutDuration: FETCH_MILLISECONDS, [customFetch]: patient });
  if (jwks !== undefined) return remote(jwks);
  let discovered: Promise<JWTVerifyGetKey> | undefined;
  return async (...token) => {
    discovered ??= discover(issuer, patient).then(remote);
    const keys = await discovered.catch((error) => {
      discovered = undefined;
      throw error;
    });
    return keys(...token);
  };
}

/** The address of the keys, from the description that OpenID Connect Discovery 1.0 defines. */
async function discover(issuer: string, patient: typeof fetch): Promise<string> {
  const response = await patient(`${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`, {
    redirect: "manual",
    signal: AbortSignal.timeout(FETCH_MILLISECONDS),
  });
  const description = (await response.json()) as Record<string, unknown> | null;
  if (description?.issuer !== issuer) throw refusedOption("oidc.issuer", "what the provider calls itself");
  return webAddress("jwks_uri", description.jwks_uri);
}

/** `fetch` that fails at once for a while after a failure, so that strangers' tokens don't become requests to the provider. */
function pausingFetch(): typeof fetch {
  let pausedUntil = -Infinity;
  return async (address, options) => {
    if (performance.now() < pausedUntil) throw new Error("paused");
    pausedUntil = Infinity; // nothing else is asked meanwhile
    let isFine = false;
    try {
      const response = await fetch(address, options);
      isFine = response.status === 200;
      return response;
    } finally {
      pausedUntil = isFine ? -Infinity : performance.now() + PAUSE_MILLISECONDS;
    }
  };
}

// How the options are read. No message repeats a text, because someone may have put a key in the wrong place.

const name = text(/^\P{C}{1,100}$/u, "1 to 100 visible characters");
const keyHash = text(/^sha256:[0-9a-f]{64}$/, '"sha256:" and 64 hexadecimal digits in lower case');
const publicText = text(/^[\x20-\x7e]{1,255}$/, "1 to 255 printable ASCII characters");

const analyst: Reader<AnalystIdentity> = (field, value) =>
  readOptions<AnalystIdentity>(
    value,
    { name, keys: optional(listOf(keyHash)), subject: optional(publicText) },
    field,
  );

const provider: Reader<OidcOptions> = (field, value) =>
  readOptions<OidcOptions>(
    value,
    { issuer: webAddress, audience: publicText, jwks: optional(keySet) },
    field,
  );

/** HTTPS, or plain HTTP to this machine. Exactly as written: an issuer is compared letter by letter. */
function webAddress(field: string, value: unknown): string {
  const address = typeof value === "string" && URL.canParse(value) ? new URL(value) : undefined;
  const isLocal = ["localhost", "127.0.0.1", "[::1]"].includes(address?.hostname ?? "");
  if (address?.protocol === "https:" || (address?.protocol === "http:" && isLocal)) return value as string;
  throw refusedOption(field, "an https:// address (http:// for this machine only)");
}

const PUBLIC_KINDS = ["RSA", "EC", "OKP"];

function keySet(field: string, value: unknown): string | KeySet {
  if (typeof value === "string") return webAddress(field, value);
  const { keys } = readOptions<KeySet>(
    value,
    { keys: listOf((_, key) => Object(key) as KeySet["keys"][number]) },
    field,
  );
  if (keys.some((key) => !PUBLIC_KINDS.includes(String(key.kty)) || "d" in key || "k" in key))
    throw refusedOption(field, "a set of public keys (RSA, EC or OKP)");
  return { keys };
}

function refuseTwice(values: readonly string[], what: string): void {
  if (new Set(values).size < values.length)
    throw refusedOption("analysts", `a list in which all ${what} differ`);
}
