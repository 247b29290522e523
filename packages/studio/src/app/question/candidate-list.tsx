/**
 * The public list of candidates: typed, pasted, loaded from a file, or that of the example.
 * @module
 */
import { useId, useRef } from "preact/hooks";
import { forTerminal } from "winnow-release";
import { counted } from "../parts/numbers.js";
import { ProblemNote } from "../parts/problem-note.js";
import { shape } from "../state/data-state.js";
import { candidates, candidatesProblem, giveList, listFile, listText } from "../state/question-state.js";

export function CandidateList() {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const example = shape.value?.candidates;
  return (
    <div class="stack">
      <div class="field">
        <label for={id}>Candidates, one per line</label>
        <textarea
          id={id}
          rows={5}
          spellcheck={false}
          aria-describedby={`${id}-hint`}
          value={listText.value}
          onInput={({ currentTarget }) => giveList(currentTarget.value)}
        />
        <p id={`${id}-hint`} class="hint">
          Never make this list from the rows: a name would then be there because somebody is.
        </p>
      </div>
      <div class="row">
        <button type="button" onClick={() => input.current?.click()}>
          Load a list
        </button>
        {example && (
          <button type="button" onClick={() => giveList(example.join("\n"))}>
            Use the example's list
          </button>
        )}
        <span class="soft small" role="status">
          {candidates.value && readOut(candidates.value.size, listFile.value)}
        </span>
      </div>
      <input
        ref={input}
        type="file"
        class="visually-hidden"
        aria-label="File of candidates"
        tabIndex={-1}
        accept=".txt,.csv"
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0];
          if (file) giveList(file);
          currentTarget.value = "";
        }}
      />
      <ProblemNote problem={candidatesProblem.value} />
    </div>
  );
}

function readOut(size: number, file: string): string {
  return `${counted(size, "candidate", "candidates")}${file === "" ? "" : ` from ${forTerminal(file)}`}`;
}
