/**
 * Questions after the rows are counted and before anything is charged: a list of another column, with other spellings or from
 * another year matches almost nothing, and a column without numbers has no quantiles, while the release would cost as much as
 * a good one. If the curator declines, the answer in memory is dropped unseen.
 *
 * How well a list matches and what was skipped is exact and private. So is whether someone was asked: where others would see
 * that (a service, someone else's query), the curator is told and the release goes on.
 * @module
 */
import type { Batches, CountedItems, GroupedRows } from "../question/answer.js";
import { type Domain, sizeOf } from "../question/domain.js";
import { likelyStyle, STYLE_RULES, type WrittenNumbers } from "../question/number-style.js";
import type { Question } from "../question/question.js";
import { type Concern, CuratorFact, type FactCode } from "./curator.js";

/** What the source knows of the rows after they are counted; private, and undefined where it doesn't know. */
export interface RowFacts {
  /** That couldn't be parsed. */
  readonly skippedLines?: number | undefined;
  /** Without a person or an item. */
  readonly skippedRows?: number | undefined;
  /** All rows, skipped and counted. */
  readonly rows?: number | undefined;
  /** Different values that are numbers. Default: those that were counted. */
  readonly values?: number | undefined;
  /** Different values that aren't numbers. */
  readonly skippedValues?: number | undefined;
  /** How many of those would be numbers in another style. */
  readonly writtenNumbers?: WrittenNumbers | undefined;
  /** Users that differ from another only in case or spaces. */
  readonly similarUsers?: number | undefined;
  /** Items with users, also those that aren't candidates. */
  readonly items?: number | undefined;
}

/** A match below one in this many is a small part, both of the list and of the items in the rows. */
const SMALL_PART = 10;
/** More than one in this many that is skipped is a mistake in reading rather than in writing. */
const FEW = 20;

/** Counts the candidates that have users on their way to the mechanism. */
export class RowWatch {
  readonly #question: Pick<Question, "domain" | "groups">;
  #matched = 0;
  #groups = 0;

  constructor(question: Pick<Question, "domain" | "groups">) {
    this.#question = question;
  }

