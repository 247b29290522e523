/**
 * How often each primitive is called in one run on Kosarak's number of items at k = 800 [Ding23, Table 6], and how many
 * random bits `topKWithGap` takes for the same answer.
 * @module
 */

import { paperTopKWithGap } from "winnow-audit";
import { topKWithGap } from "winnow-dp";
import { seededEntropy } from "winnow-dp/testing";
import type { Section, Settings } from "../experiment.js";
import { table } from "../table.js";
import { transactions } from "./transactions.js";
import { WatchedReference } from "./watched-reference.js";

const K = 800;
const PUBLISHED = { geometric: 42_874, bernoulli: 303_216, uniformBelow: 369_613, sorts: 3 };

export function primitiveCalls({ data }: Settings): Section {
  const { name, counts } = transactions(data).find(({ counts }) => counts.length === 41_270)!;
  const bits = seededEntropy("calls of the published algorithm");
  const reference = new WatchedReference(bits);
  paperTopKWithGap([...counts], { k: K, scale: K, resolution: "0.1" }, reference);
  const ours = seededEntropy("words of topKWithGap");
  topKWithGap(counts, { k: K, epsilon: 1, resolution: "0.1", monotone: true, entropy: ours });
  const { geometric, bernoulli, uniformBelow } = reference.calls;
  const row = (name: string, here: number, paper?: number) => [
    name,
    grouped(here),
    paper === undefined ? "" : grouped(paper),
  ];
  return {
    title: "Calls of each primitive in one run",
    notes: `${name}, k = ${K}. A digit to break a tie is drawn here as such, with fewer calls than the geometric variate of the paper; a coin of probability p/q takes no uniform integer here.`,
    table: table(
      ["primitive", "here", "paper"],
      [
        row("geometric", geometric, PUBLISHED.geometric),
        row("Bernoulli", bernoulli, PUBLISHED.bernoulli),
        row("uniform below n", uniformBelow, PUBLISHED.uniformBelow),
        row("sorts", 1 + reference.refinements, PUBLISHED.sorts),
        row("random bits", bits.bitsUsed),
        row("random bits of topKWithGap", ours.bitsUsed),
      ],
    ),
  };
}

function grouped(count: number): string {
  return count.toLocaleString("en");
}
