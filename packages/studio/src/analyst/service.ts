/**
 * The service as the page asks it: with the analyst's key, which is kept in memory and nowhere else, and over the connection that the page came
 * by. A refusal is a code and a sentence of the service's catalogue.
 * @module
 */
import { CATALOGUE, entryOf, Refusal, type RefusalCode } from "winnow-release";
import type { Problem } from "../worker/studio-refusal.js";

/** As far as the page shows them; the service's description has all fields. */
export interface DatasetView {
  readonly name: string;
  readonly unit: string;
  readonly domain: {
    readonly kind: string;
    readonly size?: number;
    readonly below?: number;
    readonly lower?: string;
    readonly upper?: string;
  };
  readonly maxItemsPerUser?: number;
  readonly groups?: {
    readonly by: readonly string[];
    readonly list: { readonly size: number };
    readonly maxGroupsPerUser: number;
  };
  readonly kinds: readonly string[];
  readonly largest: {
    readonly k: number;
    readonly epsilon?: string;
    readonly rho?: string;
    readonly delta?: string;
  };
  readonly counted?: { readonly began: string };
}

export interface BudgetView {
  readonly readable: string;
  readonly cap: {
    readonly remaining: { readonly readable: string };
    readonly limit: { readonly readable: string };
  };
}

export interface CostView {
  readonly readable: string;
  readonly fits: boolean;
  readonly refusal?: string;
}

export interface PlanView {
  readonly notes: readonly string[];
}

export class Service {
  readonly #key: string;

  constructor(key: string) {
    this.#key = key;
  }

  get<T>(path: string): Promise<T> {
    return this.#ask(path, {});
  }

  post<T>(
    path: string,
    body: unknown,
    headers: Record<string, string> = {},
    signal?: AbortSignal,
  ): Promise<T> {
    return this.#ask(path, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify(body),
      ...(signal && { signal }),
    });
  }

  async #ask<T>(path: string, { headers, ...request }: RequestInit): Promise<T> {
    const address = new URL(`../v1/${path}`, document.baseURI);
    const response = await fetch(address, {
      ...request,
      headers: { ...headers, authorization: `Bearer ${this.#key}` },
      credentials: "omit",
      redirect: "error",
    }).catch((error: unknown) => {
      if (request.signal?.aborted) throw error;
      throw new Refusal(
        "ledger-unavailable",
        "The service can't be reached. Ask again with the same question: nothing is charged twice.",
      );
    });
    const said = await response.json().catch(() => ({}));
    if (response.ok) return said;
    const code: RefusalCode = said.code in CATALOGUE ? said.code : "unexpected";
    throw new Refusal(
      code,
      typeof said.detail === "string" ? said.detail : "The service gave an answer that can't be read.",
    );
  }
}

export function problemOf(error: unknown): Problem {
  const refusal =
    error instanceof Refusal ? error : new Refusal("unexpected", "The page hit an unexpected error.");
  const { service } = entryOf(refusal.code);
  return {
    code: refusal.code,
    sentence: refusal.message,
    next: (service ?? "Reload the page.").replaceAll("`", ""),
  };
}
