/**
 * `winnow plan --quantiles`: how far off would quantiles be at each ε? Nothing is simulated and nothing read: the error in ranks is
 * bounded by public parameters alone, whatever the data. Beside it stands which share of so many people that would be.
 * @module
 */
import {
  forJson,
  type Question,
  quantilePlan,
  type RankError,
  rankErrorInWords,
  rankErrors,
  readQuestion,
} from "winnow-release";
import { Refusal } from "../refusal.js";
import { gridOf, sharesOf } from "../release/request.js";
import { type Column, percent, tableOrList } from "../render/table.js";
import type { Style } from "../render/terminal.js";
import { SOFTWARE } from "../this-package.js";
import type { PlanOptions } from "./plan-request.js";

interface QuantileRow {
  /** ε, or ρ. */
  readonly price: string;
  readonly question: Question;
  readonly method: string;
  /** Of the quantile that can be off most. */
  readonly error: RankError;
}

/** What has a meaning for winners only. */
const IDLE = [
  "k",
  "recall",
  "goal",
  "delta",
  "adaptive",
  "names",
  "counts",
  "scores",
  "public",
  "plot",
] as const;

export function quantilePlanText(options: PlanOptions, style: Style): string {
  const idle = IDLE.find((name) => options[name] !== undefined);
  if (idle !== undefined)
    throw new Refusal(
      "usage",
      `${idle === "k" ? "-k" : `--${idle}`} plans for winners and cannot be combined with --quantiles.`,
    );
  const rows = rowsOf(options);
  return options.json ? asJson(rows, options) : asTable(rows, options, style);
}

function rowsOf(options: PlanOptions): QuantileRow[] {
  const { rho, epsilon, neighbours, maxValuesPerUser: maxItemsPerUser, atMost } = options;
  const shared = { kind: "quantile", domain: gridOf(options), unit: "one person" } as const;
  const quantiles = sharesOf(options.quantiles);
  return (rho ?? epsilon).split(",").map((text) => {
    const price = text.trim();
    const budget = rho === undefined ? { epsilon: price } : { rho: price };
    const question = readQuestion({ ...shared, ...budget, quantiles, neighbours, maxItemsPerUser, atMost });
    const error = rankErrors(question).reduce((a, b) => (a.ranks.compare(b.ranks) > 0 ? a : b));
    return { price, question, method: quantilePlan(question).method, error };
  });
}

function asTable(rows: readonly QuantileRow[], { rho, users, quantiles }: PlanOptions, style: Style): string {
  const cells = rows.map(({ price, method, error }) => ({
    price,
    method,
    error: `± ${rankErrorInWords(error)}`,
    share: percent(error.ranks.toNumber() / users + error.share.toNumber()),
  }));
  const columns: Column[] = [
    { name: "price", title: rho === undefined ? "ε" : "ρ", alignment: "right" },
    { name: "method", title: "drawn" },
    { name: "error", title: "rank within", alignment: "right" },
    { name: "share", title: `of ${users.toLocaleString("en")} values`, alignment: "right" },
  ];
  return [
    "",
    tableOrList(cells, columns, style),
    "",
    `  ${style.faint(`Quantiles ${quantiles}: 95 times out of 100 all ranks are this near, whatever the data; nothing was read.`)}`,
    "",
  ].join("\n");
}

function asJson(rows: readonly QuantileRow[], { rho }: PlanOptions): string {
  const document = {
    schema: "winnow-plan/1",
    software: SOFTWARE,
    origin: "public parameters",
    rows: rows.map(({ price, question, method, error }) => ({
      [rho === undefined ? "epsilon" : "rho"]: price,
      mechanism: question.mechanism,
      method,
      question,
      rankError: {
        confidence: 0.95,
        ranks: error.ranks.toNumber("up"),
        shareOfValues: error.share.toNumber("up"),
      },
    })),
  };
  return `${forJson(document)}\n`;
}
