/**
 * A belief as a hundred dots: filled ones are certain to be believed, striped ones may be, empty ones cannot.
 * @module
 */
import { useId } from "preact/hooks";

interface HundredDotsProps {
  readonly low: number;
  readonly high: number;
  readonly before: number;
}

const DOTS = Array.from({ length: 100 }, (_, index) => index);

export function HundredDots({ low, high, before }: HundredDotsProps) {
  const stripes = useId();
  const kind = (index: number): Kind => (index < low ? "sure" : index < high ? "open" : "ruled out");
  return (
    <div class="dots-picture">
      <svg
        class="dots"
        viewBox="0 0 220 220"
        role="img"
        aria-label={`A hundred dots: ${low} filled, ${high - low} striped, ${100 - high} empty; the belief before was ${before}.`}
      >
        <defs>
          <pattern
            id={stripes}
            width="4"
            height="4"
            patternUnits="userSpaceOnUse"
            patternTransform="rotate(45)"
          >
            <rect width="4" height="4" fill="var(--accent-soft)" />
            <rect width="1.6" height="4" fill="var(--accent)" />
          </pattern>
        </defs>
        {DOTS.map((index) => (
          <Dot
            key={index}
            x={11 + 22 * (index % 10)}
            y={11 + 22 * Math.floor(index / 10)}
            kind={kind(index)}
            stripes={stripes}
            ringed={index === before - 1}
          />
        ))}
      </svg>
      <ul class="keys">
        {KEYS.map(({ kind: shown, words, ringed }) => (
          <li key={words}>
            <svg width="18" height="18" viewBox="0 0 22 22" aria-hidden="true">
              <Dot x={11} y={11} kind={shown} stripes={stripes} ringed={ringed} />
            </svg>
            {words}
          </li>
        ))}
      </ul>
    </div>
  );
}

type Kind = "sure" | "open" | "ruled out";

const KEYS: readonly { readonly kind: Kind; readonly words: string; readonly ringed: boolean }[] = [
  { kind: "ruled out", words: "belief before", ringed: true },
  { kind: "sure", words: "at least, after", ringed: false },
  { kind: "open", words: "at most, after", ringed: false },
];

interface DotProps {
  readonly x: number;
  readonly y: number;
  readonly kind: Kind;
  /** The id of the pattern. */
  readonly stripes: string;
  readonly ringed: boolean;
}

function Dot({ x, y, kind, stripes, ringed }: DotProps) {
  const fill = { sure: "var(--accent)", open: `url(#${stripes})`, "ruled out": "none" }[kind];
  const line = kind === "ruled out" ? "var(--line-strong)" : "var(--accent)";
  return (
    <circle
      cx={x}
      cy={y}
      r={ringed ? 9.2 : 7.5}
      fill={fill}
      stroke={ringed ? "var(--ink)" : line}
      stroke-width={ringed ? 2.4 : 1}
    />
  );
}
