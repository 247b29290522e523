/**
 * The question: how many winners, among which candidates (an unknown domain or a public list, which may be typed, pasted,
 * loaded from a file, or that of the example), what is published beside the names, or which numbers; and behind one click what
 * most people never change. The question is public and can be asked before there is any data. ε is chosen on the plan.
 * @module
 */

import { useId, useRef } from "preact/hooks";
import { forTerminal, KINDS, OPTIONS } from "winnow-release";
import type { Guessed, Mechanism } from "../../worker/api.js";
import { isAboutTheQuestion } from "../../worker/studio-refusal.js";
import { Card, ProblemNote } from "../parts/card.js";
import { Choice, FieldProblem, TextField } from "../parts/fields.js";
import { about, counted, deltaInWords } from "../parts/in-words.js";
import { costProblem } from "../state/budget-state.js";
import {
  chooseGroupColumn,
  chooseRows,
  groupColumns,
  itemColumn,
  shape,
  userColumn,
  view,
  whereText,
} from "../state/data-state.js";
import { guessed, guessedItems, guessedPeople, guessProblem, takeGuessed } from "../state/guess-state.js";
import { asksBest, asksNumbers, asksValues, isUsual, mustLimitItems, takes } from "../state/kinds.js";
import { canCount, canLead, isOnlyLimited, wordsOf } from "../state/mechanisms.js";
import {
  applicable,
  candidates,
  candidatesProblem,
  canGroup,
  chosenMechanism,
  delta,
  domain,
  fewerWinners,
  giveGroups,
  giveList,
  givesGaps,
  groups,
  groupText,
  kind,
  listFile,
  listText,
  mechanism,
  mostGroups,
  mostItems,
  mostWinners,
  named,
  neighbours,
  paysDelta,
  publishes,
  resolution,
  selectsGroups,
  spareDelta,
  spendsDelta,
  winners,
  wrong,
} from "../state/question-state.js";
import { AdvancedNumberFields, NumberFields } from "./number-question.js";

export function QuestionCard() {
  return (
    <Card title="Your question" ordinal={2}>
      <WinnersField />
      {asksNumbers(kind.value) && <NumberFields />}
      {isUsual("domain", kind.value) && <DomainField />}
      {(canCount(named.value) || canLead(named.value)) && <PublishesField />}
      {paysDelta.value && (
        <TextField
          label={OPTIONS.delta.label}
          value={delta}
          numeric
          problem={wrong.value.delta}
          hint={wrong.value.delta === undefined ? deltaInWords(about(delta.value)) : undefined}
        />
      )}
      {shape.value !== undefined && <RowsField />}
      {canGroup.value && shape.value !== undefined && <GroupsField />}
      <AdvancedFields />
      <ProblemNote problem={isAboutTheQuestion(costProblem.value) ? costProblem.value : undefined} />
    </Card>
  );
}

