/**
 * Step two, the question: how many winners, among which candidates (an unknown domain or a public list, which may be
 * typed, pasted, loaded from a file, or that of the example), at which ε and δ, and behind one click what most people
 * never change. The question is public and can be asked before there is any data.
 * @module
 */

import { useId, useRef } from "preact/hooks";
import { forTerminal } from "winnow-release";
import type { Mechanism } from "../../worker/api.js";
import { Card, ProblemNote } from "../parts/card.js";
import { Choice, EpsilonSlider, TextField } from "../parts/fields.js";
import { about, counted, deltaInWords, epsilonInWords } from "../parts/in-words.js";
import { shape } from "../state/data-state.js";
import { MECHANISMS } from "../state/mechanisms.js";
import { costProblem } from "../state/price-state.js";
import { isAboutTheQuestion } from "../state/problem.js";
import {
  applicable,
  candidates,
  candidatesProblem,
  chosenMechanism,
  delta,
  domain,
  epsilon,
  giveList,
  givesGaps,
  kind,
  listFile,
  listText,
  mechanism,
  missing,
  mostWinners,
  named,
  needsDelta,
  neighbours,
  resolution,
  winners,
} from "../state/question-state.js";

export function QuestionCard() {
  return (
    <Card title="Your question" ordinal={2}>
      <WinnersField />
      <DomainField />
      <PrivacyFields />
      <AdvancedFields />
      <p class="note" role="status">
        {missing.value}
      </p>
      <ProblemNote problem={isAboutTheQuestion(costProblem.value) ? costProblem.value : undefined} />
    </Card>
  );
}

function WinnersField() {
  return (
    <div class="stack">
      <Choice
        legend="How many winners?"
        chosen={kind}
        options={[
          { value: "top", label: "A fixed number", hint: "For a top ten you ask for ten." },
          {
            value: "adaptive",
            label: "Let the data decide",
            hint: "Stops where a wide gap follows, so the list ends where it is clear.",
          },
        ]}
      />
      {kind.value === "top" ? (
        <TextField label="Number of winners" value={winners} numeric />
      ) : (
        <TextField label="At most" value={mostWinners} numeric />
      )}
    </div>
  );
}

function DomainField() {
  return (
    <div class="stack">
      <Choice
        legend="Which candidates could there be?"
        chosen={domain}
        options={[
          {
            value: "unknown",
            label: "Unknown",
            hint: "Names come from the rows themselves. A name that only few people have stays hidden; that costs a small δ.",
          },
          {
            value: "listed",
            label: "A public list",
            hint: "Everybody may know the list: a catalogue, a map. Best answers, and how far each winner leads the next comes free.",
          },
        ]}
      />
      {domain.value === "listed" && <CandidateList />}
    </div>
  );
}

function CandidateList() {
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

function PrivacyFields() {
  return (
    <fieldset class="stack plain">
      <legend>How private?</legend>
      <div class="epsilon">
        <TextField label="Epsilon (ε)" value={epsilon} numeric />
        <EpsilonSlider label="Epsilon" chosen={epsilon} />
      </div>
      <p class="words">
        {epsilonInWords(about(epsilon.value), "the release")} <a href="#why">See what that means</a>
      </p>
      {needsDelta.value && (
        <>
          <TextField label="Delta (δ)" value={delta} numeric />
          <p class="words">{deltaInWords(about(delta.value))}</p>
        </>
      )}
    </fieldset>
  );
}

function AdvancedFields() {
  return (
    <details class="advanced">
      <summary>Advanced</summary>
      <div class="stack">
        <MechanismField />
        {givesGaps.value && (
          <TextField
            label="Resolution of the leads"
            value={resolution}
            numeric
            hint="Leads are given in multiples of this many people. Finer is not less private."
          />
        )}
        <Choice
          legend="Which data sets count as neighbours?"
          chosen={neighbours}
          options={[
            {
              value: "add-remove",
              label: "One person more or less",
              hint: "All counts then move the same way (they are monotone), which halves the noise.",
            },
            {
              value: "replace",
              label: "One person replaced by another",
              hint: "Some counts may rise while others fall. For when the number of people is public.",
            },
          ]}
        />
      </div>
    </details>
  );
}

function MechanismField() {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>Mechanism</label>
      <select
        id={id}
        value={chosenMechanism.value}
        aria-describedby={`${id}-hint`}
        onChange={({ currentTarget }) => {
          mechanism.value = currentTarget.value as Mechanism | "automatic";
        }}
      >
        <option value="automatic">Automatic: {MECHANISMS[applicable.value[0]].title}</option>
        {applicable.value.map((name) => (
          <option key={name} value={name}>
            {MECHANISMS[name].title}
          </option>
        ))}
      </select>
      <p id={`${id}-hint`} class="hint">
        {MECHANISMS[named.value].gives}
      </p>
    </div>
  );
}
