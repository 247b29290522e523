/**
 * The ledger: every charge, newest first, and the ledger as a file. It holds only parameters and released answers, so it
 * may be shown. Each release can be read again at no cost. The command line reads a saved ledger, and a browser that lost
 * its own is restored from one.
 * @module
 */
import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { forTerminal, visible } from "winnow-release";
import type { LedgerEntry, LostLedger } from "../../worker/api.js";
import { Card, ItemName } from "../parts/card.js";
import { Icon } from "../parts/icon.js";
import { counted } from "../parts/in-words.js";
import {
  entries,
  forked,
  joinLedger,
  knownDatasets,
  lost,
  overview,
  restoreLedger,
} from "../state/budget-state.js";
import { studio } from "../state/connect-studio.js";
import { dataset, isExample } from "../state/data-state.js";
import { published, showAgain } from "../state/release-state.js";
import { saveFile } from "./take-away.js";

export function LedgerCard() {
  if (isExample.value)
    return (
      <Card title="Ledger">
        <p class="soft">The example’s ledger is for practice and ends with this page.</p>
        <Log entries={entries.value} />
      </Card>
    );
  return (
    <Card title="Ledger">
      <Log entries={entries.value} />
      <Overview />
      <LedgerFile />
    </Card>
  );
}

/** Every data set with a budget in this browser. */
function Overview() {
  if (overview.value.length === 0) return null;
  return (
    <details>
      <summary>All budgets in this browser</summary>
      <ul class="log">
        {overview.value.map(({ name, budget, spent, remaining, releases }) => (
          <li key={name}>
            <strong>
              <ItemName name={name} />
            </strong>
            <span>
              left: {remaining} of {budget}
            </span>
            <span class="soft small">
              spent: {spent} in {counted(releases, "release", "releases")}
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}

function Log({ entries }: { readonly entries: readonly LedgerEntry[] }) {
  if (dataset.value.trim() === "" && published.value !== undefined)
    return <p class="soft small">Open its file, or look at all budgets below, to see earlier releases.</p>;
  if (entries.length === 0) return <p class="soft small">No release about this data set yet.</p>;
  return (
    <details>
      <summary>Log of releases</summary>
      <ol class="log" reversed>
        {entries.toReversed().map(({ sequence, time, loss, question, head, id }) => (
          <li key={sequence}>
            <strong>{loss}</strong>
            <span>{question}</span>
            <span class="soft small">
              <time dateTime={time}>{time.slice(0, 16).replace("T", " ")}</time>, entry {sequence},{" "}
              <code title={head}>{head.slice(0, 12)}</code>
            </span>
            <button type="button" class="quiet" onClick={() => void showAgain(id)}>
              Show again<span class="visually-hidden"> entry {sequence}</span>
            </button>
          </li>
        ))}
      </ol>
    </details>
  );
}

/** Save and restore. */
function LedgerFile() {
  const said = useSignal("");
  const save = async () => {
    const text = await studio.ledger.save(dataset.peek().trim());
    saveFile(new Blob([text], { type: "application/jsonl" }), "winnow-ledger.jsonl");
    said.value = "Saved. The copy doesn't include later charges, so save again after the next release.";
  };
  return (
    <div class="stack-tight">
      <p class="soft small">
        The ledger is kept in this browser only. Save it to a file as a backup, and to check it with{" "}
        <code>winnow budget import</code> and <code>winnow budget verify</code>.
      </p>
      <div class="row">
        {knownDatasets.value.length > 0 && (
          <button type="button" class="small-button" onClick={() => void save()}>
            <Icon name="download" size={16} />
            Save the ledger
          </button>
        )}
        <RestoreButton
          onDone={(words) => {
            said.value = words;
          }}
        />
      </div>
      <p class="hint" role="status">
        {visible(said.value)}
      </p>
      {forked.value && (
        <p>
          <button
            type="button"
            class="small-button"
            onClick={() => {
              const file = forked.peek();
              if (file)
                void joinLedger(file).then((words) => {
                  said.value = words;
                });
            }}
          >
            Join them
          </button>
        </p>
      )}
    </div>
  );
}

function RestoreButton({ onDone }: { readonly onDone: (words: string) => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button type="button" class="small-button" onClick={() => input.current?.click()}>
        Restore from a file
      </button>
      <input
        ref={input}
        type="file"
        class="visually-hidden"
        aria-label="Ledger file"
        tabIndex={-1}
        accept=".jsonl,.json,.txt"
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0];
          if (file) void restoreLedger(file).then(onDone);
          currentTarget.value = "";
        }}
      />
    </>
  );
}

/** Lost ledgers, and their data sets; other data sets continue. */
export function LostNote() {
  if (lost.value.length === 0 || isExample.value) return null;
  return (
    <div class="problem" role="alert">
      {lost.value.map((book) => (
        <p key={book.why + book.entries}>
          <strong>{lostInWords(book)}</strong>
        </p>
      ))}
      <p>
        {lost.value.every(({ datasets }) => datasets !== undefined)
          ? "The page doesn't know what was spent on them. Other data sets continue. Restore the ledger from a file you saved, below."
          : "The page doesn't know which data sets were in it, so it releases nothing. Restore the ledger from a file you saved, below."}
      </p>
    </div>
  );
}

function lostInWords({ datasets, entries }: LostLedger): string {
  const whose = datasets === undefined ? "" : ` of ${datasets.map((name) => forTerminal(name)).join(", ")}`;
  const size = entries === 0 ? "" : ` (${counted(entries, "entry", "entries")})`;
  return `The ledger${whose}${size} is gone from this browser, or was changed.`;
}