function WinnersField() {
  return (
    <div class="stack">
      <Choice
        legend="What do you ask for?"
        chosen={kind}
        options={KINDS.map(({ name, title }) => ({ value: name, label: title }))}
      />
      {takes("k", kind.value) && (
        <TextField label={OPTIONS.k.label} value={winners} numeric problem={wrong.value.k} />
      )}
      {takes("maxK", kind.value) && (
        <TextField
          label={OPTIONS.maxK.label}
          value={mostWinners}
          numeric
          problem={wrong.value.k}
          hint="The list ends where a wide lead follows."
        />
      )}
      {mustLimitItems(kind.value) && (
        <TextField
          label={OPTIONS.maxItemsPerUser.label}
          value={mostItems}
          numeric
          placeholder="10"
          problem={wrong.value.mostItems}
          hint="Every name that enough people have. Each person counts for at most this many items, chosen by a keyed hash."
        />
      )}
      {asksNumbers(kind.value) && !asksValues(kind.value) && (
        <p class="hint">How many items have how many people, as a falling list without names.</p>
      )}
      {fewerWinners.value !== undefined && (
        <p>
          <button
            type="button"
            class="small-button"
            onClick={({ currentTarget }) => {
              currentTarget.closest(".stack")?.querySelector<HTMLElement>("input[type=text]")?.focus();
              winners.value = fewerWinners.peek() ?? winners.peek();
            }}
          >
            Ask for {fewerWinners}
          </button>
        </p>
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
            label: "Unknown domain",
            hint: "Names come from the rows. A name that few people have stays hidden; that costs a small δ.",
          },
          {
            value: "listed",
            label: "Public list",
            hint: "A list everyone may know: a catalogue, a map. Every winner can be named.",
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
          rows={4}
          spellcheck={false}
          aria-describedby={`${id}-problem ${id}-hint`}
          aria-invalid={wrong.value.list === undefined ? undefined : "true"}
          value={listText.value}
          onInput={({ currentTarget }) => {
            giveList(currentTarget.value);
            currentTarget.value = listText.peek(); // a long list leaves the field at once
          }}
        />
        <FieldProblem id={`${id}-problem`} problem={wrong.value.list} />
        <p id={`${id}-hint`} class="hint">
          Never make this list from the rows: a name would be on it because someone is in the data.
        </p>
      </div>
      <div class="row">
        <button type="button" class="small-button" onClick={() => input.current?.click()}>
          Load a list
        </button>
        {example && (
          <button type="button" class="small-button" onClick={() => giveList(example.join("\n"))}>
            Use the example’s list
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
        accept=".txt,.csv,.tsv,.json"
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

function PublishesField() {
  const options = [
    ...(canCount(named.value) ? [{ value: "counts" as const, label: "Names and counts" }] : []),
    ...(canLead(named.value) || hasLeads() ? [{ value: "leads" as const, label: "Names and leads" }] : []),
    { value: "names" as const, label: "Names only" },
  ];
  return <Choice legend="What do you publish?" chosen={publishes} options={options} />;
}

/** Whether the mechanism would change for leads. */
function hasLeads(): boolean {
  return chosenMechanism.value === "automatic" && applicable.value.some(canLead);
}

/** Which rows count. */
function RowsField() {
  const { fitting } = view.value ?? {};
  return (
    <details class="advanced">
      <summary>Only some of the rows</summary>
      <TextField
        label="Condition on a row"
        value={whereText}
        placeholder="country = 'DE' and date(day) >= '2026-10-01'"
        problem={wrong.value.where}
        hint={
          fitting === undefined
            ? "Empty: all rows. Compare columns with constants, and join with and, or, not. The release says the condition."
            : `${counted(fitting, "row fits", "rows fit")} the condition. The release says it; how many fit is private.`
        }
        onLeave={() => void chooseRows()}
      />
    </details>
  );
}

/** One answer for each group, such as each country, in one release. */
function GroupsField() {
  const columns = (shape.value?.columns ?? []).filter(
    (name) => name !== itemColumn.value && name !== userColumn.value,
  );
  const isTyped = shape.value?.columns.length === 0;
  if (columns.length === 0 && !isTyped) return null;
  const [first] = groupColumns.value;
  const others = columns.filter((name) => name !== first);
  return (
    <details class="advanced">
      <summary>One answer for each group</summary>
      <div class="stack">
        <GroupColumn
          place={0}
          label="Column of groups"
          columns={isTyped ? undefined : columns}
          none="None: one answer about all rows"
          hint="A country, a month, a shop: all groups are one release, which costs what the groups of one person cost, however many groups there are."
        />
        {first !== undefined && (isTyped || others.length > 0) && (
          <GroupColumn
            place={1}
            label="Second column of groups"
            columns={isTyped ? undefined : others}
            none="None"
            hint="Month and country together are a group, such as October in France."
          />
        )}
        {first !== undefined && <GroupLimits />}
      </div>
    </details>
  );
}

interface GroupColumnProps {
  readonly place: 0 | 1;
  readonly label: string;
  /** To choose from; where there is no header, names or numbers are typed. */
  readonly columns: readonly string[] | undefined;
  readonly none: string;
  readonly hint: string;
}

function GroupColumn({ place, label, columns, none, hint }: GroupColumnProps) {
  const id = useId();
  const shared = { id, value: groupColumns.value[place] ?? "", "aria-describedby": `${id}-hint` };
  const choose = (name: string) => void chooseGroupColumn(place, name.trim());
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {columns === undefined ? (
        <input {...shared} type="text" onChange={({ currentTarget }) => choose(currentTarget.value)} />
      ) : (
        <select {...shared} onChange={({ currentTarget }) => choose(currentTarget.value)}>
          <option value="">{none}</option>
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

function GroupLimits() {
  const id = useId();
  const listed = groups.value;
  const isPair = groupColumns.value.length === 2;
  return (
    <>
      <div class="field">
        <label for={id}>Public list of groups, one per line</label>
        <textarea
          id={id}
          rows={3}
          spellcheck={false}
          aria-describedby={`${id}-problem ${id}-hint`}
          aria-invalid={wrong.value.groups === undefined || listed !== undefined ? undefined : "true"}
          value={groupText.value}
          onInput={({ currentTarget }) => giveGroups(currentTarget.value)}
        />
        <FieldProblem id={`${id}-problem`} problem={wrong.value.groups} />
        <p id={`${id}-hint`} class="hint" role="status">
          {selectsGroups.value
            ? "Empty: groups that enough people are in are selected first, for a quarter of ε and a small δ."
            : listed === undefined
              ? isPair
                ? "Two names on each line, with a comma between them: 2026-10,DE."
                : ""
              : `${counted(listed.size, "group", "groups")}; each of them is answered, also an empty one.`}
        </p>
      </div>
      <TextField
        label={OPTIONS.maxGroupsPerUser.label}
        value={mostGroups}
        numeric
        problem={wrong.value.mostGroups}
        hint="1 where everyone is in one group by nature. People in more count in this many of them, picked by a keyed hash, and each group gets a smaller part of ε."
      />
    </>
  );
}

function AdvancedFields() {
  return (
    <details class="advanced">
      <summary>Advanced</summary>
      <div class="stack">
        {asksNumbers(kind.value) ? <AdvancedNumberFields /> : <MechanismField />}
        {!asksNumbers(kind.value) && groupColumns.value.length === 0 && <GuessFields />}
        {givesGaps.value && (
          <TextField
            label={OPTIONS.resolution.label}
            value={resolution}
            numeric
            problem={wrong.value.resolution}
            hint="Leads are given in multiples of this many people. Finer is not less private."
          />
        )}
        {asksBest(kind.value) && domain.value === "listed" && !selectsGroups.value && <SpareDeltaField />}
        {asksBest(kind.value) && domain.value === "unknown" && (
          <TextField
            label={OPTIONS.maxItemsPerUser.label}
            value={mostItems}
            numeric
            problem={wrong.value.mostItems}
            hint={limitHint()}
          />
        )}
        <Choice
          legend="Which data sets count as neighbours?"
          chosen={neighbours}
          options={[
            {
              value: "add-remove",
              label: "One person added or removed",
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

function limitHint(): string {
  const most = Number(mostItems.value);
  const isIdle =
    mostItems.value.trim() !== "" && !isOnlyLimited(named.value) && chosenMechanism.value === "automatic";
  return isIdle
    ? `Not used: a limit of ${most} is the usual choice from ${4 * most + 1} names on. Choose a mechanism above to use it.`
    : "Empty: all. With a limit, more names can come out. A keyed hash picks each person’s items.";
}

function SpareDeltaField() {
  const use = spendsDelta.value
    ? "Spent: the noise is smaller than without it, and covers no leads."
    : "Not spent: for so few winners, or with leads, the noise for ε alone is the better one.";
  return (
    <TextField
      label="Delta (δ), optional"
      value={spareDelta}
      numeric
      placeholder="none"
      problem={wrong.value.spareDelta}
      hint={
        spareDelta.value.trim() === ""
          ? "From about seven winners on, a small δ such as 1e-6 buys less noise."
          : use
      }
    />
  );
}

/** The chooser on public numbers. */
function GuessFields() {
  const choice = guessed.value;
  return (
    <fieldset class="plain stack-tight">
      <legend>Choose it on a guess</legend>
      <div class="ends">
        <TextField label="People, about" value={guessedPeople} numeric placeholder="4000" />
        <TextField label="Items of each, about" value={guessedItems} numeric placeholder="13" />
      </div>
      <p class="hint" role="status">
        {guessProblem.value ??
          (choice === undefined
            ? "A choice on a public guess reveals nothing. What the chart and the buttons beside it say comes from your counts."
            : choiceOnGuess(choice))}
      </p>
      {choice !== undefined && !isTaken(choice) && (
        <p>
          <button type="button" class="small-button" onClick={() => takeGuessed(choice)}>
            Take it
          </button>
        </p>
      )}
    </fieldset>
  );
}

function choiceOnGuess({ mechanism: name, maxItemsPerUser: most, right, k, origin }: Guessed): string {
  const limit = most === undefined ? "" : ` with at most ${counted(most, "item", "items")} per person`;
  return `On ${origin}, ${wordsOf(name).title}${limit} names most: about ${Math.round(right)} of ${k} right.`;
}

function isTaken({ mechanism: name, maxItemsPerUser: most }: Guessed): boolean {
  return named.value === name && (most === undefined || mostItems.value.trim() === String(most));
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
        <option value="automatic">Automatic: {wordsOf(applicable.value[0]).title}</option>
        {applicable.value.map((name) => (
          <option key={name} value={name}>
            {wordsOf(name).title}
          </option>
        ))}
      </select>
      <p id={`${id}-hint`} class="hint">
        {wordsOf(named.value).gives} {wordsOf(named.value).caveat}
      </p>
    </div>
  );
}
