/**
 * How often an attack was right: a bar, a line at what ε allows, and once all rounds are played the exact interval of what
 * was seen, and with it the verdict.
 * @module
 */
import type { Shares } from "../../worker/api.js";
import { percent } from "../parts/numbers.js";

interface SuccessBarProps {
  readonly name: string;
  readonly right: number;
  readonly rounds: number;
  /** The largest share that ε allows. */
  readonly bound: number;
  readonly interval: Shares | undefined;
  readonly running: boolean;
}

export function SuccessBar({ name, right, rounds, bound, interval, running }: SuccessBarProps) {
  const broken = interval !== undefined && interval[0] > bound;
  const at = (share: number) => `${100 * share}%`;
  return (
    <div class="success" data-broken={broken}>
      <p class="success-name">
        <strong>{name}</strong>
        <span>right {percent(right / rounds)} of the time</span>
      </p>
      <div class="success-picture" aria-hidden="true">
        <span class="bar" style={{ inlineSize: at(right / rounds) }} />
        {interval && (
          <span
            class="whisker"
            style={{ insetInlineStart: at(interval[0]), inlineSize: at(interval[1] - interval[0]) }}
          />
        )}
        <span class="limit" style={{ insetInlineStart: at(bound) }} />
      </div>
      <p class="hint">
        {interval ? verdict(interval, bound) : running ? "Playing…" : "Stopped: too early to tell."}
      </p>
    </div>
  );
}

function verdict(interval: Shares, bound: number): string {
  const seen = `With 95 % confidence between ${tenths(interval[0])} and ${tenths(interval[1])}`;
  return interval[0] > bound
    ? `${seen}, where ε allows ${tenths(bound)}: the promise is broken.`
    : `${seen}; ε allows ${tenths(bound)}.`;
}

function tenths(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}
