/**
 * How often an attack was right: a bar with its interval, a line at guessing and one at what ε allows.
 * @module
 */
import { percent } from "../parts/numbers.js";

interface SuccessBarProps {
  readonly name: string;
  readonly right: number;
  readonly runs: number;
  /** The largest share that ε allows. */
  readonly bound: number;
}

/** 95 % of a normal law lie within so many standard deviations. */
const Z = 1.96;

export function SuccessBar({ name, right, runs, bound }: SuccessBarProps) {
  const [low, high] = interval(right, runs);
  const broken = low > bound;
  const at = (share: number) => `${100 * share}%`;
  return (
    <div class="success" data-broken={broken}>
      <p class="success-name">
        <strong>{name}</strong>
        <span>
          right {percent(right / runs)} of the time{" "}
          <span class="soft">
            ({percent(low)} to {percent(high)})
          </span>
        </span>
      </p>
      <div class="success-picture" aria-hidden="true">
        <span class="bar" style={{ inlineSize: at(right / runs) }} />
        <span class="whisker" style={{ insetInlineStart: at(low), inlineSize: at(high - low) }} />
        <span class="limit" style={{ insetInlineStart: at(bound) }} />
      </div>
      <p class="hint">
        {broken
          ? `More than the ${percent(bound)} that its ε allows: the promise is broken.`
          : `Within the ${percent(bound)} that its ε allows.`}
      </p>
    </div>
  );
}

/** Wilson's interval for a share. */
function interval(right: number, runs: number): readonly [low: number, high: number] {
  const share = right / runs;
  const shrink = 1 + Z ** 2 / runs;
  const middle = (share + Z ** 2 / (2 * runs)) / shrink;
  const reach = (Z * Math.sqrt((share * (1 - share)) / runs + Z ** 2 / (4 * runs ** 2))) / shrink;
  return [Math.max(middle - reach, 0), Math.min(middle + reach, 1)];
}
