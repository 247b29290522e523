/**
 * Where a file is dropped or chosen, or the example begins.
 * @module
 */
import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { Icon } from "../parts/icon.js";
import { openFile, phase } from "../state/data-state.js";

const ACCEPTED = ".csv,.tsv,.txt,.ndjson,.jsonl,.parquet,.gz";

export function FileDrop() {
  const over = useSignal(false);
  const input = useRef<HTMLInputElement>(null);
  const take = (files: FileList | null | undefined) => {
    const file = files?.[0];
    if (file) void openFile(file);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a second way; the button inside does the same
    <div
      class="drop"
      data-over={over}
      onDragOver={(event) => {
        event.preventDefault();
        over.value = true;
      }}
      onDragLeave={() => {
        over.value = false;
      }}
      onDrop={(event) => {
        event.preventDefault();
        over.value = false;
        take(event.dataTransfer?.files);
      }}
    >
      <Icon name="file" size={34} />
      <p>
        <strong>Drop a file of rows here</strong>
        <br />
        <span class="soft">
          CSV, TSV, NDJSON or Parquet, also gzipped. One row says: this person, this item.
        </span>
      </p>
      <div class="row">
        <button
          type="button"
          class="primary"
          disabled={phase.value === "opening"}
          onClick={() => input.current?.click()}
        >
          Choose a file
        </button>
        <button type="button" disabled={phase.value === "opening"} onClick={() => void openFile("example")}>
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
          take(currentTarget.files);
          currentTarget.value = "";
        }}
      />
    </div>
  );
}
