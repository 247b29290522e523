/**
 * The data: which file, which columns, what one person is, and the counts, which are for the curator's eyes only. Where
 * the header names both columns, people are counted at once; guesses can be changed afterwards. A file may be
 * dropped anywhere on the page, because a file dropped beside the right spot would otherwise replace the page.
 * @module
 */

import { batch, computed, signal } from "@preact/signals";
import { WinnowError } from "winnow-dp";
import { Refusal, readPredicate, unitOf } from "winnow-release";
import type { FileShape, PrivateView, ReadAs } from "../../worker/api.js";
import { isCancelled, type Problem, problemOf } from "../../worker/studio-refusal.js";
import { sentenceOf } from "../parts/in-words.js";
import { studio } from "./connect-studio.js";
import { type Turn, takeTurns } from "./latest.js";
import { route } from "./route.js";

type DataPhase = "empty" | "opening" | "opened" | "counting" | "counted";

export const phase = signal<DataPhase>("empty");
export const shape = signal<FileShape>();
export const itemColumn = signal("");
export const userColumn = signal("");
/** For one answer in each group: one or two; none for one answer about all rows. */
export const groupColumns = signal<readonly string[]>([]);
/** Which rows count, as it is typed, and as the rows were counted last; empty for all rows. */
export const whereText = signal("");
export const where = signal("");
/** What one person is: the unit that the promise is about. Empty until the curator writes it or a column suggests it. */
export const unit = signal("");
/** The name under which the budget of these people is kept. */
export const dataset = signal("");
/** The share read, or undefined while that is unknown. */
export const progress = signal<number>();
export const view = signal<PrivateView>();
export const dataProblem = signal<Problem>();
/** Whether the form is open, though everything in it is answered. */
export const changing = signal(false);

export const isExample = computed(() => shape.value?.format === "generated");

export const columnsChosen = computed(
  () => itemColumn.value !== "" && userColumn.value !== "" && itemColumn.value !== userColumn.value,
);

export const suggestedUnit = computed(() => (userColumn.value === "" ? "" : unitOf(userColumn.value)));

export const unitAsked = computed(() => unit.value.trim() || suggestedUnit.value);

/** Opening, counting and forgetting take turns: results of an earlier turn are out of date and ignored. */
const begin = takeTurns();

let opened: { readonly file: File | "example"; readonly as: ReadAs } | undefined;

/** Reads the header of a file, or of the built-in example, and guesses the columns from it. The last file opened wins. */
export async function openFile(file: File | "example", as: ReadAs = {}): Promise<void> {
  const turn = forget();
  opened = { file, as };
  phase.value = "opening";
  try {
    const found = await studio.open(file, as);
    if (!turn.current()) return;
    batch(() => {
      phase.value = "opened";
      shape.value = found;
      itemColumn.value = found.guess.item ?? "";
      userColumn.value = found.guess.user ?? "";
      dataset.value = file === "example" ? "example" : nameOf(found.name);
    });
    if (columnsChosen.peek()) await countPeople();
  } catch (error) {
    if (!turn.current()) return;
    batch(() => {
      phase.value = "empty";
      dataProblem.value = problemOf(error);
    });
  }
}

/** Reads the same file again in another way; the typed unit and name stay. */
export async function readAs(change: ReadAs): Promise<void> {
  if (opened === undefined) return;
  const { file, as } = opened;
  const [typedUnit, typedName] = [unit.peek(), dataset.peek()];
  await openFile(file, { ...as, ...change });
  if (phase.peek() !== "empty")
    batch(() => {
      unit.value = typedUnit;
      dataset.value = typedName;
    });
}

/** Counts the distinct people of each item, in the worker. */
export async function countPeople(): Promise<void> {
  const turn = begin();
  batch(() => {
    phase.value = "counting";
    progress.value = undefined;
    view.value = undefined;
    dataProblem.value = undefined;
  });
  try {
    const [groups, condition] = [groupColumns.peek(), where.peek()];
    const columns = {
      ...{ item: itemColumn.value, user: userColumn.value },
      ...(groups.length > 0 && { groups }),
      ...(condition !== "" && { where: condition }),
    };
    const counted = await studio.count(columns, (share) => {
      if (turn.current()) progress.value = share;
    });
    if (!turn.current()) return;
    batch(() => {
      view.value = counted;
      phase.value = "counted";
      changing.value = false;
    });
  } catch (error) {
    if (!turn.current()) return;
    batch(() => {
      phase.value = "opened";
      if (!isCancelled(error)) dataProblem.value = problemOf(error);
    });
  }
}

export async function cancelCounting(): Promise<void> {
  await studio.cancel("count");
}

/** Another column is another count. */
export function chooseColumn(role: "item" | "user", name: string): void {
  batch(() => {
    (role === "item" ? itemColumn : userColumn).value = name;
    view.value = undefined;
    if (groupColumns.value.includes(name)) groupColumns.value = [];
    if (phase.value === "counted") phase.value = "opened";
  });
}

/** Groups are another count too; the form of the file stays as it is. Without a first column there is no second. */
export async function chooseGroupColumn(place: 0 | 1, name: string): Promise<void> {
  const [first = "", second = ""] = groupColumns.peek();
  const columns = place === 0 ? [name, name === second ? "" : second] : [first, name];
  groupColumns.value = columns[0] === "" ? [] : columns.filter((column) => column !== "");
  if (columnsChosen.peek() && phase.peek() === "counted") await countPeople();
}

