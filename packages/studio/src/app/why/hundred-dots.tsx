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
  const fill = (index: number) =>
    index < low ? "var(--accent)" : index < high ? `url(#${stripes})` : "none";
  return (
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
        <circle
          key={index}
          cx={11 + 22 * (index % 10)}
          cy={11 + 22 * Math.floor(index / 10)}
          r={index === before - 1 ? 9.5 : 7.5}
          fill={fill(index)}
          stroke={index === before - 1 ? "var(--ink)" : index < high ? "var(--accent)" : "var(--line-strong)"}
          stroke-width={index === before - 1 ? 2.2 : 1}
        />
      ))}
    </svg>
  );
}
