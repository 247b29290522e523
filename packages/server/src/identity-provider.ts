/**
 * The OpenID provider of the operator: whose tokens are accepted, and the keys that they are signed with. They are fetched when a token
 * needs one, kept, and fetched again for a new key; a provider that fails is left alone for a while, and the operator is told.
 * @module
 */
import { createLocalJWKSet, createRemoteJWKSet, customFetch, type JWTVerifyGetKey } from "jose";
import { invalidParameter } from "winnow-dp";
import { listOf, optional, type Reader, readOptions, text } from "./options.js";

const FETCH_MILLISECONDS = 5000;
/** After a failed request to the provider, tokens are refused for so long without another. */
const PAUSE_MILLISECONDS = 5000;

/** A public key set, as RFC 7517 writes it. */
export interface KeySet {
  readonly keys: readonly Readonly<Record<string, unknown>>[];
}

/** The OpenID provider whose tokens are accepted. */
export interface OidcOptions {
  /** As in the tokens, letter by letter. */
  readonly issuer: string;
  readonly audience: string;
  /** The provider's keys or their address; by default the provider's own description is asked for it. */
  readonly jwks?: string | KeySet | undefined;
}

export class IdentityProvider {
  readonly issuer: string;
  readonly audience: string;
  readonly keys: JWTVerifyGetKey;
  #isAway = false;

  constructor(options: OidcOptions, onChange: (isAway: boolean) => void = () => {}) {
    this.issuer = options.issuer;
    this.audience = options.audience;
    const patient = pausingFetch((isFine) => {
      if (this.#isAway === isFine) onChange(!isFine);
      this.#isAway = !isFine;
    });
    this.keys = providerKeys(options, patient);
  }

  /** Whether the last request to it failed. */
  get isAway(): boolean {
    return this.#isAway;
  }

  /** Asks for the keys, as a token would, and returns whether there are any. */
  async answers(): Promise<boolean> {
    const unknown = { alg: "ES256", kid: "" };
    await Promise.resolve()
      .then(() => this.keys(unknown, { payload: "", signature: "" }))
      .catch(() => {});
    return !this.#isAway;
  }
}

/** Where the provider's keys come from: given, or fetched and kept by jose, from a given or a discovered address. */
function providerKeys({ issuer, jwks }: OidcOptions, patient: typeof fetch): JWTVerifyGetKey {
  if (typeof jwks === "object") return createLocalJWKSet({ keys: jwks.keys.map((key) => ({ ...key })) });
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
  if (description?.issuer !== issuer) throw invalidParameter("oidc.issuer", "what the provider calls itself");
  return webAddress("jwks_uri", description.jwks_uri);
}

/** `fetch` that fails at once for a while after a failure, so that strangers' tokens don't become requests to the provider. */
function pausingFetch(onEnd: (isFine: boolean) => void): typeof fetch {
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
      onEnd(isFine);
      pausedUntil = isFine ? -Infinity : performance.now() + PAUSE_MILLISECONDS;
    }
  };
}

// How the options are read.

export const publicText = text(/^[\x20-\x7e]{1,255}$/, "1 to 255 printable ASCII characters");

export const readOidc: Reader<OidcOptions> = (field, value) =>
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
  throw invalidParameter(field, "an https:// address (http:// for this machine only)");
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
    throw invalidParameter(field, "a set of public keys (RSA, EC or OKP)");
  return { keys };
}
