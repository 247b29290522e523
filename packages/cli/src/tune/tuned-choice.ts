/**
 * What `--tune` chose, as a document of its own ("winnow-tune/1") in the ledger: the candidates with their public needs, what the choice
 * cost, its noise, and which candidate won. The release that it is for follows as an entry of its own, with the rest of the loss.
 * @module
 */
import type { Loss } from "winnow-dp";
import {
  canonicalJson,
  priceOfTuning,
  type Question,
  type RecordedRelease,
  Refusal,
  type ReleaseLoss,
  readableLoss,
  releaseLoss,
  type TunedCandidate,
  type Tuning,
  type TuningPrice,
  wayInWords,
  waysInWords,
} from "winnow-release";

/** The question of a choice, which is public. */
export interface TuneQuestion {
  readonly kind: "tune";
  /** The question with its whole budget, as it would be asked without a choice. */
  readonly asked: Question;
  readonly share: string;
  readonly candidates: readonly Way[];
}

/** A way to answer, and about how many people an item needs. */
export interface Way extends Pick<Question, "mechanism" | "maxItemsPerUser"> {
  readonly needs: TunedCandidate["needs"];
}

export interface TunedChoice {
  readonly schema: "winnow-tune/1";
  readonly id: string;
  readonly dataset: string;
  readonly time: string;
  readonly software: { readonly name: string; readonly version: string };
  readonly question: TuneQuestion;
  readonly source: { readonly item: string; readonly user: string };
  readonly noise: Readonly<Record<"epsilon" | "scale" | "law" | "eta" | "gamma", string>>;
  readonly loss: ReleaseLoss;
  readonly answer: Pick<Question, "mechanism" | "maxItemsPerUser">;
}

/** The id of the choice for a release. */
export function choiceId(release: string): string {
  return `${release}#tune`;
}

export function tuneQuestion(asked: Question, { share, candidates }: Tuning): TuneQuestion {
  return {
    kind: "tune",
    asked,
    share,
    candidates: candidates.map(({ question, needs }) => ({ ...wayOf(question), needs })),
  };
}

/** A choice that isn't recorded yet. */
export function newChoice(
  question: TuneQuestion,
  chosen: TunedCandidate,
  {
    price,
    software,
    ...parts
  }: Pick<TunedChoice, "id" | "dataset" | "software" | "source"> & { readonly price: TuningPrice },
): TunedChoice {
  return {
    schema: "winnow-tune/1",
    ...parts,
    time: new Date().toISOString(),
    software,
    question,
    noise: noiseOf(price),
    loss: releaseLoss(price.loss),
    answer: wayOf(chosen.question),
  };
}

function wayOf({ mechanism, maxItemsPerUser }: Question): TunedChoice["answer"] {
  return { mechanism, ...(maxItemsPerUser !== undefined && { maxItemsPerUser }) };
}

function noiseOf({ run, scale, runs }: TuningPrice): TunedChoice["noise"] {
  return { epsilon: String(run), scale: String(scale), ...runs };
}

/** The candidate that a recorded choice is. */
export function chosenIn({ answer }: TunedChoice, { candidates }: Tuning): TunedCandidate {
  const found = candidates.find(({ question }) => canonicalJson(wayOf(question)) === canonicalJson(answer));
  if (found === undefined)
    throw new Refusal("ledger-broken", "The recorded choice isn't one of the candidates.");
  return found;
}

/** Before a row is read. */
export function tuneInWords({ share, price, ...tuning }: Tuning): string {
  return `--tune ${share}: Winnow looks at the rows to choose between ${waysInWords({ share, price, ...tuning })}, for at most ${readableLoss(price.loss)}; the answer gets the rest of the loss.`;
}

export function chosenInWords({ answer, loss }: TunedChoice): string {
  return `Winnow chose ${wayInWords(answer)}, which cost ${loss.readable}.`;
}

/** What a recorded choice costs, for the check of a ledger's charges; undefined for other documents. */
export function priceOfChoice(release: RecordedRelease): Loss | undefined {
  if (!("schema" in release) || release.schema !== "winnow-tune/1") return undefined;
  const { question, noise, answer } = release as unknown as TunedChoice;
  const price = priceOfTuning(question.asked, question.share);
  const isKnown = question.candidates.some(
    ({ needs: _, ...way }) => canonicalJson(way) === canonicalJson(answer),
  );
  if (!isKnown || canonicalJson(noise) !== canonicalJson(noiseOf(price)))
    throw new Refusal("ledger-broken", "The choice of a mechanism isn't one that its question leads to.");
  return price.loss;
}
