/**
 * Plans for answers that are numbers. `winnow plan --quantiles`: how far off would quantiles be at each ε? The error in ranks is
 * bounded by public parameters alone, whatever the data; the plan also shows it as a share of the people. `winnow plan
 * --frequencies`: how many people would the noise add to the list? Nothing is simulated, and nothing is read.
 * @module
 */
import {
  forJson,
  inventedPeople,
  percent,
  type Question,
  quantilePlan,
  type RankError,
  Refusal,
  rankErrorInWords,
  rankErrors,
  readQuestion,
  typedGrid,
  typedShares,
} from "winnow-release";
import { type Column, decimal, tableOrList } from "../render/table.js";
import type { Style } from "../render/terminal.js";
import { SOFTWARE } from "../this-package.js";
import type { PlanOptions } from "./plan-request.js";

interface QuantileRow {
  /** ε, or ρ. */
  readonly price: string;
  readonly question: Question;
  readonly method: string;
  /** The error of the quantile with the largest one. */
  readonly error: RankError;
}

/** Options that apply to winners only. */
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

export function isNumberPlan({ quantiles, frequencies }: PlanOptions): boolean {
  return quantiles !== undefined || frequencies === true;
}

export function numberPlanText(options: PlanOptions, style: Style): string {
  const what = options.frequencies ? "--frequencies" : "--quantiles";
  if (options.frequencies && options.quantiles !== undefined)
    throw new Refusal("usage", "--quantiles and --frequencies cannot be planned together.");
  const { defaults = [] } = options;
  const idle = IDLE.find((name) => options[name] !== undefined && !defaults.includes(name));
  if (idle !== undefined)
    throw new Refusal(
      "usage",
      `${idle === "k" ? "-k" : `--${idle}`} applies to plans for winners and cannot be combined with ${what}.`,
    );
  if (options.frequencies) return frequencyPlanText(options, style);
  const rows = rowsOf(options);
  return options.json ? asJson(rows, options) : asTable(rows, options, style);
}

function rowsOf(options: PlanOptions): QuantileRow[] {
  const { rho, epsilon, neighbours, maxValuesPerUser: maxItemsPerUser, atMost } = options;
  const shared = { kind: "quantile", domain: typedGrid(options), unit: "one person" } as const;
  const quantiles = typedShares(options.quantiles);
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
    `  ${style.faint(`Quantiles ${quantiles}: 95 times out of 100 all ranks are within this error, whatever the data. Nothing was read.`)}`,
    "",
  ].join("\n");
}

function asJson(rows: readonly QuantileRow[], { rho }: PlanOptions): string {
  return planDocument(
    rows.map(({ price, question, method, error }) => ({
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
  );
}

function planDocument(rows: readonly object[]): string {
  return `${forJson({ schema: "winnow-plan/1", software: SOFTWARE, origin: "public parameters", rows })}\n`;
}

function frequencyPlanText(options: PlanOptions, style: Style): string {
  const { epsilon: prices, rho, neighbours, maxItemsPerUser } = options;
  if (rho !== undefined)
    throw new Refusal("usage", "--rho cannot be combined with --frequencies, whose price is in ε.");
  const rows = prices.split(",").map((text) => {
    const epsilon = text.trim();
    const asked = { kind: "frequencies", domain: { kind: "unknown" }, unit: "one person" } as const;
    const question = readQuestion({ ...asked, epsilon, neighbours, maxItemsPerUser });
    return { epsilon, question, people: inventedPeople(question) };
  });
  if (options.json)
    return planDocument(
      rows.map(({ epsilon, question, people }) => ({
        epsilon,
        mechanism: question.mechanism,
        question,
        inventedPeople: people,
      })),
    );
  const columns: Column[] = [
    { name: "epsilon", title: "ε", alignment: "right" },
    { name: "people", title: "people added by noise", alignment: "right" },
  ];
  const cells = rows.map(({ epsilon, people }) => ({ epsilon, people: `about ${decimal(people, 0)}` }));
  return [
    "",
    tableOrList(cells, columns, style),
    "",
    `  ${style.faint("In a list without any items, mostly at its end, where items have one or two people. Nothing was read.")}`,
    "",
  ].join("\n");
}
