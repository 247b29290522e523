/**
 * The frame of the page for analysts, and its cards: the key, a data set, the question with its price, the analyst's releases and the one that is
 * shown. It shows what the service tells anyone with this key, and no rows or sizes of data sets.
 * @module
 */
import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { kindOf, visible } from "winnow-release";
import { ReleasedCard } from "../app/cards/released-card.js";
import { CodeToCopy } from "../app/cards/take-away.js";
import { Card, Confirm, ignoreRepeats, LiveRegion, ProblemNote, Terms } from "../app/parts/card.js";
import { Choice, EpsilonSlider, TextField } from "../app/parts/fields.js";
import { Mark } from "../app/parts/icon.js";
import { about, epsilonInWords } from "../app/parts/in-words.js";
import { takes, takesK } from "../app/state/kinds.js";
import { published } from "../worker/published.js";
import {
  ask,
  askProblem,
  budget,
  choose,
  chosen,
  close,
  cost,
  counts,
  dataset,
  datasets,
  delta,
  epsilon,
  grown,
  isAsking,
  isOpening,
  isSet,
  k,
  keyProblem,
  kind,
  more,
  next,
  open,
  plan,
  proof,
  quantiles,
  refresh,
  releases,
  service,
  show,
  shown,
} from "./asking.js";
import type { DatasetView } from "./service.js";

export function AnalystPage() {
  return (
    <div class="page">
      <a class="skip visually-hidden" href="#main">
        Skip to the content
      </a>
      <header class="masthead">
        <span class="wordmark">
          <Mark />
          Winnow
        </span>
        <nav aria-label="Pages">
          <a href="../">Description of the service</a>
        </nav>
        <p class="promise">Your key stays in this tab’s memory.</p>
      </header>
      <main id="main" tabIndex={-1}>
        <div class="opening" data-small={service.value !== undefined}>
          <h1>Ask about the data. See the price first.</h1>
        </div>
        {service.value === undefined ? (
          <>
            <h2 class="visually-hidden">Begin</h2>
            <KeyCard />
          </>
        ) : (
          <Opened />
        )}
      </main>
      <footer class="footer">
        <span>Winnow: exact, checkable, differentially private selection.</span>
        <span>This page asks the service that it came from, and nothing else.</span>
      </footer>
      <LiveRegion />
    </div>
  );
}

function KeyCard() {
  const field = useRef<HTMLInputElement>(null);
  const send = (event: Event) => {
    event.preventDefault();
    const input = field.current;
    if (input === null || input.value.trim() === "") return;
    const key = input.value;
    input.value = ""; // not in the page any longer than it takes
    void open(key);
  };
  return (
    <Card title="Your key">
      <form onSubmit={send} class="stack">
        <div class="field">
          <label for="key">Key or token</label>
          <input
            ref={field}
            id="key"
            type="password"
            autoComplete="off"
            spellcheck={false}
            aria-describedby="key-hint"
          />
          <p id="key-hint" class="hint">
            The operator gave it to you; it begins with winnow_. The page stores it nowhere: reload, and it is
            forgotten.
          </p>
        </div>
        <ProblemNote problem={keyProblem.value} />
        <div class="row">
          <button type="submit" class="primary" disabled={isOpening.value}>
            Open
          </button>
        </div>
      </form>
    </Card>
  );
}

function Opened() {
  return (
    <div class="publish-columns">
      <div class="stack">
        <h2 class="visually-hidden">Ask</h2>
        <DatasetCard />
        <QuestionCard />
        {shown.value && <ReleasedCard key={shown.value.id} published={publishedOf(shown.value)} takesFocus />}
        {shown.value && <ProofCard />}
      </div>
      <div class="stack">
        <h2 class="visually-hidden">What you have</h2>
        <BudgetCard />
        <ReleasesCard />
      </div>
    </div>
  );
}

/** The rows aren't here, so the command that would read them isn't either. */
function publishedOf(release: NonNullable<typeof shown.value>) {
  const all = published(release);
  return { ...all, documents: { ...all.documents, command: "" } };
}

