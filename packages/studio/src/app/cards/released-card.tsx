/**
 * What was released: everything on this card may be shown to anyone. Winners come with their leads, as a number with
 * its uncertainty and a bar with a whisker for the eye. Files are made in the page and handed to the browser; nothing
 * is sent anywhere. Where the browser forbids copying, the text is selected instead.
 * @module
 */

import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { Published, ReleasedRow } from "../../worker/api.js";
import { ItemName, Terms } from "../parts/card.js";
import { Icon } from "../parts/icon.js";
import { short, whole } from "../parts/in-words.js";

const PUBLISHED_TITLE = "published-title";

export function ReleasedCard({ published }: { readonly published: Published }) {
  const { released, rows, documents, parameters, loss } = published;
  const title = useRef<HTMLHeadingElement>(null);
  // Whoever asked for it reads on here, with the keyboard or without seeing.
  useLayoutEffect(() => {
    if (title.current) bringToRead(title.current);
    title.current?.focus({ preventScroll: true });
  }, [published]);
  return (
    <section class="card" aria-labelledby={PUBLISHED_TITLE}>
      <div class="card-title">
        <h3 ref={title} id={PUBLISHED_TITLE} tabIndex={-1}>
          {released && rows.length > 0 ? "The answer" : "Nothing stood out"}
        </h3>
        <span class="aside">{loss}</span>
      </div>
      {released && rows.length > 0 ? <WinnersTable published={published} /> : <NothingReleased />}
      <figure class="caption">
        <figcaption class="soft small">The sentence to put under it</figcaption>
        <blockquote>{documents.caption}</blockquote>
      </figure>
      <Downloads published={published} />
      <details>
        <summary>Exact parameters and loss</summary>
        <Terms terms={[...parameters, ["loss", loss]]} />
      </details>
      <CodeToCopy title="For the privacy officer" name="statement" text={documents.statement} />
      <CodeToCopy title="As TypeScript" name="TypeScript" text={documents.typescript} />
      <CodeToCopy title="As a winnow command" name="command" text={documents.command} />
    </section>
  );
}

/** What begins in the upper half of the window can be read already; anything else is brought to its top. */
function bringToRead(element: HTMLElement): void {
  const { top } = element.getBoundingClientRect();
  if (top < 0 || top > innerHeight / 2) element.scrollIntoView({ block: "start" });
}

function NothingReleased() {
  return (
    <p>
      The winners were too close to the rest to name them without giving somebody away. That is an answer, and
      it was charged. A larger ε, or a public list of candidates, may help.
    </p>
  );
}

function WinnersTable({ published: { rows, ordered } }: { readonly published: Published }) {
  const leads = rows.some(({ gap }) => gap !== undefined);
  const most = Math.max(1, ...rows.map(({ gap }) => gap?.high ?? 0));
  return (
    <>
      <table class="winners">
        <caption class="visually-hidden">Released winners</caption>
        <thead>
          <tr>
            {ordered && (
              <th scope="col" class="number">
                Rank
              </th>
            )}
            <th scope="col">Winner</th>
            {leads && (
              <th scope="col" class="lead-cell">
                Leads the next by
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
              {leads && (
                <td class="lead-cell">
                  <Lead gap={row.gap} most={most} />
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
      <p class="hint">
        {ordered ? "Best first." : "In the order of their names: who came first is not part of the release."}
        {leads &&
          " A lead is how many more people have the winner than have the next; the thin line is the range that holds the true one nine times in ten."}
      </p>
    </>
  );
}

function Lead({ gap, most }: { readonly gap: ReleasedRow["gap"]; readonly most: number }) {
  if (gap === undefined) return <>–</>;
  const within = (value: number) => Math.min(Math.max(value, 0), most);
  const share = (value: number) => `${(100 * value) / most}%`;
  const [low, high] = [within(gap.low), within(gap.high)];
  return (
    <div class="lead">
      <span class="lead-number">
        {people(gap.value)}{" "}
        <span class="soft small">
          ({people(gap.low)} to {people(gap.high)})
        </span>
      </span>
      <span class="lead-picture" aria-hidden="true">
        <span class="bar" style={{ inlineSize: share(within(gap.value)) }} />
        <span class="whisker" style={{ insetInlineStart: share(low), inlineSize: share(high - low) }} />
      </span>
    </div>
  );
}

/** Leads are whole unless a finer resolution was asked for. */
function people(value: number): string {
  return Number.isInteger(value) ? whole(value) : short(value);
}

type Form = "CSV" | "JSON" | "SVG" | "PNG";
const FORMS: readonly Form[] = ["CSV", "JSON", "SVG", "PNG"];

function Downloads({ published }: { readonly published: Published }) {
  const failed = useSignal(false);
  const give = async (form: Form) => {
    try {
      save(await fileOf(form, published), `${fileName(published.id)}.${form.toLowerCase()}`);
      failed.value = false;
    } catch {
      failed.value = true;
    }
  };
  return (
    <div class="stack-tight">
      <div class="row downloads">
        {FORMS.map((form) => (
          <button key={form} type="button" class="small-button" onClick={() => void give(form)}>
            <Icon name="download" size={16} />
            <span class="visually-hidden">Download </span>
            {form}
          </button>
        ))}
      </div>
      <p class="hint" role="status">
        {failed.value && "This browser would not draw the picture. Download the SVG instead."}
      </p>
    </div>
  );
}

async function fileOf(form: Form, { documents }: Published): Promise<Blob> {
  switch (form) {
    case "CSV":
      return new Blob([documents.csv], { type: "text/csv;charset=utf-8" });
    case "JSON":
      return new Blob([documents.json], { type: "application/json" });
    case "SVG":
      return new Blob([documents.svg.light], { type: "image/svg+xml" });
    case "PNG":
      return toPng(documents.svg.light);
  }
}

function fileName(id: string): string {
  return `release-${id.slice(0, 8).replace(/[^\w-]/g, "")}`;
}

/** A link that is pressed once. The address is taken back after the browser has had time to follow it. */
function save(file: Blob, name: string): void {
  const address = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

const FINENESS = 2;

async function toPng(svg: string): Promise<Blob> {
  const address = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  try {
    const picture = new Image();
    picture.src = address;
    await picture.decode();
    const canvas = document.createElement("canvas");
    canvas.width = picture.naturalWidth * FINENESS;
    canvas.height = picture.naturalHeight * FINENESS;
    canvas.getContext("2d")?.drawImage(picture, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) => {
      canvas.toBlob(
        (blob) => (blob ? resolve(blob) : reject(new Error("the canvas gave no picture"))),
        "image/png",
      );
    });
  } finally {
    URL.revokeObjectURL(address);
  }
}

interface CodeToCopyProps {
  readonly title: string;
  /** Completes "Copy the …". */
  readonly name: string;
  readonly text: string;
}

function CodeToCopy({ title, name, text }: CodeToCopyProps) {
  const block = useRef<HTMLPreElement>(null);
  const said = useSignal("");
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      said.value = "Copied.";
    } catch {
      if (block.current) getSelection()?.selectAllChildren(block.current);
      said.value = "Selected: press Ctrl+C, or ⌘C on a Mac.";
    }
  };
  return (
    <details>
      <summary>{title}</summary>
      <div class="stack-tight">
        <pre ref={block} class="code">
          {text}
        </pre>
        <div class="row">
          <button type="button" class="small-button" onClick={() => void copy()}>
            <Icon name="copy" size={16} />
            Copy the {name}
          </button>
          <span class="soft small" role="status">
            {said}
          </span>
        </div>
      </div>
    </details>
  );
}
