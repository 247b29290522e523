/**
 * A recorded release as the page shows it: rows for the table, parameters in words, and every form to take away.
 * @module
 */
import { rational } from "winnow-dp";
import {
  answerRows,
  type BudgetLeft,
  caption,
  countedInWords,
  countedShort,
  domainInWords,
  endInWords,
  forXml,
  groupColumns,
  groupLimitInWords,
  groupReleases,
  groupsInWords,
  headline,
  kindOf,
  limitInWords,
  type Measured,
  quantileName,
  type Release,
  rankErrorInWords,
  shownCount,
  statement,
  toCsv,
  toJson,
  toSvg,
  wholeCount,
} from "winnow-release";
import { version } from "../../package.json";
import type { Documents, Published, ReleasedNumber, ReleasedRow } from "./api.js";
import { asCommand, asTypeScript } from "./as-code.js";

/** `file` is the name of the file, where it is known. */
export function published(release: Release, budget: BudgetLeft = {}, file?: string): Published {
  const { id, dataset, time, answer, loss, charge } = release;
  return {
    id,
    dataset,
    time,
    release,
    released: answer.released,
    ordered: answer.ordered,
    headline: headline(release),
    end: answer.released ? endInWords(release) : "",
    notes: release.notes,
    counted: countedOf(release),
    rows: answerRows(release).map(rowOf),
    ...groupsOf(release),
    ...(answer.frequencies !== undefined && { frequencies: answer.frequencies }),
    parameters: parametersOf(release),
    loss: loss.readable,
    ...(charge !== undefined && {
      charge: { reserved: charge.reserved.readable, settled: charge.settled.readable },
    }),
    documents: documentsOf(release, budget, file),
  };
}

/** The answer of each group, where it is in groups. */
function groupsOf(release: Release): Pick<Published, "groups"> {
  const groups = groupReleases(release)?.map(({ label, release: one }) => {
    const { ordered, frequencies } = one.answer;
    return { label, ordered, rows: answerRows(one).map(rowOf), ...(frequencies && { frequencies }) };
  });
  return groups === undefined ? {} : { groups };
}

function countedOf({ question }: Release): Published["counted"] {
  const limit = kindOf(question).shape === "values" ? countedInWords(question) : limitInWords(question);
  return { column: countedShort(question), ...(limit !== undefined && { limit }) };
}

function rowOf(row: ReturnType<typeof answerRows>[number]): ReleasedRow {
  const shown = shownCount(row);
  const { rank, item, quantile, rankError, gap, count } = row;
  return {
    rank,
    item,
    ...(quantile !== undefined &&
      rankError !== undefined && {
        quantile: { name: quantileName(quantile), within: rankErrorInWords(rankError) },
      }),
    ...(gap !== undefined && { gap: numberOf(gap) }),
    ...(count !== undefined && { count: { ...numberOf(count), value: Number(wholeCount(count.value)) } }),
    ...(shown !== undefined && { shown }),
  };
}

function numberOf({ value, low, high }: Pick<Measured, "value"> & Partial<Measured>): ReleasedNumber {
  return {
    exact: value,
    value: rational(value).toNumber(),
    ...(low !== undefined && high !== undefined
      ? { low: rational(low).toNumber(), high: rational(high).toNumber() }
      : {}),
  };
}

/** Each name once, in the order in which a reader asks. */
function parametersOf({ question, mechanism, dataset, time, software, source, ledger }: Release) {
  const { domain, groups, unit, ...asked } = question;
  const parameters = new Map([
    ["data set", dataset],
    ["unit of privacy", unit],
    [
      domain.kind === "grid" ? "grid" : "candidates",
      domain.kind === "unknown" ? "unknown domain" : domainInWords(domain),
    ],
    ...(groups === undefined ? [] : [["groups", groupsAsked(groups)] as const]),
    ...Object.entries(asked).map(([name, value]): [string, string] => [name, String(value)]),
    ...Object.entries(mechanism.parameters),
    [kindOf(question).shape === "values" ? "column" : "item column", source.item],
    ["user column", source.user],
    ...Object.entries(source.dialect),
    ["time", time],
    ["software", `${software.name} ${software.version}`],
  ]);
  if (ledger !== undefined)
    parameters.set("ledger entry", String(ledger.sequence)).set("ledger head", ledger.head);
  return [...parameters];
}

function groupsAsked(groups: NonNullable<Release["question"]["groups"]>): string {
  return `by ${groupColumns(groups)}: ${groupsInWords(groups)}; ${groupLimitInWords(groups)}`;
}

function documentsOf(release: Release, budget: BudgetLeft, file: string | undefined): Documents {
  const svg = {
    light: toSvg(release, { dark: false, namesDataset: false }),
    dark: toSvg(release, { dark: true, namesDataset: false }),
    screen: toSvg(release, { namesDataset: false }),
    narrow: toSvg(release, { narrow: true, namesDataset: false }),
  };
  const { text } = statement(release, budget);
  const { groups } = release.question;
  return {
    json: toJson(release),
    csv: toCsv(release),
    svg,
    caption: caption(release),
    statement: text,
    statementPage: statementPage(release, svg.light, text),
    typescript: groups === undefined ? asTypeScript(release) : "",
    // The command line would read a comma as the end of a column's name.
    command: groups?.by.some((column) => column.includes(",")) ? "" : asCommand(release, file),
  };
}

const STYLE =
  "body{max-width:46rem;margin:2rem auto;padding:0 1rem;font:16px/1.55 system-ui,sans-serif}svg{max-width:100%;height:auto}table{border-collapse:collapse;font-size:.875rem}th,td{padding:.3rem .8rem .3rem 0;text-align:start;vertical-align:top;overflow-wrap:anywhere}th{white-space:nowrap;font-weight:600}";

/** The statement with the picture above it, to file or to print. */
function statementPage({ dataset, time }: Release, svg: string, text: string): string {
  const title = forXml(`Privacy statement: ${dataset}, ${time.slice(0, 10)}`);
  const [paragraph = "", fields = ""] = text.split("\n\n");
  const rows = fields
    .trim()
    .split("\n")
    .map((line) => {
      const colon = line.indexOf(": ");
      const cells = [tag("th", forXml(line.slice(0, colon))), tag("td", forXml(line.slice(colon + 2)))];
      return tag("tr", cells.join(""));
    });
  const head = tag("head", `<meta charset="utf-8">${tag("title", title)}${tag("style", STYLE)}`);
  const body = [tag("h1", title), svg, tag("p", forXml(paragraph)), tag("table", rows.join("\n"))];
  return `<!doctype html>\n${tag("html", head + tag("body", body.join("\n")))}\n`;
}

/** This file itself ends up inside a page: the tags of another must not stand in it. */
function tag(name: string, content: string): string {
  return `<${name}>${content}</${name}>`;
}

export const SOFTWARE = { name: "winnow-studio", version };
