/**
 * What was released: everything on this card may be shown to anyone.
 * @module
 */
import { useLayoutEffect, useRef } from "preact/hooks";
import type { Published } from "../../worker/api.js";
import { Terms } from "../parts/terms.js";
import { CodeToCopy } from "./code-to-copy.js";
import { Downloads } from "./downloads.js";
import { WinnersTable } from "./winners-table.js";

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
