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
      "Records and different items in the paper [Ding23, Table 3] and here. The paper's files cannot be had in full. A stand-in has as many items and counts that fall in a similar way, and no records; running times depend on the number of items and on how close the counts are. Below them is what is there of the real files.",
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
