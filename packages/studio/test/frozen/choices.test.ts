/** The programs and commands that the page hands out, and which mechanisms it offers for a question, the usual one first. */
import { describe } from "vitest";
import { type FrozenCases, fingerprint, frozen } from "../../../core/test/support/frozen.js";
import { type Applicable, mechanismsFor } from "../../src/app/state/mechanisms.js";
import { asCommand, asTypeScript } from "../../src/worker/as-code.js";
import { aRelease, EVERY_MECHANISM } from "../support/a-release.js";

const STABLE = {
  domain: "listed",
  k: 2,
  epsilon: 1,
  delta: "1e-6",
  mechanism: "stable-top-k-fixed",
} as const;

const CODE: FrozenCases = Object.fromEntries(
  [...EVERY_MECHANISM, STABLE].map((asked) => [
    JSON.stringify(asked),
    async () => {
      const release = await aRelease(asked);
      return [asTypeScript(release), asCommand(release)].map((text) => fingerprint(text).slice(0, 16));
    },
  ]),
);

const DOMAINS = {
  top: ["listed", "unknown"],
  adaptive: ["listed", "unknown"],
  names: ["unknown"],
  quantile: ["grid"],
  frequencies: ["unknown"],
} as const satisfies Readonly<Record<Applicable["kind"], readonly Applicable["domain"][]>>;

const OFFERED: FrozenCases = Object.fromEntries(
  Object.entries(DOMAINS).flatMap(([kind, domains]) =>
    domains.flatMap((domain) =>
      [1, 3, 5].flatMap((k) =>
        [undefined, 1, 2].flatMap((bound) =>
          (["counts", "leads", "names"] as const).map((publishes) => [
            `${kind} ${k}, ${domain}, ${bound ?? "no"} limit, ${publishes}`,
            () =>
              mechanismsFor({
                kind: kind as Applicable["kind"],
                domain,
                k,
                size: domain === "listed" ? 5 : undefined,
                bound,
                publishes,
              }).join(" "),
          ]),
        ),
      ),
    ),
  ),
);

const offered: FrozenCases = {
  offered: async () => {
    const lists = new Map<string, string[]>();
    for (const [name, offer] of Object.entries(OFFERED)) {
      const list = String(await offer());
      lists.set(list, [...(lists.get(list) ?? []), name]);
    }
    return Object.fromEntries(
      [...lists].map(([list, names]) => [list, [names.length, names[0], mark(names)]]),
    );
  },
};

function mark(names: readonly string[]): string {
  return fingerprint(names.join("\n")).slice(0, 16);
}

describe("the page", () => frozen(new URL("choices.json", import.meta.url), { ...CODE, ...offered }));