/** The problem of the condition; undefined for one that the rows were counted with, and for none. */
export const whereProblem = computed<string | undefined>(() => {
  const typed = whereText.value.trim();
  if (typed === where.value) return undefined;
  try {
    if (typed !== "") readPredicate(typed);
    return "Press Enter to count the rows that fit.";
  } catch (error) {
    return error instanceof WinnowError ? sentenceOf(error) : problemOf(error).sentence;
  }
});

/** A condition that can be read is another count too. */
export async function chooseRows(): Promise<void> {
  const typed = whereText.peek().trim();
  if (typed === where.peek() || !canBeRead(typed)) return;
  where.value = typed;
  if (columnsChosen.peek() && phase.peek() === "counted") await countPeople();
}

function canBeRead(condition: string): boolean {
  try {
    return condition === "" || readPredicate(condition) !== undefined;
  } catch {
    return false;
  }
}

/** Back to the start; running work is cancelled. */
export function forgetFile(): void {
  forget();
  dataset.value = "";
  void studio.close();
}

function forget(): Turn {
  const turn = begin();
  opened = undefined;
  void studio.cancel("count");
  batch(() => {
    phase.value = "empty";
    shape.value = undefined;
    view.value = undefined;
    groupColumns.value = [];
    whereText.value = "";
    where.value = "";
    unit.value = "";
    changing.value = false;
    dataProblem.value = undefined;
  });
  return turn;
}

/** `visits.csv.gz` belongs to the data set "visits". */
function nameOf(file: string): string {
  return file.replace(/(\.(csv|tsv|txt|ndjson|jsonl|json|parquet|gz))+$/i, "") || file;
}

/** A problem of the count that stops the curator: a plan about such data would be meaningless. */
interface Trouble {
  readonly sentence: string;
  readonly cause: string;
  /** Whether another encoding is the likely fix. */
  readonly offersLatin1: boolean;
}

/** A plan says little about data of which more than this share was skipped. */
const MOST_SKIPPED = 0.05;

export const trouble = computed<Trouble | undefined>(() => {
  const counts = view.value;
  if (counts === undefined) return undefined;
  const { rows, skipped, users } = counts;
  if (rows === 0)
    return {
      sentence:
        shape.value?.hasHeader === false ? "The file has no rows." : "The file has a header and no rows.",
      cause: "Choose a file with rows.",
      offersLatin1: false,
    };
  const isSkipped = skipped > MOST_SKIPPED * rows;
  if (users > 0 && !isSkipped) return undefined;
  const share = skipped === rows ? "All" : `${Math.ceil((100 * skipped) / rows)} %`;
  const sentence = isSkipped
    ? `${share} of the lines were skipped${users === 0 ? ", so no one was counted" : ""}.`
    : "No one was counted: one of the two columns is empty in every row.";
  return { sentence, ...causeOf(counts) };
});

function causeOf({ skipped, skippedBy }: PrivateView): Pick<Trouble, "cause" | "offersLatin1"> {
  const { encoding, quotes, fields } = skippedBy;
  const most = Math.max(encoding, quotes, fields);
  if (skipped === 0) return { cause: "Choose other columns.", offersLatin1: false };
  if (most === encoding)
    return {
      cause:
        shape.value?.encoding === "utf-8"
          ? "They are not UTF-8, or longer than 64 kB. Files from older Windows programs are often Windows-1252 (Latin-1)."
          : "They cannot be read in this encoding. Try UTF-8.",
      offersLatin1: shape.value?.encoding === "utf-8",
    };
  if (most === quotes)
    return {
      cause:
        "They end inside quotes: fields hold line breaks, and the page reads each line on its own. Replace the line breaks in the export, or use winnow top --multiline.",
      offersLatin1: false,
    };
  const cause =
    shape.value?.format === "ndjson"
      ? "They don't have both members. Check the two names, or choose a file with one JSON object per line."
      : shape.value?.hasHeader === false
        ? "They have fewer fields than the numbers of the columns. Check the two numbers and the delimiter."
        : "They have more or fewer fields than the header. The delimiter of the header is probably not that of the rows.";
  return { cause, offersLatin1: false };
}

/** Whether something is being dragged over the page. */
export const dragging = signal(false);

export function followDrops(): void {
  window.addEventListener("dragover", (event) => {
    event.preventDefault();
    dragging.value = true;
  });
  window.addEventListener("dragleave", ({ relatedTarget }) => {
    if (relatedTarget === null) dragging.value = false;
  });
  window.addEventListener("drop", (event) => {
    event.preventDefault();
    dragging.value = false;
    const files = event.dataTransfer?.files ?? [];
    if (files.length === 0 || route.peek() !== "studio" || isAsking()) return;
    if (files.length === 1) void openFile(files[0]!);
    else dataProblem.value = problemOf(new Refusal("several-files", `You dropped ${files.length} files.`));
  });
}

/** While a dialog asks for a confirmation, the data stay. */
function isAsking(): boolean {
  return document.querySelector("dialog[open]") !== null;
}
