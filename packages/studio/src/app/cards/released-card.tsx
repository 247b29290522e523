/**
 * The release: everything on this card may be shown to anyone. The picture comes first, the same one that you download
 * as SVG or PNG, then the numbers as a table. If the list is shorter than was asked for, the card says why.
 * @module
 */

import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { type Release, visible } from "winnow-release";
import type { Published, ReleasedNumber } from "../../worker/api.js";
import { ItemName, Terms } from "../parts/card.js";
import { about, short, whole } from "../parts/in-words.js";
import { PublishedPicture } from "./published-picture.js";
import { CodeToCopy } from "./take-away.js";

const PUBLISHED_TITLE = "published-title";
const SHORT_TABLE = 60;

interface ReleasedCardProps {
  readonly published: Published;
  /** Just made, and not the one from before a reload. */
  readonly takesFocus: boolean;
}

export function ReleasedCard({ published, takesFocus }: ReleasedCardProps) {
  const {
    released,
    rows,
    groups = [],
    frequencies,
    documents,
    parameters,
    loss,
    charge,
    headline,
    end,
    dataset,
    time,
  } = published;
  const title = useRef<HTMLHeadingElement>(null);
  const isOpen = useSignal(false); // a long table is drawn when someone looks
  const lines = groups.reduce(
    (sum, group) => sum + group.rows.length + (group.frequencies?.length ?? 0),
    rows.length,
  );
  const isShort = lines <= SHORT_TABLE; // and a short one is there when someone prints
  // People who asked for it continue here, with the keyboard or a screen reader.
  useLayoutEffect(() => {
    if (!takesFocus) return;
    if (title.current) bringToRead(title.current);
    title.current?.focus({ preventScroll: true });
  }, [published]);
  return (
    <section class="card answer" aria-labelledby={PUBLISHED_TITLE}>
      <div class="card-title">
        <h3 ref={title} id={PUBLISHED_TITLE} tabIndex={-1}>
          {released ? "The answer" : headline}
        </h3>
        <span class="aside">
          {visible(dataset)}, <time dateTime={time}>{time.slice(0, 10)}</time>
        </span>
      </div>
      <PublishedPicture published={published} />
      {end !== "" && <p class="words">{endExplained(published)}</p>}
      {!released && <NothingReleased />}
      {published.notes.map((note) => (
        <p key={note} class="words">
          {visible(note)}
        </p>
      ))}
      {charge && (
        <p class="words">
          {charge.settled === charge.reserved ? "Charged " : `Reserved ${charge.reserved}, charged `}
          <strong>{charge.settled}</strong>
          {charge.settled === charge.reserved ? "." : ": you pay for the names you got."}
        </p>
      )}
      <Promise_ published={published} />
      {(lines > 0 || frequencies !== undefined) && (
        <details
          onToggle={({ currentTarget }) => {
            isOpen.value = currentTarget.open;
          }}
        >
          <summary>The numbers</summary>
          {(isOpen.value || isShort) && <AnswerTable published={published} />}
        </details>
      )}
      <figure class="caption">
        <figcaption class="soft small">Caption</figcaption>
        <blockquote>{documents.caption}</blockquote>
      </figure>
      <CodeToCopy title="For the privacy officer" name="statement" text={documents.statement} />
      <details>
        <summary>Exact parameters and loss</summary>
        <Terms terms={[...parameters, ["loss", loss]]} />
      </details>
      {documents.command !== "" && (
        <CodeToCopy title="As a winnow command" name="command" text={documents.command} />
      )}
      {documents.typescript !== "" && (
        <CodeToCopy title="As TypeScript" name="TypeScript" text={documents.typescript} />
      )}
    </section>
  );
}

/** An element in the upper half of the window can be read already; others are scrolled to the top. */
function bringToRead(element: HTMLElement): void {
  const { top } = element.getBoundingClientRect();
  if (top < 0 || top > innerHeight / 2) element.scrollIntoView({ block: "start" });
}

