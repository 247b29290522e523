/**
 * What the data are [Ding23, Table 3]: the paper's, and what stands for them here.
 * @module
 */
import type { Section, Settings } from "../experiment.js";
import { table } from "../table.js";
import { type Transactions, transactions } from "./transactions.js";

export function dataStatistics({ data }: Settings): Section {
  return {
    title: "[Ding23, Table 3] The data of the running times",
    notes:
      "Records and different items in the paper [Ding23, Table 3] and here. T40I10D100K is generated in the paper too: here by the program's method with a seed of ours, so that its baskets are of the paper's kind and its counts differ as two draws do. BMS-POS and Kosarak are real and can't be had in full: a stand-in has as many items, counts that fall as 1/rank, and no records. Running times depend on the number of items and on how close the counts are. Below them are real baskets and clicks, where the files are present.",
    table: table(
      [
        "data",
        "records, the paper's",
        "items, the paper's",
        "records here",
        "items here",
        "largest count here",
      ],
      transactions(data).map(rowOf),
    ),
  };
}

function rowOf({ name, counts, records, statistics }: Transactions): string[] {
  const figure = (count: number | undefined) => (count === undefined ? "–" : count.toLocaleString("en"));
  return [
    name,
    figure(statistics?.records),
    figure(statistics?.items),
    figure(records),
    figure(counts.length),
    figure(counts.reduce((most, count) => Math.max(most, count), 0)),
  ];
}
