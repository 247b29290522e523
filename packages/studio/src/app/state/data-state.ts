/**
 * The first step: which file, which columns, what one person is, and the counts, which are for the curator's eyes
 * only. A file may be dropped anywhere on the page: dropped beside the right spot, it would otherwise replace the page
 * and everything that was typed.
 * @module
 */
import { batch, computed, signal } from "@preact/signals";
import type { FileShape, PrivateView } from "../../worker/api.js";
import { studio } from "./connect-studio.js";
import { type Turn, takeTurns } from "./latest.js";
import { isCancelled, type Problem, problemOf } from "./problem.js";
import { route } from "./route.js";

type DataPhase = "empty" | "opening" | "opened" | "counting" | "counted";

export const phase = signal<DataPhase>("empty");
export const shape = signal<FileShape>();
export const itemColumn = signal("");
export const userColumn = signal("");
/** What one person is: the unit that the promise is about. Empty until the curator writes it or a column suggests it. */
export const unit = signal("");
/** The name under which the budget of these people is kept. */
export const dataset = signal("");
/** The share read, or undefined while that is unknown. */
export const progress = signal<number>();
export const view = signal<PrivateView>();
export const dataProblem = signal<Problem>();

export const columnsChosen = computed(
  () => itemColumn.value !== "" && userColumn.value !== "" && itemColumn.value !== userColumn.value,
);

export const suggestedUnit = computed(() =>
  userColumn.value === "" ? "" : `one value of the column "${userColumn.value}"`,
);

export const unitInWords = computed(() => unit.value.trim() || suggestedUnit.value);

/** Opening, counting, forgetting: what comes back after the next of them has begun is about something that is gone. */
const begin = takeTurns();

/** Reads the header of a file, or of the built-in example, and guesses the columns from it. The last file opened wins. */
export async function openFile(file: File | "example"): Promise<void> {
  const turn = forget();
  phase.value = "opening";
  try {
    const opened = await studio.open(file);
    if (!turn.current()) return;
    batch(() => {
      phase.value = "opened";
      shape.value = opened;
      itemColumn.value = opened.guess.item ?? "";
      userColumn.value = opened.guess.user ?? "";
      dataset.value = file === "example" ? "example" : nameOf(opened.name);
    });
  } catch (error) {
    if (!turn.current()) return;
    batch(() => {
      phase.value = "empty";
      dataProblem.value = problemOf(error);
    });
  }
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
    const columns = { item: itemColumn.value, user: userColumn.value };
    const counted = await studio.count(columns, (share) => {
      if (turn.current()) progress.value = share;
    });
    if (!turn.current()) return;
    batch(() => {
      view.value = counted;
      phase.value = "counted";
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
    if (phase.value === "counted") phase.value = "opened";
  });
}

/** Back to the start; what was under way is called off. */
export function forgetFile(): void {
  forget();
}

function forget(): Turn {
  const turn = begin();
  void studio.cancel("count");
  batch(() => {
    phase.value = "empty";
    shape.value = undefined;
    view.value = undefined;
    unit.value = "";
    dataProblem.value = undefined;
  });
  return turn;
}

/** `visits.csv.gz` belongs to the data set "visits". */
function nameOf(file: string): string {
  return file.replace(/(\.(csv|tsv|txt|ndjson|jsonl|json|parquet|gz))+$/i, "") || file;
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
    const file = event.dataTransfer?.files[0];
    if (file && route.peek() === "studio" && !isAsking()) void openFile(file);
  });
}

/** While somebody is asked to agree to a release, the data that it is about stay. */
function isAsking(): boolean {
  return document.querySelector("dialog[open]") !== null;
}