/** ε as it was typed and as it is charged, and what the account had set aside. */
function Promise_({ published: { release, loss } }: { readonly published: Published }) {
  const { question } = release as Release;
  const charged = /^ε = ([^,]+)/.exec(loss)?.[1];
  if (question.epsilon === undefined || charged === undefined || about(charged) === about(question.epsilon))
    return null;
  return (
    <p class="words">
      You typed ε = {question.epsilon}. The noise is chosen to fit within it, and the loss of that noise is
      what is charged: <strong>{loss}</strong>.
    </p>
  );
}

function endExplained({ end }: Published): string {
  const isLimited = end.includes("could not be published");
  return isLimited
    ? `${end}. Too few people have it, or the noise hid it. A larger ε or a public list names more.`
    : `${end}.`;
}

function NothingReleased() {
  return (
    <p class="words">
      No name could be published without risk to someone. That is an answer too. A larger ε, or a public list
      of candidates, may help.
    </p>
  );
}

/** A table of more would be slow; the CSV has them all. */
const MOST_ROWS = 500;

function AnswerTable({ published }: { readonly published: Published }) {
  const { frequencies, rows, groups, counted } = published;
  if (groups !== undefined) return <GroupTables published={published} groups={groups} />;
  if (frequencies !== undefined) return <FrequencyTable frequencies={frequencies} counted={counted} />;
  const isQuantile = rows.some(({ quantile }) => quantile !== undefined);
  return isQuantile ? (
    <QuantileTable rows={rows} counted={counted} />
  ) : (
    <>
      <WinnersTable {...published} title="Released winners" />
      <WinnersHint {...published} />
    </>
  );
}

/** More tables would be slow; the CSV has them all. */
const MOST_TABLES = 100;

function GroupTables({
  published,
  groups,
}: {
  readonly published: Published;
  readonly groups: NonNullable<Published["groups"]>;
}) {
  const isCut = groups.some(({ rows }) => rows.length > MOST_ROWS);
  return (
    <div class="stack">
      {groups.length > MOST_TABLES && (
        <p class="hint">
          The first {MOST_TABLES} of {whole(groups.length)} groups; the CSV has them all.
        </p>
      )}
      {groups.slice(0, MOST_TABLES).map((group) => (
        <section key={group.label} class="stack-tight">
          <h4>
            <ItemName name={group.label} />
          </h4>
          <GroupTable group={group} counted={published.counted} />
        </section>
      ))}
      {groups.every(isOfNames) && (
        <WinnersHint
          rows={groups.flatMap(({ rows }) => rows)}
          ordered={groups.every(({ ordered }) => ordered)}
          counted={published.counted}
          first={isCut ? `The first ${MOST_ROWS} of a group; the CSV has them all. ` : ""}
        />
      )}
    </div>
  );
}

type Group = NonNullable<Published["groups"]>[number];

function isOfNames({ rows, frequencies }: Group): boolean {
  return frequencies === undefined && rows.every(({ quantile }) => quantile === undefined);
}

function GroupTable({ group, counted }: { readonly group: Group } & Pick<Published, "counted">) {
  const { label, rows, ordered, frequencies } = group;
  if (frequencies !== undefined)
    return <FrequencyTable frequencies={frequencies} counted={counted} of={label} />;
  if (rows.length === 0) return <p class="soft small">No name could be published.</p>;
  return isOfNames(group) ? (
    <WinnersTable rows={rows} ordered={ordered} counted={counted} title={`Released winners of ${label}`} />
  ) : (
    <QuantileTable rows={rows} counted={counted} of={label} />
  );
}

/** "Released quantiles of DE". */
function captionOf(what: string, group: string | undefined): string {
  return group === undefined ? what : `${what} of ${group}`;
}

/** "Users (≤ 2 items each)". */
function title(words: string): string {
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

function QuantileTable({
  rows: all,
  counted,
  of,
}: Pick<Published, "rows" | "counted"> & { readonly of?: string }) {
  const rows = all.slice(0, MOST_ROWS);
  return (
    <>
      <table class="winners">
        <caption class="visually-hidden">{captionOf("Released quantiles", of)}</caption>
        <thead>
          <tr>
            <th scope="col">Quantile</th>
            <th scope="col" class="number">
              Value ({counted.column})
            </th>
            <th scope="col" class="number">
              Rank within
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ rank, item, quantile }) => (
            <tr key={rank}>
              <th scope="row">{quantile?.name}</th>
              <td class="number">{item}</td>
              <td class="number">± {quantile?.within}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="hint">
        {firstOf(all.length)}Quantiles of {counted.limit}. 95 times out of 100 all ranks are this near to the
        exact ones. How many values there are is private.
      </p>
    </>
  );
}

