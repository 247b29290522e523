/**
 * How often an attack was right: a bar, a line at what ε allows, and once all rounds are played the exact interval of what
 * was seen, and the ε that it proves.
 * @module
 */
import type { Shares } from "../../worker/api.js";
import { atLeast, percent, short } from "../parts/numbers.js";

interface SuccessBarProps {
  readonly name: string;
  readonly right: number;
  readonly rounds: number;
  /** The largest share that ε allows. */
  readonly bound: number;
  readonly interval: Shares | undefined;
  readonly verdict: Verdict | undefined;
  readonly running: boolean;
}

/** The ε that is promised, and the one that the answers prove at least. */
export interface Verdict {
  readonly promised: number;
  readonly proven: number;
}

export function SuccessBar({ name, right, rounds, bound, interval, verdict, running }: SuccessBarProps) {
  const at = (share: number) => `${100 * share}%`;
  return (
    <div class="success" data-broken={verdict !== undefined && isBroken(verdict)}>
      <p class="success-name">
        <strong>{name}</strong>
        <span>
          right {percent(right / rounds)} of the time
          {interval && (
            <span class="soft">
              {" "}
              ({percent(interval[0], 1)} to {percent(interval[1], 1)})
            </span>
          )}
        </span>
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
      <p class="hint">{verdict ? inWords(verdict) : running ? "Playing…" : "Stopped: too early to tell."}</p>
    </div>
  );
}

function isBroken({ promised, proven }: Verdict): boolean {
  return proven > promised;
}

function inWords(verdict: Verdict): string {
  const { promised, proven } = verdict;
  return isBroken(verdict)
    ? `Promises ε = ${short(promised)}, but the answers prove ε ≥ ${atLeast(proven)}: broken.`
    : `Promises ε = ${short(promised)}, and nothing here says otherwise.`;
}
