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
import { jwtVerify } from "jose";
import { invalidParameter } from "winnow-dp";
import { IdentityProvider, type OidcOptions, publicText, readOidc } from "./identity-provider.js";
import { listOf, optional, type Reader, readOptions, text } from "./options.js";

/** A key of an analyst in the operator's file. */
export interface KnownKey {
  /** `sha256:<hex>` of the key. */
  readonly hash: string;
  /** What the log calls it. */
  readonly label?: string | undefined;
  /** From then on it is refused: an ISO 8601 date or time. */
  readonly expires?: string | undefined;
}

/** One person or program that may ask. */
export interface AnalystIdentity {
  readonly name: string;
  /** Several of them for the time of a change. */
  readonly keys?: readonly KnownKey[] | undefined;
  /** The `sub` of the analyst's tokens. */
  readonly subject?: string | undefined;
}

/** Why someone isn't known: for the operator's log, and never for the sender. */
export const DENIED = [
  "no-credential",
  "mistyped-key",
  "unknown-key",
  "expired-key",
  "refused-token",
  "provider-away",
] as const;

/** Who asks, and with which key; or why that isn't known. */
export type Identified =
  | { readonly analyst: string; readonly key?: string | undefined }
  | { readonly analyst: undefined; readonly because: (typeof DENIED)[number] };

export interface AuthenticatorOptions {
  readonly analysts: readonly AnalystIdentity[];
  readonly oidc?: OidcOptions | undefined;
  /** The provider's keys can't be fetched any more, or can again. */
  readonly onProvider?: ((isAway: boolean) => void) | undefined;
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

const PRIMITIVES: Primitives = {
  sha256: (data) => createHash("sha256").update(data).digest(),
  equal: timingSafeEqual,
};

/** What a key or an analyst may be called. */
export const LABEL = /^\P{C}{1,100}$/u;

export const EXPIRY = "a date or a time, such as 2030-12-31 or 2030-12-31T18:00:00Z";
const TIME = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:\d\d))?$/;

/** Whether a key can end then. A day begins at midnight UTC. */
export function isExpiry(text: string): boolean {
  return TIME.test(text) && !Number.isNaN(Date.parse(text));
}

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
  /** Whose tokens are accepted, if there is one. */
  readonly provider: IdentityProvider | undefined;

  constructor(options: AuthenticatorOptions, primitives: Primitives = PRIMITIVES) {
    const { analysts, oidc, onProvider } = readOptions<AuthenticatorOptions>(options, {
      analysts: listOf(analyst),
      oidc: optional(readOidc),
      onProvider: (_, value) => value as AuthenticatorOptions["onProvider"],
    });
    this.#primitives = primitives;
    this.provider = oidc && new IdentityProvider(oidc, onProvider);
    const names = analysts.map(({ name }) => name);
    const hashes = analysts.flatMap(({ name, keys = [] }) => keys.map((key) => ({ name, ...key })));
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
      throw invalidParameter("oidc", "given if an analyst has a subject");
    this.#keys = hashes.map(({ name, hash, label, expires }) => ({
      name,
      digest: Buffer.from(hash.split(":")[1], "hex"),
      label,
      expiresAt: expires === undefined ? Infinity : Date.parse(expires),
    }));
    this.#subjects = subjects.map(({ name, subject }) => ({ name, digest: PRIMITIVES.sha256(subject) }));
  }

  /** The analyst who sends these headers, if they are known. Never rejects. */
  async authenticate(headers: RequestHeaders): Promise<Identified> {
    const credential = credentialIn(headers);
    if (credential === undefined) return this.#byKey("", "no-credential");
    if (credential.startsWith(PREFIX)) return this.#byKey(credential, "mistyped-key");
    return this.#byToken(credential);
  }

  /** When the next key expires; Infinity if none will. */
  get nextExpiry(): number {
    const later = this.#keys.map(({ expiresAt = Infinity }) => expiresAt).filter((time) => time > Date.now());
    return Math.min(Infinity, ...later);
  }

  #byKey(credential: string, because: (typeof DENIED)[number]): Identified {
    const isWellFormed = KEY.test(credential);
    const key = isWellFormed ? credential : NO_KEY;
    const bytes = Buffer.from(key.slice(PREFIX.length), "base64url");
    const checksum = checksumOf(bytes.subarray(0, RANDOM_BYTES), this.#primitives);
    const isTyped = checksum.equals(bytes.subarray(RANDOM_BYTES));
    const found = this.#whose(key, this.#keys);
    const isExpired = !(Date.now() < (found?.expiresAt ?? Infinity));
    if (!isWellFormed || !isTyped) return { analyst: undefined, because };
    if (found === undefined) return { analyst: undefined, because: "unknown-key" };
    return isExpired
      ? { analyst: undefined, because: "expired-key" }
      : { analyst: found.name, key: found.label };
  }

  async #byToken(token: string): Promise<Identified> {
    const { provider } = this;
    if (provider === undefined) return this.#byKey("", "refused-token");
    try {
      const { payload } = await jwtVerify(token, provider.keys, {
        issuer: provider.issuer,
        audience: provider.audience,
        algorithms: ALGORITHMS,
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
        requiredClaims: ["exp", "sub"],
      });
      const isText = typeof payload.sub === "string"; // which jose doesn't check
      const found = this.#whose(String(payload.sub), this.#subjects);
      if (isText && found !== undefined) return { analyst: found.name };
    } catch {
      // The reason would tell the sender something about the token.
    }
    return { analyst: undefined, because: provider.isAway ? "provider-away" : "refused-token" };
  }

  /** Compares with all of them, also after the right one. */
  #whose(secret: string, known: readonly Known[]): Known | undefined {
    const digest = this.#primitives.sha256(secret);
    let found: Known | undefined;
    for (const each of known) if (this.#primitives.equal(digest, each.digest)) found = each;
    return found;
  }
}

interface Known {
  readonly name: string;
  readonly digest: Uint8Array;
  readonly label?: string | undefined;
  readonly expiresAt?: number;
}

function checksumOf(bytes: Uint8Array, { sha256 }: Primitives): Buffer {
  return Buffer.from(sha256(bytes)).subarray(0, CHECKSUM_BYTES);
}

function credentialIn(headers: RequestHeaders): string | undefined {
  const header = headers.get("authorization");
  if (typeof header !== "string" || header.length > LONGEST_HEADER) return undefined;
  return BEARER.exec(header)?.[1];
}

// How the options are read. No message repeats a text, because someone may have put a key in the wrong place.

const name = text(LABEL, "1 to 100 visible characters");
const keyHash = text(/^sha256:[0-9a-f]{64}$/, '"sha256:" and 64 hexadecimal digits in lower case');
const expiry: Reader<string> = (field, value) => {
  if (typeof value === "string" && isExpiry(value)) return value;
  throw invalidParameter(field, EXPIRY);
};

const knownKey: Reader<KnownKey> = (field, value) =>
  readOptions<KnownKey>(value, { hash: keyHash, label: optional(name), expires: optional(expiry) }, field);

const analyst: Reader<AnalystIdentity> = (field, value) =>
  readOptions<AnalystIdentity>(
    value,
    { name, keys: optional(listOf(knownKey)), subject: optional(publicText) },
    field,
  );

function refuseTwice(values: readonly string[], what: string): void {
  if (new Set(values).size < values.length)
    throw invalidParameter("analysts", `a list in which all ${what} differ`);
}
