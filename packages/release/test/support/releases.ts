/** A release of each kind, made by the mechanisms on a seed. */
import type { CountedItems, NewRelease } from "../../src/index.js";
import { ask, grid, listed, releaseOf, UNKNOWN } from "./ask.js";

const ITEMS = ["search", "news", "maps", "mail", "sports", "weather", "games"];
const CLEAR: CountedItems = { items: ITEMS, users: [3200, 2100, 1500, 1100, 90, 40, 5] };
const FLAT: CountedItems = { items: ITEMS, users: ITEMS.map(() => 12) };
const NUMBERS: CountedItems = { items: ["7", "12", "40"], users: [300, 200, 100] };
const VALUES: CountedItems = {
  items: ["-3.5", "0", "12", "12.25", "40", "999", "n/a"],
  users: [30, 200, 300, 100, 250, 2, 7],
};
const DELTA = { delta: "1e-6" };

export const RELEASES: readonly (readonly [name: string, release: NewRelease])[] = await Promise.all(
  (
    [
      ["gaps", ask({ k: 4, domain: listed(7), epsilon: "1/2" }), CLEAR],
      [
        "fine gaps, people replaced",
        ask({ k: 2, domain: listed(7), epsilon: 1, resolution: "1/3", neighbours: "replace" }),
        CLEAR,
      ],
      [
        "gaps of whole numbers",
        ask({ k: 2, domain: { kind: "integers", below: 1000 }, epsilon: 1 }),
        NUMBERS,
      ],
      ["concentrated", ask({ k: 3, domain: listed(7), rho: "1/10" }), CLEAR],
      ["one winner", ask({ k: 1, domain: listed(7), epsilon: 1, mechanism: "permute-and-flip" }), CLEAR],
      ["counts of a list", ask({ k: 3, domain: listed(7), epsilon: 1, counts: true }), CLEAR],
      ["counts, concentrated", ask({ k: 3, domain: listed(7), rho: "1/10", counts: true }), CLEAR],
      ["limited", ask({ k: 4, domain: UNKNOWN, epsilon: 1, ...DELTA }), CLEAR],
      ["limited, stopped", ask({ k: 6, domain: UNKNOWN, rho: "1/4", ...DELTA }), CLEAR],
      ["limited with counts", ask({ k: 5, domain: UNKNOWN, epsilon: 1, ...DELTA, counts: true }), CLEAR],
      [
        "limited with gaps and counts",
        ask({ k: 3, domain: UNKNOWN, epsilon: 1, ...DELTA, counts: true, resolution: 1 }),
        CLEAR,
      ],
      ["threshold", ask({ k: 6, domain: UNKNOWN, epsilon: 1, ...DELTA, maxItemsPerUser: 1 }), CLEAR],
      ["names", ask({ kind: "names", domain: UNKNOWN, epsilon: 1, ...DELTA, maxItemsPerUser: 2 }), CLEAR],
      [
        "names with counts",
        ask({ kind: "names", domain: UNKNOWN, rho: "1/10", ...DELTA, maxItemsPerUser: 5, counts: true }),
        CLEAR,
      ],
      ["no name", ask({ k: 4, domain: UNKNOWN, epsilon: "1/10", ...DELTA }), FLAT],
      [
        "unknown",
        ask({ k: 4, domain: UNKNOWN, epsilon: 1, ...DELTA, mechanism: "stable-top-k-fixed" }),
        CLEAR,
      ],
      [
        "adaptive",
        ask({ kind: "adaptive", k: 6, domain: UNKNOWN, rho: "1/4", ...DELTA, neighbours: "replace" }),
        CLEAR,
      ],
      [
        "nothing",
        ask({ k: 4, domain: UNKNOWN, epsilon: "1/10", ...DELTA, mechanism: "stable-top-k-fixed" }),
        FLAT,
      ],
      [
        "quantiles",
        ask({ kind: "quantile", domain: grid(-10, 100, "1/4"), quantiles: ["1/2", "9/10"], epsilon: 1 }),
        VALUES,
      ],
      [
        "many quantiles",
        ask({
          kind: "quantile",
          domain: grid(0, 1000),
          quantiles: Array.from({ length: 45 }, (_, i) => `${i + 1}/46`),
          epsilon: 2,
          maxItemsPerUser: 2,
        }),
        VALUES,
      ],
      [
        "frequencies",
        ask({ kind: "frequencies", domain: UNKNOWN, epsilon: 1, maxItemsPerUser: 2 }),
        { items: ["900", "120", "3", "1"], users: [1, 2, 10, 40] },
      ],
    ] as const
  ).map(async ([name, question, counted]) => [name, await releaseOf(question, counted)] as const),
);

/** The release of that name. */
export function release(name: string): NewRelease {
  const found = RELEASES.find(([other]) => other === name);
  if (found === undefined) throw new Error(`no release is called ${name}`);
  return found[1];
}