  /** Counts the groups that have users too; an item that has users in several groups counts once. */
  watchGroups(rows: GroupedRows): GroupedRows {
    this.#matched = this.#groups = 0;
    const matched = new Set<string>();
    const groups = new Set<string>();
    const listed = rows.items === undefined ? undefined : new Set(rows.items);
    const watch = async function* (this: RowWatch, only?: readonly string[]) {
      for await (const batch of rows.counts(only)) {
        groups.add(batch.group);
        if (matched.size < MOST_MATCHED)
          for (const item of batch.items) if (listed?.has(item) !== false) matched.add(item);
        [this.#matched, this.#groups] = [matched.size, groups.size];
        yield batch;
      }
    };
    return { ...rows, people: () => rows.people(), counts: (only) => watch.call(this, only) };
  }

  async *watch(batches: Batches): AsyncGenerator<CountedItems> {
    this.#matched = 0; // a count may start again
    for await (const batch of batches) {
      for (const users of batch.users) if (users > 0) this.#matched++;
      yield batch;
    }
  }

  /** What the curator is told, and what they are asked, once all rows are counted. */
  finish(facts: RowFacts): RowFindings {
    const { domain, groups } = this.#question;
    const isListed = groups !== undefined && groups.list !== "selected";
    const found = isListed ? { matched: this.#groups, listed: groups.list.size } : undefined;
    return rowFindings(domain, { matched: this.#matched, ...facts }, found);
  }
}

/** Beyond any list that someone reads. */
const MOST_MATCHED = 1_000_000;

/** How well a public list of groups matches the rows. */
interface GroupsFound {
  /** That have users. */
  readonly matched: number;
  readonly listed: number;
}

/** What the curator is told and asked, from counts that are known already. */
export function rowFindings(
  domain: Domain,
  facts: RowFacts & { readonly matched: number },
  groups?: GroupsFound,
): RowFindings {
  const { matched, skippedValues, values = matched, skippedRows = 0, rows = 0 } = facts;
  const match = matchFact(domain, matched, facts);
  const told = [
    ...skippedFacts(facts),
    ...(match === undefined ? [] : [match]),
    ...(groups === undefined ? [] : [groupFact(groups)]),
  ];
  const asked: Concern[] = [];
  const ask = (code: FactCode, isAsked: boolean, why: string) => {
    const fact = told.find((each) => each.code === code);
    if (isAsked && fact !== undefined)
      asked.push({ why: `${why}, so the release needs a confirmation.`, fact });
  };
  ask("no-numbers", true, "The column may not hold numbers");
  ask("list-match", isSmallPart(domain, matched, facts), "The list of candidates may not match the rows");
  ask(
    "group-match",
    groups !== undefined && groups.matched * SMALL_PART < groups.listed,
    "The list of groups may not match the rows",
  );
  ask(
    "skipped-values",
    values > 0 && isMany(skippedValues, values),
    "Many values may not be numbers as Winnow was told to read them",
  );
  ask("skipped-rows", isMany(skippedRows, rows - skippedRows), "Many rows may have no person or no item");
  return { told, asked };
}

function groupFact({ matched, listed }: GroupsFound): CuratorFact {
  return new CuratorFact(
    "group-match",
    () => `${whole(matched)} of the ${whole(listed)} groups have users in the rows.`,
  );
}

function isSmallPart(domain: Domain, matched: number, { items }: RowFacts): boolean {
  const listed = listSize(domain) ?? 0;
  if (matched === 0 || items === undefined) return matched === 0;
  return matched * SMALL_PART < listed && matched * SMALL_PART < items;
}

export interface RowFindings {
  readonly told: readonly CuratorFact[];
  /** About facts that are among those told. */
  readonly asked: readonly Concern[];
}

function isMany(skipped: number | undefined, kept: number): boolean {
  return skipped !== undefined && skipped * FEW > skipped + kept;
}

function matchFact(domain: Domain, matched: number, { items }: RowFacts): CuratorFact | undefined {
  if (domain.kind === "grid")
    return matched === 0
      ? new CuratorFact("no-numbers", () => "No value in the rows could be read as a number.")
      : undefined;
  const listed = listSize(domain);
  return listed === undefined
    ? undefined
    : new CuratorFact("list-match", () => matchInWords(matched, listed, items));
}

function matchInWords(matched: number, listed: number, items: number | undefined): string {
  if (items === undefined)
    return `${whole(matched)} of the ${whole(listed)} candidates have users in the rows.`;
  return `${whole(matched)} of ${whole(items)} items in the rows are in the list of ${whole(listed)} candidates.`;
}

function* skippedFacts(facts: RowFacts): Generator<CuratorFact> {
  const { skippedLines: lines, skippedValues: values, skippedRows: rows, similarUsers: users } = facts;
  if (lines)
    yield new CuratorFact("skipped-lines", () =>
      lines === 1
        ? "1 line couldn't be parsed and was skipped."
        : `${whole(lines)} lines couldn't be parsed and were skipped.`,
    );
  if (rows)
    yield new CuratorFact("skipped-rows", () =>
      rows === 1
        ? "1 row has no person or no item and was skipped."
        : `${whole(rows)} rows have no person or no item and were skipped.`,
    );
  if (values)
    yield new CuratorFact("skipped-values", () => skippedValuesInWords(values, facts.writtenNumbers));
  if (users)
    yield new CuratorFact(
      "similar-users",
      () =>
        `${whole(users)} users differ only in case or spaces from another, and each counts as a person of their own.`,
    );
}

/** With the likely cause: what is skipped looks like a number that is written in another way. */
function skippedValuesInWords(values: number, written: WrittenNumbers | undefined): string {
  const skipped =
    values === 1
      ? "1 value isn't a number and was skipped."
      : `${whole(values)} different values aren't numbers and were skipped.`;
  const style = likelyStyle(written, values);
  if (written === undefined || style === undefined) return skipped;
  return `${skipped} ${whole(written[style])} of them look like ${STYLE_RULES[style].example}: numbers in the style "${style}".`;
}

/** Undefined without a list. */
function listSize(domain: Domain): number | undefined {
  return domain.kind === "grid" ? undefined : sizeOf(domain);
}

function whole(number: number): string {
  return number.toLocaleString("en");
}
