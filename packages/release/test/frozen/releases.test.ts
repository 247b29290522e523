/** Releases of every mechanism on a seed, in every format, with the sentences about them; ledger entries; simulated utilities. */
import { describe } from "vitest";
import { seededEntropy } from "winnow-dp/testing";
import { type FrozenCases, frozen } from "../../../core/test/support/frozen.js";
import {
  caption,
  chain,
  countsInWords,
  domainInWords,
  EMPTY_CHAIN,
  endInWords,
  expectedUtility,
  headline,
  MECHANISM_NAMES,
  type NewEntry,
  type NewRelease,
  neededUsers,
  type Question,
  questionsAt,
  questionsAtRho,
  RankedScores,
  statement,
  toCsv,
  toJson,
  toRegistryRecord,
  toSvg,
} from "../../src/index.js";
import { ask, grid, listed, releaseOf, UNIT, UNKNOWN } from "../support/ask.js";
import { RELEASES } from "../support/releases.js";
import { mark } from "./mark.js";

const CLEAR = { items: ["a", "b", "c", "d", "e"], users: [900, 700, 500, 30, 2] };
const FLAT = { items: CLEAR.items, users: [3, 3, 3, 3, 3] };
const DELTA = { delta: "1e-6" };

/** Besides the releases that other tests use: shapes that those lack. */
const MORE: readonly (readonly [string, NewRelease])[] = await Promise.all(
  (
    [
      [
        "stable, of a list",
        ask({ k: 3, domain: listed(5), rho: 1, ...DELTA, mechanism: "stable-top-k-fixed" }),
        CLEAR,
      ],
      ["adaptive, nothing", ask({ kind: "adaptive", k: 4, domain: listed(5), rho: "1/10", ...DELTA }), FLAT],
      [
        "adaptive, of whole numbers",
        ask({ kind: "adaptive", k: 4, domain: { kind: "integers", below: 50 }, epsilon: 2, ...DELTA }),
        { items: ["3", "4", "49"], users: [800, 700, 1] },
      ],
      ["threshold, nothing", ask({ k: 9, domain: UNKNOWN, epsilon: 1, ...DELTA, maxItemsPerUser: 2 }), FLAT],
      [
        "names, nothing",
        ask({ kind: "names", domain: UNKNOWN, epsilon: 1, ...DELTA, maxItemsPerUser: 2 }),
        FLAT,
      ],
      ["limited, one", ask({ k: 1, domain: UNKNOWN, epsilon: 1, ...DELTA }), CLEAR],
      [
        "limited, of limited people",
        ask({
          k: 3,
          domain: UNKNOWN,
          epsilon: 1,
          ...DELTA,
          maxItemsPerUser: 2,
          mechanism: "limited-top-k",
          counts: true,
        }),
        CLEAR,
      ],
      [
        "median at the end",
        ask({ kind: "quantile", domain: grid(0, 10), quantiles: ["1/2"], rho: 1, atMost: 600 }),
        { items: ["25", "30"], users: [300, 300] },
      ],
      [
        "frequencies, people replaced",
        ask({ kind: "frequencies", domain: UNKNOWN, epsilon: 2, neighbours: "replace" }),
        { items: ["5", "2"], users: [1, 3] },
      ],
    ] as const
  ).map(async ([name, question, counted]) => [name, await releaseOf(question, counted)] as const),
);

const ALL = [...RELEASES, ...MORE];

/** In every format, and in words. */
const DOCUMENTS: FrozenCases = Object.fromEntries(
  ALL.map(([name, release]) => [
    name,
    async () => ({
      json: mark(toJson(release)),
      csv: mark(toCsv(release)),
      labelled: mark(toCsv(release, new Map([["a", "A"]]))),
      svg: mark(toSvg(release)),
      statement: mark(statement(release).text),
      registry: mark(toRegistryRecord(release)),
      entry: (await chain({ kind: "release", release }, EMPTY_CHAIN)).hash,
      caption: caption(release),
      headline: headline(release),
      end: endInWords(release),
      domain: domainInWords(release.question.domain),
      ...(release.question.counts && { counts: countsInWords(release) }),
      needed: await neededUsers(release.question),
    }),
  ]),
);

const SOFTWARE = { name: "winnow-test", version: "1.2.3" };
const ABOUT = { dataset: "visits", time: "2026-01-02T03:04:05.678Z", software: SOFTWARE };

/** The hash of a ledger with an entry of each kind. */
const ENTRIES: FrozenCases = {
  "a ledger": async () => {
    const question = ask({ k: 4, domain: UNKNOWN, epsilon: 1, ...DELTA });
    const loss = { measure: "approx", epsilon: "1", delta: "0.000001" } as const;
    const [release] = ALL.filter(([name]) => name === "limited").map(([, one]) => one);
    const labels = { mechanism: "teachers", queries: 12 }; // a question of a program that asks in its own words
    const charge = { reserved: loss, settled: { ...loss, epsilon: "0.4" } };
    const entries: readonly NewEntry[] = [
      { kind: "budget", ...ABOUT, budget: { ...loss, epsilon: "10" } },
      { kind: "reservation", ...ABOUT, id: "r1", analyst: "ann", question, loss },
      { kind: "release", release: { ...release, id: "r1", dataset: "visits", analyst: "ann" } },
      { kind: "release", release: { ...ABOUT, id: "r2", question: labels, loss, charge } },
    ];
    let head = EMPTY_CHAIN;
    for (const entry of entries) head = await chain(entry, head);
    return head.hash;
  },
};

const SCORES = Array.from({ length: 40 }, (_, i) => 2000 - 45 * i);
const BOUNDED = SCORES.map((score) => Math.floor(score / 2));
const RUNS = 8;

/** What each mechanism is worth on public scores, bit for bit. */
const UTILITIES: FrozenCases = Object.fromEntries(
  (["top", "adaptive", "names"] as const).flatMap((kind) =>
    [listed(40), UNKNOWN].flatMap((domain) =>
      ([{ epsilon: 1 }, { rho: "1/10" }] as const).map((budget) => [
        `${kind}, ${domain.kind}, ${Object.keys(budget)[0]}`,
        async () => {
          const input = { kind, k: kind === "names" ? undefined : 6, domain, ...DELTA, unit: UNIT };
          const one = { ...input, k: kind === "names" ? undefined : 1 };
          const rich = { ...input, counts: kind !== "adaptive", maxItemsPerUser: 2 };
          const asked = [
            input,
            one,
            { ...rich, resolution: "epsilon" in budget && kind === "top" ? 1 : undefined },
          ].flatMap((each) =>
            "rho" in budget
              ? questionsOr(() => questionsAtRho(each, budget.rho))
              : questionsOr(() => questionsAt(each, budget.epsilon)),
          );
          const rows = [];
          for (const question of asked) {
            const options = { runs: RUNS, entropy: seededEntropy("frozen") };
            rows.push([
              JSON.stringify(question),
              await expectedUtility(question, new RankedScores(SCORES, BOUNDED), options),
            ]);
          }
          return [asked.map(({ mechanism }) => mechanism), mark(rows)];
        },
      ]),
    ),
  ),
);

/** None where no mechanism can answer. */
function questionsOr(ask: () => Question[]): Question[] {
  try {
    return ask();
  } catch {
    return [];
  }
}

const NAMES: FrozenCases = {
  "names in order": () => MECHANISM_NAMES,
};

describe("a release", () => frozen(new URL("releases.json", import.meta.url), { ...DOCUMENTS, ...ENTRIES }));
describe("a plan", () => frozen(new URL("plans.json", import.meta.url), { ...NAMES, ...UTILITIES }));
