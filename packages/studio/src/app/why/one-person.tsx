/**
 * What ε means for one person: how far an observer's belief about her can move, whatever is released. If the observer
 * believed p before, the odds change by a factor between e^−ε and e^ε, so the belief ends between the two ends drawn
 * here. A belief is a hundred dots: filled ones are certain to be believed, striped ones may be, empty ones can't be.
 * @module
 */
import { useComputed, useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import { EpsilonSlider } from "../parts/fields.js";
import { about } from "../parts/in-words.js";

export function OnePerson() {
  const id = useId();
  const epsilon = useSignal("1");
  const before = useSignal(50);
  const range = useComputed(() => beliefs(before.value / 100, about(epsilon.value) ?? 1));
  const [low, high] = [Math.floor(range.value[0] * 100), Math.ceil(range.value[1] * 100)]; // a bound, in whole dots
  return (
    <section class="story" aria-labelledby={`${id}-title`}>
      <div class="story-words">
        <h2 id={`${id}-title`}>What ε means for one person</h2>
        <p>
          Someone suspects that Ada is in your data. However clever they are, and whatever else they know,
          reading a release with this ε moves their belief no further than the striped dots. This is a
          formula: it multiplies the odds by at most e^ε, for every release there is.
        </p>
        <div class="field">
          <label for={id}>Their belief before: {before} in 100</label>
          <input
            id={id}
            type="range"
            min={1}
            max={99}
            value={before}
            onInput={({ currentTarget }) => {
              before.value = currentTarget.valueAsNumber;
            }}
          />
        </div>
        <div class="field">
          <span class="label">ε of the release: {epsilon}</span>
          <EpsilonSlider label="Epsilon of the release" chosen={epsilon} />
        </div>
        <p class="words" role="status">
          Before: {before} in 100. After: between {low} and {high} in 100.
        </p>
      </div>
      <HundredDots low={low} high={high} before={before.value} />
    </section>
  );
}

function beliefs(before: number, epsilon: number): readonly [low: number, high: number] {
  const odds = before / (1 - before);
  const after = (factor: number) => (odds * factor) / (1 + odds * factor);
  return [after(Math.exp(-epsilon)), after(Math.exp(epsilon))];
}

interface HundredDotsProps {
  readonly low: number;
  readonly high: number;
  readonly before: number;
}

const DOTS = Array.from({ length: 100 }, (_, index) => index);

function HundredDots({ low, high, before }: HundredDotsProps) {
  const stripes = useId();
  const kind = (index: number): DotKind => (index < low ? "sure" : index < high ? "open" : "ruled out");
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
        {DOT_KEYS.map(({ kind: shown, words, ringed }) => (
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

type DotKind = "sure" | "open" | "ruled out";

const DOT_KEYS: readonly { readonly kind: DotKind; readonly words: string; readonly ringed: boolean }[] = [
  { kind: "ruled out", words: "belief before", ringed: true },
  { kind: "sure", words: "at least, after", ringed: false },
  { kind: "open", words: "at most, after", ringed: false },
];

interface DotProps {
  readonly x: number;
  readonly y: number;
  readonly kind: DotKind;
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