function FrequencyTable({
  frequencies: all,
  counted,
  of,
}: Required<Pick<Published, "frequencies">> & Pick<Published, "counted"> & { readonly of?: string }) {
  return (
    <>
      <table class="winners">
        <caption class="visually-hidden">{captionOf("Released frequencies", of)}</caption>
        <thead>
          <tr>
            <th scope="col" class="number">
              {title(counted.column)}
            </th>
            <th scope="col" class="number">
              Items with that many people
            </th>
          </tr>
        </thead>
        <tbody>
          {all.slice(0, MOST_ROWS).map(({ users, items }) => (
            <tr key={users}>
              <th scope="row" class="number">
                {whole(users)}
              </th>
              <td class="number">{whole(items)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="hint">
        {firstOf(all.length)}Noise included, most of it at the end of the list.
        <Limit counted={counted} />
      </p>
    </>
  );
}

function Limit({ counted: { limit } }: Pick<Published, "counted">) {
  return limit === undefined ? null : <> {title(limit)}.</>;
}

function firstOf(rows: number): string {
  return rows > MOST_ROWS ? `The first ${MOST_ROWS} of ${whole(rows)}; the CSV has them all. ` : "";
}

interface WinnersTableProps extends Pick<Published, "rows" | "ordered" | "counted"> {
  /** For those who don't see the table. */
  readonly title: string;
}

function WinnersTable({ rows: all, ordered, counted, title: caption }: WinnersTableProps) {
  const rows = all.slice(0, MOST_ROWS);
  const leads = rows.some(({ gap }) => gap !== undefined);
  const counts = rows.some(({ count }) => count !== undefined);
  return (
    <table class="winners">
      <caption class="visually-hidden">{visible(caption)}</caption>
      <thead>
        <tr>
          {ordered && (
            <th scope="col" class="number">
              Rank
            </th>
          )}
          <th scope="col">Winner</th>
          {counts && (
            <th scope="col" class="number">
              {title(counted.column)}
            </th>
          )}
          {leads && (
            <th scope="col" class="number">
              Lead over the next{counted.limit === undefined ? "" : `, ${counted.column}`}
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.rank}>
            {ordered && <td class="number rank">{row.rank}</td>}
            <th scope="row">
              <ItemName name={row.item} />
            </th>
            {counts && (
              <td class="number">
                <WithInterval number={row.count && { ...row.count, value: row.shown ?? row.count.value }} />
              </td>
            )}
            {leads && (
              <td class="number">
                <WithInterval number={row.gap} />
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** How to read such a table, or several of them. */
function WinnersHint({
  rows: all,
  ordered,
  counted,
  first = firstOf(all.length),
}: Omit<WinnersTableProps, "title"> & { readonly first?: string }) {
  const leads = all.some(({ gap }) => gap !== undefined);
  const counts = all.some(({ count }) => count !== undefined);
  const hasIntervals = all.some(({ count }) => count?.low !== undefined);
  return (
    <p class="hint">
      {first}
      {ordered ? "Best first." : "In the order of their names: who came first is not part of the release."}
      {hasIntervals &&
        " Counts are fitted to the order of the list, which is nearer to the truth on average; CSV and JSON have the released ones too. In brackets: where the true number is, 95 times out of 100."}
      {leads && " A lead’s range holds the true one nine times in ten."}
      {(counts || leads) && <Limit counted={counted} />}
    </p>
  );
}

function WithInterval({ number }: { readonly number: ReleasedNumber | undefined }) {
  if (number === undefined) return <>–</>;
  return (
    <>
      {people(number.value)}
      {number.low !== undefined && number.high !== undefined && (
        <span class="soft small">
          {" "}
          ({people(number.low)} to {people(number.high)})
        </span>
      )}
    </>
  );
}

/** Whole unless a finer resolution was asked for. */
function people(value: number): string {
  return Number.isInteger(value) ? whole(value) : short(value);
}
