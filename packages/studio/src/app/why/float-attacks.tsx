/**
 * Attacks on textbook code, played live in the worker against that code and against ours. The first one plays by itself,
 * unless the reader asked for less motion. A bar shows how often the attack was right, with lines at pure chance and at
 * the share that ε allows; once all rounds are played, it also shows the exact interval of that share and the ε that
 * it proves.
 * @module
 */
import { useSignal } from "@preact/signals";
import { useEffect, useId } from "preact/hooks";
import type { AttackScore, AttackShape, Shares } from "../../worker/api.js";
import { isCancelled, type Problem, problemOf } from "../../worker/studio-refusal.js";
import { ProblemNote, Terms } from "../parts/card.js";
import { about, atLeast, percent, short, whole } from "../parts/in-words.js";
import { studio } from "../state/connect-studio.js";

export function FloatAttacks() {
  const id = useId();
  const attacks = useSignal<readonly AttackShape[]>([]);
  const chosen = useSignal(0);
  const score = useSignal<AttackScore>();
  const running = useSignal(false);
  const problem = useSignal<Problem>();
  const attack = attacks.value[chosen.value];

  useEffect(() => () => void studio.cancel("attack"), []); // leaving the page stops the attack

  const play = async ({ id: name, rounds }: AttackShape) => {
    // Scores on the way may arrive after the end.
    let over = false;
    running.value = true;
    score.value = undefined;
    problem.value = undefined;
    try {
      const end = await studio.attack(name, rounds, (soFar) => {
        if (!over) score.value = soFar;
      });
      score.value = end;
    } catch (error) {
      if (!isCancelled(error)) problem.value = problemOf(error);
    }
    over = true;
    running.value = false;
  };

  useEffect(() => {
    studio.attacks().then(
      (known) => {
        attacks.value = known;
        if (known[0] !== undefined && !matchMedia("(prefers-reduced-motion: reduce)").matches)
          void play(known[0]);
      },
      (error: unknown) => {
        problem.value = problemOf(error);
      },
    );
  }, []); // once

  return (
    <section class="story" aria-labelledby={`${id}-title`}>
      <div class="story-words">
        <h2 id={`${id}-title`}>Small mistakes give people away</h2>
        <p>
          A theorem about noise says nothing about rounding, ties or clocks, and attackers use them. A coin
          decides whether a certain person is in the data. The attacker sees one answer and says which way the
          coin fell.
        </p>
        <div class="field">
          <label for={id}>Attack</label>
          <select
            id={id}
            value={chosen}
            disabled={running.value}
            onChange={({ currentTarget }) => {
              chosen.value = currentTarget.selectedIndex;
              score.value = undefined;
            }}
          >
            {attacks.value.map(({ id: name, title }, index) => (
              <option key={name} value={index}>
                {title}
              </option>
            ))}
          </select>
        </div>
        {attack && <Explanation attack={attack} />}
        <div class="row">
          <button
            type="button"
            class="primary"
            disabled={running.value || attack === undefined}
            onClick={() => attack && void play(attack)}
          >
            Run the attack
          </button>
          {running.value && (
            <button type="button" onClick={() => void studio.cancel("attack")}>
              Stop
            </button>
          )}
        </div>
        <ProblemNote problem={problem.value} />
      </div>
      {attack && <Outcome attack={attack} score={score.value} running={running.value} />}
    </section>
  );
}

function Explanation({ attack: { mistake, trick, defence } }: { readonly attack: AttackShape }) {
  return (
    <Terms
      terms={[
        ["The mistake", mistake],
        ["The trick", trick],
        ["Here instead", defence],
      ]}
    />
  );
}

interface OutcomeProps {
  readonly attack: AttackShape;
  readonly score: AttackScore | undefined;
  readonly running: boolean;
}

function Outcome({ attack, score, running }: OutcomeProps) {
  const { bound, epsilon, rounds } = attack;
  const played = score?.rounds ?? 0;
  return (
    <div class="stack" role="status" aria-busy={running}>
      {SIDES.map((side) => (
        <SuccessBar
          key={side}
          name={attack[side]}
          right={score?.[side] ?? 0}
          rounds={played}
          bound={bound}
          interval={score?.intervals?.[side]}
          verdict={score?.proven && { promised: about(epsilon) ?? 0, proven: score.proven[side] }}
          running={running}
        />
      ))}
      <Scale bound={bound} epsilon={epsilon} />
      <p class="hint number-line">
        {whole(played)} of {whole(rounds)} rounds each. The thin line is the exact 95 % interval of the true
        share. The proven ε is wrong in at most one run of a thousand.
      </p>
    </div>
  );
}

const SIDES = ["textbook", "ours"] as const;

/** What the two lines through the bars are. */
function Scale({ bound, epsilon }: { readonly bound: number; readonly epsilon: string }) {
  return (
    <div class="success-scale">
      <span style={{ insetInlineEnd: "50%" }}>chance: {percent(0.5)}</span>
      <span style={{ insetInlineStart: `${100 * bound}%` }} data-late={bound > 0.7}>
        most that ε = {epsilon} allows: {percent(bound)}
      </span>
    </div>
  );
}

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
interface Verdict {
  readonly promised: number;
  readonly proven: number;
}

function SuccessBar({ name, right, rounds, bound, interval, verdict, running }: SuccessBarProps) {
  const at = (share: number) => `${100 * share}%`;
  return (
    <div class="success" data-broken={verdict !== undefined && isBroken(verdict)}>
      <p class="success-name">
        <strong>{name}</strong>
        <span>
          right {rounds === 0 ? "–" : percent(right / rounds)} of the time
          {interval && (
            <span class="soft">
              {" "}
              ({percent(interval[0], 1)} to {percent(interval[1], 1)})
            </span>
          )}
        </span>
      </p>
      <div class="success-picture" aria-hidden="true">
        <span class="bar" style={{ inlineSize: at(rounds === 0 ? 0 : right / rounds) }} />
        {interval && (
          <span
            class="whisker"
            style={{ insetInlineStart: at(interval[0]), inlineSize: at(interval[1] - interval[0]) }}
          />
        )}
        <span class="limit chance" style={{ insetInlineStart: at(0.5) }} />
        <span class="limit" style={{ insetInlineStart: at(bound) }} />
      </div>
      <p class="hint">{verdict ? inWords(verdict) : waiting(rounds, running)}</p>
    </div>
  );
}

function waiting(rounds: number, running: boolean): string {
  if (running) return "Playing…";
  return rounds === 0 ? "Not played yet." : "Stopped: too early to tell.";
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
