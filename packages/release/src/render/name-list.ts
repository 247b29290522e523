/**
 * Names in columns, for answers without gaps: numbered where they are ranked, with dots where their order says nothing; and
 * the answer that nothing can be released.
 * @module
 */
import type { ReleaseAnswer } from "../document/release-document.js";
import type { GapRow } from "./gap-rows.js";
import { type Drawing, MARGIN, WIDTH } from "./svg-layout.js";
import { fitted, moreElement, textElement } from "./svg-text.js";

const ROW = 28;
const ROWS_IN_ONE_COLUMN = 6;
const COLUMNS = 3;
const MOST_NAMES = 90;
const NAME_LETTERS = [72, 34, 22];

export function nameList(all: readonly GapRow[], { ordered }: ReleaseAnswer): Drawing {
  if (all.length === 0) return nobody();
  const rows = all.slice(0, MOST_NAMES);
  const columns = Math.min(COLUMNS, Math.ceil(rows.length / ROWS_IN_ONE_COLUMN));
  const perColumn = Math.ceil(rows.length / columns);
  const width = (WIDTH - 2 * MARGIN) / columns;
  const content = rows.map(({ rank, item }, i) => {
    const x = MARGIN + Math.floor(i / perColumn) * width;
    const y = (i % perColumn) * ROW + 16;
    const mark = ordered
      ? textElement(String(rank), { x: x + 18, y: y + 5, look: "quiet end" })
      : `<circle class="bar" cx="${x + 10}" cy="${y}" r="4.5"/>`;
    return mark + textElement(fitted(item, NAME_LETTERS[columns - 1]), { x: x + 28, y: y + 5, look: "name" });
  });
  const height = perColumn * ROW + 4;
  const more = moreElement(all.length - rows.length, height + 14);
  return { content: content.join("") + more.content, height: height + more.height };
}

/** A ring with a bar, and the reason. */
function nobody(): Drawing {
  const [x, y] = [MARGIN + 22, 34];
  const sentence = "No set of items stood out so clearly that naming it would be safe for everybody.";
  return {
    content:
      `<circle class="whisker" cx="${x}" cy="${y}" r="15"/><path class="whisker" d="M${x - 8} ${y}h16"/>` +
      textElement(sentence, { x: x + 34, y: y + 5 }),
    height: 72,
  };
}
