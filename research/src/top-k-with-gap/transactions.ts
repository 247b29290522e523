/**
 * The data of [Ding23, Table 3]: T40I10D100K made by its generator, stand-ins with the paper's number of items for the two real sets, and
 * real baskets and clicks where their files are present.
 * @module
 */
import { join } from "node:path";
import { itemCounts } from "../datasets.js";
import { questCounts } from "./quest-generator.js";

/** The published milliseconds at k = 25, 50, 100, 200, 400, 800 [Ding23, Tables 4 and 5]. */
export interface Published {
  readonly secure: readonly number[];
  readonly pruned: readonly number[];
  readonly baseline: readonly number[];
  readonly phases: readonly (readonly number[])[];
}

export interface Transactions {
  readonly name: string;
  /** How many transactions there are; undefined for a stand-in that is made of counts alone. */
  readonly records?: number;
  /** [Ding23, Table 3]. */
  readonly statistics?: { readonly records: number; readonly items: number };
  readonly counts: Float64Array;
  readonly published?: Published;
}

export const SIZES = [25, 50, 100, 200, 400, 800];

/** The paper's noise at ε = 1 for queries that may move in either direction: 2k/ε [Ding23, Alg 1, line 3]. */
export function noiseScale(k: number): number {
  return 2 * k;
}

const T40: Published = {
  secure: [10.53, 10.8, 11.64, 13.95, 19.8, 25.89],
  pruned: [10.59, 10.64, 10.83, 11.51, 14.74, 23.7],
  baseline: [2.25, 2.24, 2.27, 2.32, 2.38, 2.52],
  phases: [
    [10.921, 10.53, 10.5, 10.457, 10.527, 10.555],
    [0.005, 0.017, 0.19, 0.622, 3.813, 11.573],
    [0.049, 0.081, 0.154, 0.3, 0.599, 1.192],
  ],
};
const BMS: Published = {
  secure: [18.51, 18.51, 19.03, 22.11, 35.21, 48.72],
  pruned: [18.43, 18.47, 18.56, 19.11, 22.85, 33.09],
  baseline: [3.92, 3.91, 3.96, 3.99, 4.06, 4.2],
  phases: [
    [18.475, 18.294, 18.261, 18.199, 18.159, 18.188],
    [0.005, 0.023, 0.057, 0.288, 4.092, 14.187],
    [0.045, 0.081, 0.154, 0.302, 0.598, 1.181],
  ],
};
const KOSARAK: Published = {
  secure: [458.22, 459.45, 482.02, 575.38, 976.72, 1223.04],
  pruned: [455.32, 455.17, 454.89, 455.59, 459.73, 471.3],
  baseline: [98.71, 97.53, 97.38, 98.69, 98.95, 99.03],
  phases: [
    [461.56, 457.82, 457.371, 458.721, 456.256, 459.552],
    [0.008, 0.012, 0.074, 0.744, 5.077, 15.586],
    [0.08, 0.114, 0.186, 0.34, 0.618, 1.218],
  ],
};

export function transactions(folder: string): Transactions[] {
  const partial = itemCounts(join(folder, "T40I10D100K_item_counts_PARTIAL_ge1000.csv"));
  const prefix = itemCounts(join(folder, "kosarak_PREFIX36682_item_counts.csv"));
  const retail = itemCounts(join(folder, "retail_item_counts.csv"));
  const quest = t40();
  return [
    {
      name: `T40I10D100K (by its generator, our seed, n = ${quest.length})`,
      counts: quest,
      records: BASKETS,
      published: T40,
      statistics: { records: 100_000, items: 942 },
    },
    {
      name: "BMS-POS (generated stand-in, n = 1657)",
      counts: zipf(1657, 230_000),
      published: BMS,
      statistics: { records: 515_597, items: 1657 },
    },
    {
      name: "Kosarak (generated stand-in, n = 41270)",
      counts: zipf(41_270, 600_000),
      published: KOSARAK,
      statistics: { records: 990_002, items: 41_270 },
    },
    ...(partial === undefined
      ? []
      : [
          {
            name: "T40I10D100K (the file, items with 1000 or more, n = 755)",
            counts: partial,
            records: BASKETS,
          },
        ]),
    ...(retail === undefined
      ? []
      : [{ name: "retail (real baskets, n = 16470)", counts: retail, records: 88_162 }]),
    ...(prefix === undefined
      ? []
      : [{ name: "Kosarak (real clicks, a prefix, n = 17034)", counts: prefix, records: 36_682 }]),
  ];
}

/** Click streams and baskets: the item of rank r has first/r transactions. */
function zipf(items: number, first: number): Float64Array {
  return Float64Array.from({ length: items }, (_, rank) => Math.floor(first / (rank + 1)));
}

const BASKETS = 100_000;
let made: Float64Array | undefined;

/** Made once: it takes seconds. */
function t40(): Float64Array {
  made ??= questCounts({ basketSize: 40, patternSize: 10, baskets: BASKETS }, "T40I10D100K");
  return made;
}
