/**
 * The groups of a question: the columns as typed, the public list, and the parts of preferred groups.
 *
 * The list of groups by one column has one group on each line, or is a release in groups (JSON), whose groups it takes. By two
 * columns it is a CSV file with both of them. Parts are a CSV file with the columns of the groups and `budget`.
 * @module
 */
import { WinnowError } from "winnow-dp";
import {
  type GroupName,
  type GroupsInput,
  groupColumns,
  groupText,
  listedDomain,
  listHeader,
  mustBe,
  parseDelimitedLine,
  Refusal,
  readRelease,
} from "winnow-release";
import { readPublicFile } from "../public-files.js";
import type { ReleaseOptions } from "./release-options.js";

export interface AskedGroups {
  readonly input: GroupsInput;
  /** In the order of the list; undefined where groups are selected. */
  readonly listed?: readonly GroupName[] | undefined;
}

/** Undefined for a question about all rows. */
export async function readAskedGroups(options: ReleaseOptions): Promise<AskedGroups | undefined> {
  const { by: typed, groups: path, maxGroupsPerUser, groupBudgets } = options;
  if (typed === undefined) {
    refuseIdle(options);
    return undefined;
  }
  const by = typed.split(",").map((column) => column.trim());
  if (by.length > 2 || by.includes("") || new Set(by).size < by.length)
    throw new Refusal("usage", mustBe("--by", "a column, or two with a comma between them", typed));
  if (maxGroupsPerUser === undefined)
    throw new Refusal(
      "usage",
      "--max-groups-per-user must say in how many groups a person counts at most, such as 1 where everyone is in one.",
    );
  if (path === undefined && options.delta === undefined)
    throw new Refusal(
      "usage",
      "--delta must be given, such as 1e-6, because without a public list of groups (--groups) their names come from the rows.",
    );
  if (path === undefined && groupBudgets !== undefined)
    throw new Refusal("usage", "--group-budgets needs a public list of groups in --groups.");
  const listed = path === undefined ? undefined : await readGroups(path, by);
  const budgets = groupBudgets === undefined ? undefined : await readParts(groupBudgets, by, listed ?? []);
  const list = listed === undefined ? "selected" : await listedDomain(listed.map(groupText));
  return { input: { by, list, maxGroupsPerUser, budgets }, listed };
}

/** A default of the configuration file is idle without groups; an option of the command line isn't. */
function refuseIdle(options: ReleaseOptions): void {
  const { groups, maxGroupsPerUser, groupBudgets, defaults = [] } = options;
  const given = {
    groups: ["--groups", groups],
    maxGroupsPerUser: ["--max-groups-per-user", maxGroupsPerUser],
    groupBudgets: ["--group-budgets", groupBudgets],
  };
  for (const [name, [flag, value]] of Object.entries(given))
    if (value !== undefined && !defaults.includes(name))
      throw new Refusal("usage", `${flag} needs --by, the column of the groups.`);
}

const LIST = "The list of groups";
const BUDGETS = "The budgets of groups";
const PART = "budget";

export async function readGroups(path: string, by: readonly string[]): Promise<readonly GroupName[]> {
  const text = await readPublicFile(LIST, path);
  const names = /\.json$/i.test(path)
    ? groupsOfRelease(text, path, by)
    : by.length === 1
      ? linesOf(text).map((line): GroupName => [line])
      : rowsOf(LIST, path, text, by);
  const seen = new Map(names.map((name) => [groupText(name), name]));
  if (seen.size === 0) throw new Refusal("usage", `${LIST} ${JSON.stringify(path)} has no groups.`);
  if ([...seen.keys()].some((group) => /\p{Surrogate}/u.test(group)))
    throw new Refusal("usage", `${LIST} ${JSON.stringify(path)} must have names of whole characters.`);
  return [...seen.values()];
}

function groupsOfRelease(text: string, path: string, by: readonly string[]): readonly GroupName[] {
  try {
    const { question, answer } = readRelease(text);
    if (question.groups?.by.length === by.length) return (answer.groups ?? []).map(({ name }) => name);
  } catch (error) {
    if (!(error instanceof WinnowError)) throw error;
  }
  throw new Refusal(
    "usage",
    `${LIST} ${JSON.stringify(path)} must be a release in groups by ${by.length === 1 ? "one column" : "two columns"}, or text.`,
  );
}

async function readParts(path: string, by: readonly string[], listed: readonly GroupName[]) {
  const known = new Set(listed.map(groupText));
  const text = await readPublicFile(BUDGETS, path);
  return rowsOf(BUDGETS, path, text, [...by, PART]).map((fields) => {
    const [group, part] = [fields.slice(0, -1), fields.at(-1)!];
    if (!known.has(groupText(group)))
      throw new Refusal(
        "usage",
        mustBe(`${BUDGETS} ${JSON.stringify(path)}`, "of groups in --groups", group.join(",")),
      );
    return { group, part };
  });
}

function linesOf(text: string): string[] {
  const lines = text.split(/\r\n|\n|\r/);
  return lines.filter((line) => line !== "");
}

/** These columns of a CSV file. */
function rowsOf(what: string, path: string, text: string, columns: readonly string[]): GroupName[] {
  const [first = "", ...lines] = linesOf(text);
  const file = `${what} ${JSON.stringify(path)}`;
  const wrong = () =>
    new Refusal("usage", `${file} must be a CSV file with the columns ${groupColumns({ by: columns })}.`);
  let header: ReturnType<typeof listHeader>;
  try {
    header = listHeader(first);
  } catch {
    throw wrong();
  }
  const places = columns.map((column) => header.columns.indexOf(column));
  if (places.includes(-1)) throw wrong();
  return lines.map((line, i) => {
    const fields = parseDelimitedLine(line, header);
    const found = places.map((place) => fields?.[place] ?? "");
    if (fields?.length !== header.columns.length || found.includes(""))
      throw new Refusal("usage", `${file} can't be parsed at line ${i + 2}.`);
    return found;
  });
}
