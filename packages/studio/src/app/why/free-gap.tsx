/**
 * The lead for free: the same ε, once spent on naming the winners with their leads, once split between naming and
 * measuring. The library runs both live on invented counts, and the page shows how far their leads are from the true ones:
 * with the leads that `topKWithGap` gives for free, and with half of ε for the names and half for measuring each named count
 * by discrete Laplace noise. One person may be in every count, so measuring k of them within ε/2 needs noise of scale 2k/ε.
 * @module
 */
import { useSignal, useSignalEffect } from "@preact/signals";
import { useId } from "preact/hooks";
import { type Entropy, type Rational, rational, systemEntropy, topK, topKWithGap } from "winnow-dp";
import { DiscreteLaplace } from "winnow-dp/sample";
import { EpsilonSlider } from "../parts/fields.js";
import { short, whole } from "../parts/in-words.js";

export function FreeGap() {
  const id = useId();
  const epsilon = useSignal("0.1");
  const again = useSignal(0);
  const errors = useSignal<GapErrors>();
  useSignalEffect(() => {
    void again.value;
    errors.value = gapErrors(epsilon.value);
  });
  return (
    <section class="story" aria-labelledby={id}>
      <div class="story-words">
        <h2 id={id}>The lead comes free</h2>
        <p>
          To name the top {WINNERS} of {AREAS.length} privately, noise decides close calls. How far one noisy
          winner is ahead of the next is then known already, and can be published at no extra cost. Measuring
          the leads in a second step would have to share the same ε, and everything gets noisier.
        </p>
        <div class="field">
          <span class="label">ε for all of it: {epsilon}</span>
          <EpsilonSlider label="Epsilon for all of it" chosen={epsilon} />
        </div>
        <div class="row">
          <button
            type="button"
            onClick={() => {
              again.value += 1;
            }}
          >
            Draw again
          </button>
        </div>
      </div>
      {errors.value && <Picture errors={errors.value} />}
    </section>
  );
}

function Picture({ errors: { draw, free, paid, runs } }: { readonly errors: GapErrors }) {
  const most = Math.max(...draw.map(({ released, truth }) => Math.max(released, truth)));
  return (
    <div class="stack">
      <dl class="bars">
        {draw.map((lead) => (
          <LeadBar key={lead.area} lead={lead} most={most} />
        ))}
      </dl>
      <p class="hint">One draw. The dashed line is the true lead, which only invented data can show.</p>
      <p class="words" role="status">
        Over {runs} draws, a lead that comes free is off by <strong>{short(free)}</strong> people on average;
        with half of ε to name and half to measure, by <strong>{short(paid)}</strong>.
      </p>
    </div>
  );
}

function LeadBar({ lead: { area, released, truth }, most }: { readonly lead: Lead; readonly most: number }) {
  return (
    <div class="lead-bar">
      <dt>{area}</dt>
      <dd>
        <span class="lead-picture" aria-hidden="true">
          <span class="bar" style={{ inlineSize: `${(100 * released) / most}%` }} />
          <span class="limit" style={{ insetInlineStart: `${(100 * truth) / most}%` }} />
        </span>
        <span>
          {whole(released)} <span class="soft small">(true {whole(truth)})</span>
        </span>
      </dd>
    </div>
  );
}

/** Invented visitors of twelve areas. */
export const AREAS = [
  ["search", 4210],
  ["news", 3140],
  ["maps", 2560],
  ["mail", 2150],
  ["sports", 1830],
  ["weather", 1540],
  ["games", 1320],
  ["jobs", 1110],
  ["travel", 940],
  ["health", 780],
  ["music", 650],
  ["books", 540],
] as const;
export const WINNERS = 5;

const COUNTS = AREAS.map(([, count]) => count);
/** Few enough that the slider stays responsive. */
const RUNS = 100;

/** A lead of one winner over the next: as released, and as it is. */
interface Lead {
  readonly area: string;
  readonly released: number;
  readonly truth: number;
}

interface GapErrors {
  /** The leads of one draw, best first. */
  readonly draw: readonly Lead[];
  /** Mean distances between released and true leads. */
  readonly free: number;
  readonly paid: number;
  readonly runs: number;
}

export function gapErrors(epsilon: string, entropy: Entropy = systemEntropy()): GapErrors {
  const half = rational(epsilon).dividedBy(2n);
  const noise = new DiscreteLaplace(rational(WINNERS).dividedBy(half));
  const draws = Array.from({ length: RUNS }, () => freeLeads(epsilon, entropy));
  const paid = Array.from({ length: RUNS }, () => paidLeads(half, noise, entropy));
  return { draw: draws[0]!, free: meanError(draws.flat()), paid: meanError(paid.flat()), runs: RUNS };
}

function freeLeads(epsilon: string, entropy: Entropy): Lead[] {
  const { winners } = topKWithGap(COUNTS, { k: WINNERS, epsilon, monotone: true, entropy });
  const gaps = winners.slice(0, -1).map(({ gap }) => gap.toNumber());
  return leads(winners, gaps);
}

function paidLeads(half: Rational, noise: DiscreteLaplace, entropy: Entropy): Lead[] {
  const { winners } = topK(COUNTS, { k: WINNERS, epsilon: half, monotone: true, entropy });
  const measured = winners.map(({ candidate }) => COUNTS[candidate]! + Number(noise.sample(entropy)));
  return leads(
    winners,
    measured.slice(0, -1).map((count, place) => count - measured[place + 1]!),
  );
}

function leads(winners: readonly { readonly candidate: number }[], released: readonly number[]): Lead[] {
  return released.map((lead, place) => {
    const [area, count] = AREAS[winners[place]!.candidate]!;
    const [, next] = AREAS[winners[place + 1]!.candidate]!;
    return { area, released: lead, truth: count - next };
  });
}

function meanError(all: readonly Lead[]): number {
  return all.reduce((sum, { released, truth }) => sum + Math.abs(released - truth), 0) / all.length;
}