function DatasetCard() {
  return (
    <Card title="Data set" ordinal={1}>
      <div class="field">
        <label for="dataset">Name</label>
        <select
          id="dataset"
          value={chosen}
          onChange={({ currentTarget }) => {
            choose(currentTarget.value);
            void refresh();
          }}
        >
          {datasets.value.map(({ name }) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </div>
      {dataset.value && <Terms terms={termsOf(dataset.value)} />}
    </Card>
  );
}

function termsOf({
  unit,
  domain,
  groups,
  largest,
  maxItemsPerUser,
  counted,
}: DatasetView): [string, string][] {
  const { k: most, ...prices } = largest;
  return [
    ["unit of privacy", unit],
    ["candidates", candidatesOf(domain)],
    ...(maxItemsPerUser === undefined
      ? []
      : [["items of a person", `at most ${maxItemsPerUser}`] as [string, string]]),
    ...(groups === undefined
      ? []
      : [
          [
            "groups",
            `one answer for each of ${groups.list.size} by ${groups.by.map(visible).join(" and ")}; each person counts in at most ${groups.maxGroupsPerUser}`,
          ] as [string, string],
        ]),
    [
      "largest question",
      [`k = ${most}`, ...Object.entries(prices).map(([name, value]) => `${name} = ${value}`)].join(", "),
    ],
    ...(counted === undefined
      ? []
      : [["counted", counted.began.slice(0, 16).replace("T", " ")] as [string, string]]),
  ];
}

function candidatesOf({ kind: form, size, below, lower, upper }: DatasetView["domain"]): string {
  if (size !== undefined) return `a public list of ${size} names`;
  if (below !== undefined) return `the whole numbers below ${below}`;
  if (lower !== undefined) return `a public grid from ${lower} to ${upper}`;
  return `${form} domain`;
}

function QuestionCard() {
  const dialog = useRef<HTMLDialogElement>(null);
  const given = dataset.value;
  if (given === undefined || kind.value === "") return null;
  const options = given.kinds.map((name) => ({
    value: name,
    label: kindOf({ kind: name }).title,
    hint: kindOf({ kind: name }).summary,
  }));
  const isReady = cost.value?.fits === true && !isAsking.value;
  return (
    <Card title="Question" ordinal={2}>
      <Choice legend="What do you want to know?" chosen={kind} options={options} />
      {takesK(kind.value) && (
        <TextField label="How many" value={k} numeric hint={`At most ${given.largest.k}.`} />
      )}
      {takes("quantiles", kind.value) && (
        <TextField label="Quantiles" value={quantiles} hint="Shares from 0 to 1, such as 0.5, 0.9." />
      )}
      <TextField
        label="ε"
        value={epsilon}
        numeric
        hint={epsilonInWords(about(epsilon.value), "the release")}
      />
      <EpsilonSlider label="ε" chosen={epsilon} />
      {given.largest.delta !== undefined && takes("delta", kind.value) && (
        <TextField label="δ" value={delta} numeric hint={`At most ${given.largest.delta}; empty for none.`} />
      )}
      {takes("counts", kind.value) && <Tick label="With counts" value={counts} />}
      {takes("set", kind.value) && <Tick label="As a set, without an order" value={isSet} />}
      <ProblemNote problem={askProblem.value} />
      <section aria-label="Price">
        {cost.value ? (
          <p class="words">
            <strong>{cost.value.readable}</strong> {cost.value.refusal}
          </p>
        ) : (
          <p class="soft small">The price appears here before you ask.</p>
        )}
        {plan.value && (
          <details>
            <summary>What an answer would be worth</summary>
            <ul>
              {plan.value.notes.map((note) => (
                <li key={note}>{visible(note)}</li>
              ))}
            </ul>
          </details>
        )}
      </section>
      <div class="row">
        <button
          type="button"
          class="primary"
          disabled={!isReady}
          onKeyDown={ignoreRepeats}
          onClick={() => dialog.current?.showModal()}
        >
          Release…
        </button>
      </div>
      <Confirm
        dialog={dialog}
        title="Make this release?"
        safe="Not yet"
        action="Release"
        busy={isAsking.value}
        disabled={!isReady}
        onConfirm={() => void ask().then(() => dialog.current?.close())}
      >
        <p>{cost.value?.readable} A release can’t be taken back.</p>
      </Confirm>
    </Card>
  );
}

function Tick({ label, value }: { readonly label: string; readonly value: typeof counts }) {
  return (
    <p class="row">
      <label>
        <input
          type="checkbox"
          checked={value.value}
          onChange={({ currentTarget }) => {
            value.value = currentTarget.checked;
          }}
        />{" "}
        {label}
      </label>
    </p>
  );
}

function ProofCard() {
  return (
    <Card title="Proof">
      {proof.value === undefined ? (
        <p class="soft small">Asking for the proof.</p>
      ) : (
        <>
          <p class="words" role="status">
            <strong>{proof.value.holds ? "Checked in this page. " : "The proof doesn’t hold. "}</strong>
            {visible(proof.value.says)}
          </p>
          <CodeToCopy title="For winnow verify --proof" name="proof" text={proof.value.text} />
        </>
      )}
    </Card>
  );
}

function BudgetCard() {
  return (
    <Card title="What is left" ordinal={3}>
      {budget.value ? (
        <p class="words">{budget.value.readable}</p>
      ) : (
        <p class="soft small">Nothing that you may spend.</p>
      )}
      <div class="row">
        <button type="button" class="small-button" onClick={() => void refresh()}>
          Look again
        </button>
        <button type="button" class="small-button" onClick={close}>
          Forget the key
        </button>
      </div>
    </Card>
  );
}

function ReleasesCard() {
  const isLooking = useSignal(false);
  const look = async () => {
    isLooking.value = true;
    await more().finally(() => {
      isLooking.value = false;
    });
  };
  return (
    <Card title="Your releases">
      {releases.value.length === 0 && <p class="soft small">None yet.</p>}
      <ol class="log">
        {releases.value.map((release) => (
          <li key={release.id}>
            <strong>{release.loss.readable}</strong>
            <span>
              {visible(release.dataset)}: {kindOf(release.question).question(release.question)}
            </span>
            <span class="soft small">
              <time dateTime={release.time}>{release.time.slice(0, 16).replace("T", " ")}</time>, entry{" "}
              {release.ledger.sequence}
            </span>
            <button type="button" class="quiet" onClick={() => void show(release)}>
              Show<span class="visually-hidden"> entry {release.ledger.sequence}</span>
            </button>
          </li>
        ))}
      </ol>
      {next.value !== undefined && (
        <button type="button" class="small-button" disabled={isLooking.value} onClick={() => void look()}>
          Older ones
        </button>
      )}
      {grown.value !== "" && <p class="soft small">{grown}</p>}
    </Card>
  );
}
