/**
 * Step one, the data: choose a file or the example, see what the header says, choose the columns, say what one person
 * is and under which name the budget is kept, and count. Where the format has no header, column names are typed,
 * because rows may not be looked at for them. The true counts are for the curator's eyes only: hatched, and with a
 * warning where they could be copied.
 * @module
 */
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { forTerminal } from "winnow-release";
import type { PrivateView } from "../../worker/api.js";
import { announce, Card, ItemName, leadFocus, ProblemNote } from "../parts/card.js";
import { TextField } from "../parts/fields.js";
import { Icon } from "../parts/icon.js";
import { bytes, counted, percent, whole } from "../parts/in-words.js";
import { knownDatasets } from "../state/budget-state.js";
import {
  cancelCounting,
  chooseColumn,
  columnsChosen,
  countPeople,
  dataProblem,
  dataset,
  dragging,
  forgetFile,
  itemColumn,
  openFile,
  phase,
  progress,
  shape,
  suggestedUnit,
  unit,
  userColumn,
  view,
} from "../state/data-state.js";

export function DataCard() {
  const empty = phase.value === "empty" || phase.value === "opening";
  const hadFile = useRef(false);
  if (!empty) hadFile.current = true;
  return (
    <Card title="Your data" ordinal={1}>
      <ProblemNote problem={dataProblem.value} />
      {empty ? <FileDrop takesFocus={hadFile.current} /> : <FileForm />}
      {phase.value === "counting" && <Counting />}
      {view.value && <PrivateCounts counts={view.value} />}
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
          CSV, TSV, NDJSON or Parquet, also gzipped. One row says: this person, this item.
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

function FileForm() {
  const top = useRef<HTMLParagraphElement>(null);
  const count = useRef<HTMLButtonElement>(null);
  const counting = useRef(false);
  useLayoutEffect(() => leadFocus(top.current), []);
  useLayoutEffect(() => {
    if (counting.current && phase.value === "opened") leadFocus(count.current);
    counting.current = phase.value === "counting";
  });
  const file = shape.value;
  if (file === undefined) return null;
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void countPeople();
      }}
    >
      <p ref={top} tabIndex={-1} class="file-line">
        <strong>
          <ItemName name={file.name} />
        </strong>
        <span class="soft small">{describeFile(file.format, file.bytes)}</span>
        <button type="button" class="quiet" onClick={forgetFile}>
          Choose another
        </button>
      </p>
      <p class="hint">{file.guess.why}</p>
      <fieldset class="pair plain" disabled={phase.value === "counting"}>
        <legend class="visually-hidden">Columns</legend>
        <ColumnField plays="item" label="Item column" hint="What is being ranked: pages, products, areas." />
        <ColumnField
          plays="user"
          label="Person column"
          hint="Whose row it is: an id, an account, a device."
        />
      </fieldset>
      <div class="pair">
        <TextField
          label="What is one person?"
          value={unit}
          placeholder={suggestedUnit.value}
          hint="The promise is made to each of these, and printed in every release. Two accounts are two."
        />
        <TextField
          label="Name of the data set"
          value={dataset}
          suggestions={knownDatasets.value}
          hint="The budget is kept under it: the same people, the same name, whatever the file."
        />
      </div>
      <div class="row">
        <button
          ref={count}
          type="submit"
          class={phase.value === "counted" ? "" : "primary"}
          disabled={!columnsChosen.value || phase.value === "counting"}
        >
          {phase.value === "counted" ? "Count again" : "Count people"}
        </button>
        <span class="soft small">
          {columnsChosen.value
            ? "Each person counts once per item, however many rows there are."
            : "Choose the two columns first; they must differ."}
        </span>
      </div>
    </form>
  );
}

function describeFile(format: string, size: number): string {
  return format === "generated"
    ? "invented visitors, made on this machine"
    : `${format.toUpperCase()}, ${bytes(size)}`;
}

interface ColumnFieldProps {
  readonly plays: "item" | "user";
  readonly label: string;
  readonly hint: string;
}

function ColumnField({ plays, label, hint }: ColumnFieldProps) {
  const id = useId();
  const columns = shape.value?.columns ?? [];
  const value = (plays === "item" ? itemColumn : userColumn).value;
  const shared = { id, value, "aria-describedby": `${id}-hint` };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {columns.length === 0 ? (
        <input
          {...shared}
          type="text"
          autoComplete="off"
          spellcheck={false}
          onInput={({ currentTarget }) => chooseColumn(plays, currentTarget.value)}
        />
      ) : (
        <select {...shared} onChange={({ currentTarget }) => chooseColumn(plays, currentTarget.value)}>
          <option value="">Choose a column…</option>
          {columns.map((name) => (
            <option key={name} value={name}>
              {forTerminal(name)}
            </option>
          ))}
        </select>
      )}
      <p id={`${id}-hint`} class="hint">
        {hint}
      </p>
    </div>
  );
}

function Counting() {
  const share = progress.value;
  return (
    <div class="row progress-row">
      <progress aria-label="Counting people" max={1} value={share} />
      <span class="soft small number">{share === undefined ? "Starting…" : percent(share)}</span>
      <button type="button" onClick={() => void cancelCounting()}>
        Cancel
      </button>
    </div>
  );
}

const SHOWN_ITEMS = 8;

function PrivateCounts({ counts }: { readonly counts: PrivateView }) {
  const summary = useRef<HTMLDListElement>(null);
  useLayoutEffect(() => {
    announce(`Counted ${counted(counts.users, "person", "people")}.`);
    leadFocus(summary.current);
  }, [counts]);
  return (
    <div class="stack private-counts">
      <dl ref={summary} tabIndex={-1} class="figures">
        <Figure name="people" value={counts.users} />
        <Figure name="items" value={counts.items} />
        <Figure name="rows" value={counts.rows} />
        <Figure name="lines skipped" value={counts.skipped} />
      </dl>
      {counts.skipped > 0 && (
        <p class="hint">A line that cannot be read counts for nobody. How many there are is private too.</p>
      )}
      <details open>
        <summary>True counts: do not copy</summary>
        <TrueCounts rows={counts.top.slice(0, SHOWN_ITEMS)} />
      </details>
    </div>
  );
}

function Figure({ name, value }: { readonly name: string; readonly value: number }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{whole(value)}</dd>
    </div>
  );
}

function TrueCounts({ rows }: { readonly rows: PrivateView["top"] }) {
  const most = Math.max(1, ...rows.map(({ users }) => users));
  return (
    <table>
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
