/**
 * The commands that make a release: `winnow top SOURCE`, the k items with the most users; `winnow names SOURCE`, every item
 * that enough people have; `winnow adaptive SOURCE`, the items that stand out, where Winnow chooses how many; `winnow quantile
 * SOURCE`, the median of a column and other quantiles; `winnow frequencies SOURCE`, how many items have how many people.
 * @module
 */
import type { Command } from "commander";
import { KIND_NAMES, kindOf, type QuestionKind } from "winnow-release";
import { examples } from "../command-options.js";
import { readTypedItem, type TypedItem } from "../release/items.js";
import { addReleaseOptions, type ReleaseOptions } from "../release/release-options.js";
import { withMetadata } from "./interchange.js";

/** What the help says about a command besides its options. */
interface Explained {
  readonly description: string;
  /** Command lines, and what each does. */
  readonly examples: readonly (readonly [line: string, meaning: string])[];
}

export function register(program: Command): void {
  for (const [kind, explained] of Object.entries(COMMANDS))
    if (KIND_NAMES.includes(kind)) registerKind(program, kind, explained);
}

function registerKind(program: Command, kind: QuestionKind, explained: Explained): void {
  const command = program
    .command(`${kind} <source>`)
    .summary(kindOf({ kind }).summary)
    .description(explained.description);
  addReleaseOptions(command, kind)
    .addHelpText("after", examples(...explained.examples))
    .action(releasing(kind));
}

type TypedOptions = Omit<ReleaseOptions, "item"> & { readonly item?: TypedItem };

/** Engines are loaded only when needed. */
function releasing(kind: QuestionKind): (source: string, options: TypedOptions) => Promise<void> {
  return async (source, { item, ...typed }) => {
    const options = { ...typed, ...readTypedItem(item) } as ReleaseOptions;
    const { release } = await import("../release/run.js");
    await release(kind, source, await withMetadata(kind, source, options));
  };
}

/** In the order of the help; a kind that no mechanism answers has no command. */
const COMMANDS: Readonly<Record<QuestionKind, Explained>> = {
  top: {
    description:
      "Publishes the k items with the most users. SOURCE is a CSV, TSV, JSON, NDJSON, Parquet or DuckDB file (also a glob, gzip or zstd), - for standard input, or a postgres://, clickhouse:// or trino:// address.",
    examples: [
      [
        "winnow top visits.csv --item area --user user -k 5 --epsilon 1 --domain areas.txt --plot areas.svg",
        "with a public list of candidates: pure ε, with the lead of each",
      ],
      [
        "winnow top visits.csv --item area --user user -k 5 --epsilon 1 --delta 1e-6",
        "unknown domain: names items in order, as far as that is safe",
      ],
      [
        "winnow top visits.csv --item area --user user -k 5 --epsilon 1 --delta 1e-6 --counts --plot areas.svg",
        "with the number of users of each, and a picture",
      ],
      ["winnow top visits.csv -k 5 --epsilon 1/2 --domain areas.txt --dry-run", "the cost; nothing is read"],
      [
        "zcat visits.csv.gz | winnow top - --format csv --dataset visits.csv -k 5 --epsilon 1 --domain areas.txt",
        "",
      ],
    ],
  },
  names: {
    description:
      "Publishes all items with enough users that naming them is safe, sorted by name. Each person counts for at most --max-items-per-user items, chosen by a keyed hash, and far more people may have an item than its count says. Needs --delta.",
    examples: [
      [
        "winnow names visits.csv --item area --user user --epsilon 1 --delta 1e-6 --max-items-per-user 3",
        "names only: the release (--json -o names.json) can be the list of later questions (--domain names.json)",
      ],
      [
        "winnow names visits.csv --item area --user user --rho 0.1 --delta 1e-6 --max-items-per-user 10 --counts --csv",
        "with noisy counts",
      ],
    ],
  },
  adaptive: {
    description:
      "Looks for the largest drop between sorted counts, and names the items before it if no single person could have changed which they are. The cost doesn't grow with their number. Needs --delta.",
    examples: [
      ["winnow adaptive visits.csv --item area --user user -k 20 --epsilon 1 --delta 1e-6", ""],
      ["winnow adaptive visits.csv --item area --user user -k 20 --rho 0.05 --delta 1e-6 --json", ""],
    ],
  },
  quantile: {
    description:
      "Publishes the values below which given shares of the values lie, on a public grid: of one value of each person, or of at most --max-values-per-user, chosen at random among the person's rows by a keyed hash. Values outside the range count as its ends; values that aren't numbers are skipped. The number of values stays private.",
    examples: [
      [
        "winnow quantile orders.csv --column amount --user customer -q 0.5,0.9 --range 0..10000 --epsilon 1",
        "the median and the 90 % quantile, rounded down to whole numbers",
      ],
      [
        "winnow quantile orders.csv --column amount --user customer -q 0.5 --range 0..500 --step 0.01 --epsilon 1/2 --dry-run",
        "the cost and the largest error; nothing is read",
      ],
      [
        "winnow quantile orders.csv --column amount --user customer -q 0.1,0.25,0.5,0.75,0.9 --range 0..10000 --rho 0.1 --plot amounts.svg",
        "",
      ],
    ],
  },
  frequencies: {
    description:
      "Publishes how many people are counted for the most frequent item, the next, and so on, without names: the shape of a market, the length of a tail. Each person is counted for one item, or for at most --max-items-per-user, chosen by a keyed hash; where people have more items than that, the numbers are far below those of the people who have an item. Needs neither a list of items nor δ.",
    examples: [
      [
        "winnow frequencies visits.csv --item area --user user --epsilon 1 --plot areas.svg",
        "with a picture on logarithmic axes",
      ],
      [
        "winnow frequencies visits.csv --item area --user user --epsilon 2 --max-items-per-user 3 --csv",
        "the whole list; people count for up to three items each",
      ],
    ],
  },
};
