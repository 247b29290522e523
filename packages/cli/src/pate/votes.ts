/**
 * Teachers' votes from a CSV file with the columns query, teacher and label. The lists of queries, teachers and
 * labels are public and known beforehand; the file only says who voted for what. Each line is read on its own, and
 * a line that is malformed or names something outside the lists is skipped, so one teacher's lines cannot change
 * how another's are read.
 *
 *   one right class   a teacher's first vote on a query counts; no vote means the class "no label"
 *   any labels        a line is a yes; everything else is a no
 * @module
 */
import { createReadStream } from "node:fs";
import {
  didYouMean,
  LineSplitter,
  mustBe,
  type PhysicalLine,
  parseDelimitedLine,
  Refusal,
} from "winnow-release";
import { readHeader } from "../public-files.js";
import { fileRefusal } from "../refusal.js";

export interface VoteLists {
  readonly task: "multi-class" | "multi-label";
  readonly queries: readonly string[];
  readonly teachers: readonly string[];
  readonly labels: readonly string[];
}

interface Votes {
  /** Query after query, as the library takes them. */
  readonly votes: Uint8Array | Uint16Array;
  /** For the curator only. */
  readonly skippedLines: number;
}

const WHAT = "The file of votes";
const COLUMNS = ["query", "teacher", "label"];

/** A vote is a number of at most two bytes, and all votes are kept in memory. */
const MOST_LABELS = 65_535;
const MOST_VOTES = 2 ** 31;

/** Refuses lists whose votes don't fit in memory, before reading any. */
export function checkSizes(lists: VoteLists): void {
  if (lists.labels.length > MOST_LABELS)
    throw new Refusal("usage", mustBe("--labels", `at most ${MOST_LABELS} names`, lists.labels.length));
  if (cellsOf(lists) > MOST_VOTES)
    throw new Refusal(
      "usage",
      "The lists of queries, teachers and labels are too long: all votes must fit in memory.",
    );
}

function cellsOf({ task, queries, teachers, labels }: VoteLists): number {
  return queries.length * teachers.length * (task === "multi-label" ? labels.length : 1);
}

/** The number of classes: the labels, and "no label". */
export function classesOf({ labels }: VoteLists): number {
  return labels.length + 1;
}

export async function readVotes(path: string, lists: VoteLists, signal: AbortSignal): Promise<Votes> {
  const sheet = new BallotSheet(lists);
  let places: Places | undefined;
  let skippedLines = 0;
  for await (const line of linesOf(path, signal)) {
    if (places === undefined) places = placesIn(line ?? "", path);
    else if (line === undefined || !sheet.enter(places, line)) skippedLines++;
  }
  if (places === undefined) throw new Refusal("empty-source", `${WHAT} ${JSON.stringify(path)} is empty.`);
  return { votes: sheet.votes, skippedLines };
}

/** The physical lines; undefined for a line that isn't text. */
async function* linesOf(path: string, signal: AbortSignal): AsyncGenerator<PhysicalLine> {
  const stream = createReadStream(path, { signal });
  const splitter = new LineSplitter();
  try {
    for await (const chunk of stream) yield* splitter.push(chunk as Uint8Array);
    yield* splitter.end();
  } catch (error) {
    throw error instanceof Refusal ? error : fileRefusal(WHAT, path, error);
  } finally {
    stream.destroy();
  }
}

interface Places {
  readonly delimiter: string;
  readonly quote: string;
  readonly width: number;
  /** The columns of query, teacher and label. */
  readonly columns: readonly number[];
}

function placesIn(header: string, path: string): Places {
  const { columns, delimiter, quote } = readHeader("the file of votes", path, header);
  const places = COLUMNS.map((name) => columns.indexOf(name));
  const missing = COLUMNS[places.indexOf(-1)];
  if (missing !== undefined)
    throw new Refusal(
      "unknown-column",
      `${WHAT} ${JSON.stringify(path)} has no column "${missing}".${didYouMean(missing, columns)}`,
    );
  return { delimiter, quote, width: columns.length, columns: places };
}

/** The votes as they come in. */
class BallotSheet {
  readonly votes: Uint8Array | Uint16Array;
  readonly #isMultiLabel: boolean;
  readonly #labels: number;
  readonly #teachers: number;
  readonly #places: readonly ReadonlyMap<string, number>[];

  constructor(lists: VoteLists) {
    const { task, queries, teachers, labels } = lists;
    this.#isMultiLabel = task === "multi-label";
    this.#labels = labels.length;
    this.#teachers = teachers.length;
    this.#places = [queries, teachers, labels].map((names) => new Map(names.map((name, i) => [name, i])));
    this.votes = new (labels.length < 256 ? Uint8Array : Uint16Array)(cellsOf(lists));
    if (!this.#isMultiLabel) this.votes.fill(labels.length); // no label
  }

  /** Whether the line is a vote. */
  enter({ delimiter, quote, width, columns }: Places, line: string): boolean {
    const fields = parseDelimitedLine(line, { delimiter, quote });
    if (fields?.length !== width) return false;
    const [query, teacher, label] = columns.map((column, i) => this.#places[i].get(fields[column]));
    if (query === undefined || teacher === undefined || label === undefined) return false;
    const ballot = query * this.#teachers + teacher;
    if (this.#isMultiLabel) this.votes[ballot * this.#labels + label] = 1;
    else if (this.votes[ballot] === this.#labels) this.votes[ballot] = label;
    return true;
  }
}
