/**
 * The form of a file: which column is the person and which the item, how the bytes are read, what one person is, and
 * under which name the budget is kept. The header suggests what it can. If the format has no header, the curator types the
 * column names, because the page must not look at rows for them.
 * @module
 */
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { forTerminal } from "winnow-release";
import type { Encoding, FileShape } from "../../worker/api.js";
import { ItemName, leadFocus } from "../parts/card.js";
import { TextField } from "../parts/fields.js";
import { bytes } from "../parts/in-words.js";
import { knownDatasets } from "../state/budget-state.js";
import {
  chooseColumn,
  columnsChosen,
  countPeople,
  dataset,
  forgetFile,
  isExample,
  itemColumn,
  phase,
  readAs,
  shape,
  suggestedUnit,
  unit,
  userColumn,
} from "../state/data-state.js";

export function FileForm() {
  const top = useRef<HTMLParagraphElement>(null);
  useLayoutEffect(() => leadFocus(top.current), []);
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
        <span class="soft small">{describeFile(file)}</span>
        <button type="button" class="quiet" onClick={forgetFile}>
          Choose another file
        </button>
      </p>
      <p class="hint">{guessInWords(file)}</p>
      <fieldset class="pair plain">
        <legend class="visually-hidden">Columns</legend>
        <ColumnField
          plays="user"
          label="Person column"
          hint="Whose row it is: an id, an account, a device."
        />
        <ColumnField
          plays="item"
          label="Item column"
          hint="What is ranked (pages, products, areas), or a column of numbers."
        />
        {file.encoding !== undefined && (
          <SelectField
            label="Encoding"
            value={file.encoding}
            options={ENCODINGS}
            hint={
              file.encoding === "utf-8"
                ? "How letters are written in the file."
                : "Recognised by the header line."
            }
            onChange={(encoding) => void readAs({ encoding })}
          />
        )}
        {file.hasHeader !== undefined && (
          <SelectField
            label="First line"
            value={file.hasHeader ? "header" : "row"}
            options={FIRST_LINES}
            hint="Without names in the first line, columns are numbers."
            onChange={(first) => void readAs({ hasHeader: first === "header" })}
          />
        )}
        {file.hasHeader === false && (
          <SelectField
            label="Delimiter"
            value={file.dialect.delimiter as Delimiter}
            options={DELIMITERS}
            hint="What separates the fields of a line."
            onChange={(delimiter) => void readAs({ delimiter })}
          />
        )}
      </fieldset>
      <div class="pair">
        <TextField
          label="What is one person?"
          value={unit}
          placeholder={suggestedUnit.value}
          hint="The unit of privacy, printed in every release. Someone with two accounts counts as two."
        />
        {!isExample.value && (
          <TextField
            label="Name of the data set"
            value={dataset}
            suggestions={knownDatasets.value}
            hint="The budget is kept under this name. The same people have the same name, whatever the file."
          />
        )}
      </div>
      <div class="row">
        <button type="submit" class="primary" disabled={!columnsChosen.value}>
          {phase.value === "counted" ? "Count again" : "Count people"}
        </button>
        <span class="soft small">
          {columnsChosen.value
            ? "Each person counts once per item, however many rows there are."
            : "Choose two different columns first."}
        </span>
      </div>
    </form>
  );
}

function describeFile({ format, bytes: size }: FileShape): string {
  return format === "generated" ? "made on this machine" : `${format.toUpperCase()}, ${bytes(size)}`;
}

function guessInWords({ columns, format, guess }: FileShape): string {
  if (columns.length !== 1) return guess.why;
  const other = format === "csv" ? " Or is the delimiter another than , ; | and tab?" : "";
  return `The file has one column, and a row needs two: a person and an item.${other}`;
}

const ENCODINGS: Readonly<Record<Encoding, string>> = {
  "utf-8": "UTF-8",
  "windows-1252": "Windows-1252 (Latin-1)",
  "utf-16le": "UTF-16",
  "utf-16be": "UTF-16, big-endian",
};

const FIRST_LINES = { header: "Names of the columns", row: "A row (no header)" } as const;

type Delimiter = keyof typeof DELIMITERS;

const DELIMITERS = { ",": "Comma", ";": "Semicolon", "\t": "Tab", "|": "Bar |" } as const;

interface SelectFieldProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly options: Readonly<Record<Value, string>>;
  readonly hint: string;
  readonly onChange: (value: Value) => void;
}

function SelectField<Value extends string>({
  label,
  value,
  options,
  hint,
  onChange,
}: SelectFieldProps<Value>) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select
        id={id}
        value={value}
        aria-describedby={`${id}-hint`}
        onChange={({ currentTarget }) => onChange(currentTarget.value as Value)}
      >
        {Object.entries<string>(options).map(([name, title]) => (
          <option key={name} value={name}>
            {title}
          </option>
        ))}
      </select>
      <p id={`${id}-hint`} class="hint">
        {hint}
      </p>
    </div>
  );
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
