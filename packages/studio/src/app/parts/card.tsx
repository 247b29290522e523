/**
 * A step or a panel: a section with a title, which is what screen readers call it.
 * @module
 */
import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

interface CardProps {
  readonly title: string;
  readonly ordinal?: number;
  /** The address of the card within the page. */
  readonly place?: string;
  readonly aside?: ComponentChildren;
  /** Nothing can be done here yet. */
  readonly waiting?: boolean;
  readonly children: ComponentChildren;
}

export function Card({ title, ordinal, place, aside, waiting = false, children }: CardProps) {
  const id = useId();
  return (
    <section
      id={place}
      tabIndex={place === undefined ? undefined : -1}
      class="card"
      aria-labelledby={id}
      data-waiting={waiting}
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
