/**
 * The data: choose a file or the example. Once people are counted it is one line. The true counts are for the curator's
 * eyes only: they are hatched, and hidden until asked for, because a screen may be shared. Problems such as lines that
 * could not be read are shown here with their likely cause.
 * @module
 */
import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { PrivateView } from "../../worker/api.js";
import { announce, Card, ItemName, leadFocus, ProblemNote } from "../parts/card.js";
import { Icon } from "../parts/icon.js";
import { counted, percent, whole } from "../parts/in-words.js";
import {
  cancelCounting,
  changing,
  dataProblem,
  dataset,
  dragging,
  forgetFile,
  isExample,
  itemColumn,
  openFile,
  phase,
  progress,
  readAs,
  shape,
  trouble,
  unitAsked,
  userColumn,
  view,
} from "../state/data-state.js";
import { asksValues } from "../state/kinds.js";
import { kind } from "../state/question-state.js";
import { FileForm } from "./file-form.js";

export function DataCard() {
  const empty = phase.value === "empty" || phase.value === "opening";
  const hadFile = useRef(false);
  if (!empty) hadFile.current = true;
  const isSettled = phase.value === "counted" && !changing.value && trouble.value === undefined;
  return (
    <Card title="Your data" ordinal={1} compact={isSettled}>
      <ProblemNote problem={dataProblem.value} />
      {dataProblem.value?.code === "broken-header" && (
        <p>
          <button type="button" class="small-button" onClick={() => void readAs({ hasHeader: false })}>
            The file has no header: read the first line as a row
          </button>
        </p>
      )}
      {empty && <FileDrop takesFocus={hadFile.current} />}
      {!empty && phase.value !== "counting" && !isSettled && <FileForm />}
      {phase.value === "counting" && <Counting />}
      <TroubleNote />
      {view.value && <Counted counts={view.value} isSettled={isSettled} />}
    </Card>
  );
}

const ACCEPTED = ".csv,.tsv,.txt,.ndjson,.jsonl,.parquet,.gz";

/** `takesFocus` where the button that led here is gone. */
function FileDrop({ takesFocus }: { readonly takesFocus: boolean }) {
  const input = useRef<HTMLInputElement>(null);
  const choose = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    if (takesFocus) leadFocus(choose.current);
  }, [takesFocus]);
  return (
    <div class="drop" data-over={dragging}>
      <Icon name="file" size={34} />
      <p>
        <strong>Drop a file of rows here, or choose one</strong>
        <br />
        <span class="soft">
          CSV, TSV, NDJSON or Parquet, also gzipped. Each row is one person and one item or number.
        </span>
      </p>
      <div class="row">
        <button ref={choose} type="button" class="primary" onClick={() => input.current?.click()}>
          Choose a file
        </button>
        <button type="button" onClick={() => void openFile("example")}>
          Try the example
        </button>
      </div>
      <input
        ref={input}
        type="file"
        class="visually-hidden"
        aria-label="Data file"
        tabIndex={-1}
        accept={ACCEPTED}
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0];
          if (file) void openFile(file);
          currentTarget.value = "";
        }}
      />
    </div>
  );
}

function Counting() {
  const cancel = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => leadFocus(cancel.current), []);
  const share = progress.value;
  return (
    <div class="row progress-row">
      <progress aria-label="Counting people" max={1} value={share} />
      <span class="soft small number">{share === undefined ? "Starting…" : percent(share)}</span>
      <button ref={cancel} type="button" onClick={() => void cancelCounting()}>
        Cancel
      </button>
    </div>
  );
}

function TroubleNote() {
  return (
    <div class="note" role="alert">
      {trouble.value && (
        <div class="problem">
          <p>
            <strong>{trouble.value.sentence}</strong>
          </p>
          <p>{trouble.value.cause}</p>
          {trouble.value.offersLatin1 && (
            <p>
              <button
                type="button"
                class="small-button"
                onClick={() => void readAs({ encoding: "windows-1252" })}
              >
                Read it as Windows-1252 (Latin-1)
              </button>
            </p>
          )}
        </div>
      )}
    </div>
  );
}

/** One line about the count, with the way back to the form. */
function Counted({ counts, isSettled }: { readonly counts: PrivateView; readonly isSettled: boolean }) {
  const line = useRef<HTMLParagraphElement>(null);
  useLayoutEffect(() => {
    announce(`Counted ${counted(counts.users, "person", "people")}.`);
    leadFocus(line.current);
  }, [counts]);
  const { users, items, groups, rows, fitting, skipped, skippedRows } = counts;
  const isShown = useSignal(false);
  return (
    <div class="stack">
      <p ref={line} tabIndex={-1} class="data-line">
        {isSettled && (
          <strong>
            <ItemName name={shape.value?.name ?? ""} />
          </strong>
        )}
        <span class="figures">
          {counted(users, "person", "people")} · {counted(items, ...itemWords())} ·{" "}
          {groups !== undefined && `${counted(groups, "group", "groups")} · `}
          {counted(rows, "row", "rows")}
          {fitting !== undefined && `, of which ${counted(fitting, "fits", "fit")}`}
          {skipped > 0 && ` · ${counted(skipped, "line", "lines")} skipped`}
          {skippedRows > 0 && ` · ${counted(skippedRows, "row", "rows")} without a person or an item`}
        </span>
        {isSettled && (
          <>
            <span class="soft small">
              person: <ItemName name={userColumn.value} />, {itemWords()[0]}:{" "}
              <ItemName name={itemColumn.value} /> · unit of privacy: <ItemName name={unitAsked.value} />
              {!isExample.value && (
                <>
                  {" "}
                  · budget kept as: <ItemName name={dataset.value} />
                </>
              )}
            </span>
            <span class="row data-buttons">
              <button
                type="button"
                class="quiet"
                aria-expanded={isShown.value}
                onClick={() => {
                  isShown.value = !isShown.value;
                }}
              >
                {isShown.value ? "Hide the true counts" : "Show the true counts"}
              </button>
              <button
                type="button"
                class="quiet"
                onClick={() => {
                  changing.value = true;
                }}
              >
                Change the columns
              </button>
              <button type="button" class="quiet" onClick={forgetFile}>
                Choose another file
              </button>
            </span>
          </>
        )}
      </p>
      {isExample.value && (
        <p class="hint">
          Invented visitors of a web site, to practise on. Their ledger is discarded with the page.
        </p>
      )}
      {isShown.value && isSettled && <TrueCounts rows={counts.top.slice(0, SHOWN_ITEMS)} />}
    </div>
  );
}

/** One and several of the things that are counted. */
function itemWords(): readonly [one: string, many: string] {
  return asksValues(kind.value) ? ["value", "values"] : ["item", "items"];
}

const SHOWN_ITEMS = 8;

function TrueCounts({ rows }: { readonly rows: PrivateView["top"] }) {
  const most = Math.max(1, ...rows.map(({ users }) => users));
  return (
    <table class="true-counts">
      <caption class="visually-hidden">True counts, for your eyes only</caption>
      <thead>
        <tr>
          <th scope="col">Item</th>
          <th scope="col" class="number">
            People
          </th>
          <td class="bar-cell" />
        </tr>
      </thead>
      <tbody>
        {rows.map(({ item, users }) => (
          <tr key={item}>
            <th scope="row">
              <ItemName name={item} />
            </th>
            <td class="number">{whole(users)}</td>
            <td class="bar-cell" aria-hidden="true">
              <span class="bar bar-private" style={{ inlineSize: `${(100 * users) / most}%` }} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
