/**
 * A card (a section with a title, which is what screen readers call it) and what every card uses: refusals where they
 * belong, read out at once; names and values; the page's one live region, which tells people who don't see the page
 * what has happened; and where the focus goes when its element is gone, because a button may be disabled or removed
 * by its own action. The focus stays where it is if it is in another card meanwhile.
 *
 * Names of items, files, columns and data sets may have been written by a stranger. They are always text, never
 * markup, and without characters that could reorder or hide their surroundings.
 *
 * The confirmation before something that can't be undone is a native dialog, so the focus stays inside it and Escape
 * leaves it. The button that changes nothing comes first and has the focus, and a key that is held down presses neither:
 * leaning on Enter spends nothing.
 * @module
 */
import { type Signal, signal } from "@preact/signals";
import type { ComponentChildren, RefObject } from "preact";
import { useId } from "preact/hooks";
import { forTerminal, visible } from "winnow-release";
import type { Problem } from "../../worker/studio-refusal.js";

interface CardProps {
  readonly title: string;
  readonly ordinal?: number;
  /** The address of the card within the page. */
  readonly place?: string;
  readonly aside?: ComponentChildren;
  /** Nothing can be done here yet. */
  readonly waiting?: boolean;
  /** Title and content on one line, where there is room. */
  readonly compact?: boolean;
  readonly children: ComponentChildren;
}

export function Card({
  title,
  ordinal,
  place,
  aside,
  waiting = false,
  compact = false,
  children,
}: CardProps) {
  const id = useId();
  return (
    <section
      id={place}
      tabIndex={place === undefined ? undefined : -1}
      class="card"
      aria-labelledby={id}
      data-waiting={waiting}
      data-compact={compact}
    >
      <div class="card-title">
        {ordinal !== undefined && (
          <span class="ordinal" aria-hidden="true">
            {ordinal}
          </span>
        )}
        <h3 id={id}>{title}</h3>
        {aside !== undefined && <span class="aside">{aside}</span>}
      </div>
      {children}
    </section>
  );
}

export function ProblemNote({ problem }: { readonly problem: Problem | undefined }) {
  return (
    <div class="note" role="alert">
      {problem && (
        <div class="problem">
          <p>
            <strong>{visible(problem.sentence)}</strong>
          </p>
          <p>{problem.next}</p>
        </div>
      )}
    </div>
  );
}

export function Terms({ terms }: { readonly terms: readonly (readonly [name: string, value: string])[] }) {
  return (
    <dl class="terms">
      {terms.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{visible(value)}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Long enough to tell names apart, short enough that one of them cannot fill the page. */
const LONGEST_NAME = 120;

export function ItemName({ name }: { readonly name: string }) {
  return (
    <bdi class="item-name" dir="auto">
      {forTerminal(name, LONGEST_NAME)}
    </bdi>
  );
}

const message = signal("");

export function announce(text: string): void {
  message.value = text;
}

export function LiveRegion() {
  return (
    <div class="visually-hidden" role="status" aria-live="polite">
      {message}
    </div>
  );
}

export function leadFocus(target: HTMLElement | null): void {
  const card = document.activeElement?.closest(".card");
  if (card == null || card === target?.closest(".card")) target?.focus();
}

interface ConfirmProps {
  readonly dialog: RefObject<HTMLDialogElement | null>;
  readonly title: ComponentChildren;
  /** The label of the button that changes nothing, and of the one that acts. */
  readonly safe: string;
  readonly action: string;
  readonly busy?: boolean;
  readonly disabled?: boolean;
  readonly onConfirm: () => void;
  readonly children: ComponentChildren;
}

export function Confirm({
  dialog,
  title,
  safe,
  action,
  busy = false,
  disabled = false,
  onConfirm,
  children,
}: ConfirmProps) {
  const id = useId();
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onCancel={(event) => {
        if (busy) event.preventDefault();
      }}
      onKeyDown={ignoreRepeats}
    >
      <div class="stack">
        <h2 id={id}>{title}</h2>
        {children}
        <div class="row">
          <button type="button" autofocus disabled={busy} onClick={() => dialog.current?.close()}>
            {safe}
          </button>
          <button type="button" class="primary" disabled={busy || disabled} onClick={onConfirm}>
            {action}
          </button>
        </div>
      </div>
    </dialog>
  );
}

interface AgreementProps {
  /** Why someone must agree first. */
  readonly concern: string | undefined;
  /** The concern that was agreed to: another one needs another word. */
  readonly agreed: Signal<string>;
}

/** A box to tick in a dialog about something that protects hardly anyone; nothing without a concern. */
export function Agreement({ concern, agreed }: AgreementProps) {
  const id = useId();
  if (concern === undefined) return null;
  return (
    <div class="problem">
      <p id={`${id}-why`}>{visible(concern)}</p>
      <p>
        <input
          type="checkbox"
          id={id}
          checked={agreed.value === concern}
          aria-describedby={`${id}-why`}
          onChange={({ currentTarget }) => {
            agreed.value = currentTarget.checked ? concern : "";
          }}
        />{" "}
        <label for={id}>I agree to this.</label>
      </p>
    </div>
  );
}

/** For whatever leads to something that costs. */
export function ignoreRepeats(event: KeyboardEvent): void {
  if (event.repeat && (event.key === "Enter" || event.key === " ")) event.preventDefault();
}
