/**
 * Where a file is dropped or chosen, or the example begins.
 * @module
 */
import { useLayoutEffect, useRef } from "preact/hooks";
import { Icon } from "../parts/icon.js";
import { leadFocus } from "../parts/lead-focus.js";
import { openFile } from "../state/data-state.js";
import { dragging } from "../state/drops.js";

const ACCEPTED = ".csv,.tsv,.txt,.ndjson,.jsonl,.parquet,.gz";

/** `takesFocus` where the button that led here is gone. */
export function FileDrop({ takesFocus }: { readonly takesFocus: boolean }) {
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
