/**
 * How informative a release will be, from public values alone: its parameters, and a public twin of the rows if there is
 * one. A release that most likely names nothing costs as much as any other, so Winnow warns the curator before anything is
 * charged, with a command that would do better.
 * @module
 */
import { rational } from "winnow-dp";
import { seededEntropy } from "winnow-dp/testing";
import {
  expectedUtility,
  inventedInWords,
  limitedPlan,
  mechanismOf,
  type Question,
  rankErrorsInWords,
  type Utility,
} from "winnow-release";
import { percent } from "../render/table.js";
import { tell } from "../render/terminal.js";
import type { ReleaseOptions } from "./release-options.js";

const RUNS = 30;
/** The needed lead hardly depends on k, but the time of a simulation does. */
const LARGEST_SIMULATED_K = 10;
const LARGEST_LEAD = 2 ** 30;

/** Tells the curator what the release needs to name anything, or how it does on the twin. */
export async function tellExpectation(question: Question, twin: Utility | undefined): Promise<void> {
  if (question.kind === "quantile") tell(`The accuracy is known beforehand: ${rankErrorsInWords(question)}.`);
  else if (question.kind === "frequencies") tell(`Before you release: ${inventedInWords(question)}.`);
  else if (twin !== undefined) {
    if (twin.recall.mean < 0.5 && question.kind !== "names") tell(poorSentence(question, twin));
  } else if (question.domain.kind === "unknown") tell(await needSentence(question));
  if (isLongWithoutBound(question))
    tell(
      `With --max-items-per-user 10, Winnow could name more of the ${question.k}: in a long list, each name needs fewer people if everyone counts for a few items only.`,
    );
}

/** From this many winners on, a limit on the items of a person most likely names more of them. */
const LONG = 40;

function isLongWithoutBound({ mechanism, k, maxItemsPerUser }: Question): boolean {
  return mechanism === "limited-top-k" && k > LONG && maxItemsPerUser === undefined;
}

/** Tells the curator why a limit on the items of a person is not used. */
export function tellIdleBound(question: Question, { maxItemsPerUser }: ReleaseOptions): void {
  if (maxItemsPerUser === undefined || question.maxItemsPerUser !== undefined) return;
  tell(
    `Each person counts for all their items: --max-items-per-user ${maxItemsPerUser} names more only from -k ${4 * maxItemsPerUser + 1} on.`,
  );
}

async function needSentence(question: Question): Promise<string> {
  const plan = `\`winnow plan --delta ${question.delta}\` shows what a larger ε buys`;
  switch (question.mechanism) {
    case "limited-top-k": {
      const { maxCandidates, threshold } = limitedPlan(question).measurement;
      const need = threshold.plus(question.neighbours === "replace" ? 2n : 1n);
      const [users, most] = [need.toNumber(), maxCandidates].map((number) => number.toLocaleString("en"));
      return `To be named, an item needs about ${users} more users than the best item outside the first ${most}; ${plan}.`;
    }
    case "threshold-top-k":
    case "select-partitions":
      return `An item needs about ${usersNeeded(question).toLocaleString("en")} users to be named, where each person counts for at most ${question.maxItemsPerUser} items; ${plan}.`;
    default: {
      const lead = await leadNeeded(question);
      const place = question.kind === "top" ? ` at place ${question.k}` : "";
      return `This release names items only if one leads the next by about ${lead.toLocaleString("en")} users or more${place}; otherwise it names nothing. With a public list (--domain) you always get an answer, and ${plan}.`;
    }
  }
}

/** With this many users an item is named about every other time. */
function usersNeeded(question: Question): number {
  const { threshold, epsilonEach, deltaEach } = mechanismOf(question).parameters;
  if (threshold !== undefined) return Number(threshold);
  const [epsilon, delta] = [epsilonEach, deltaEach].map((size) => rational(size ?? 0n).toNumber());
  const factor = Math.exp(epsilon);
  let users = 0;
  for (let kept = 0; kept < 0.5; users++)
    kept = Math.min(factor * kept + delta, 1 - (1 - kept - delta) / factor);
  return users;
}

function poorSentence({ k, domain }: Question, { recall, released }: Utility): string {
  const what =
    released.mean < 0.5
      ? `names nothing in ${percent(1 - released.mean)} of runs on the public rows`
      : `names ${percent(recall.mean)} of the true winners on the public rows`;
  const better = domain.kind === "unknown" ? " With a public list (--domain) you always get an answer." : "";
  return `This release most likely ${what}: \`winnow plan -k ${k} --public FILE --recall 0.9\` finds an ε that does better.${better}`;
}

/** The smallest power of two by which k items must lead the others to be named in half of the runs. */
export async function leadNeeded(asked: Question): Promise<number> {
  const question = { ...asked, k: Math.min(asked.k, LARGEST_SIMULATED_K) };
  for (let lead = 1; lead < LARGEST_LEAD; lead *= 2) {
    const counts = Array.from({ length: question.k + 1 }, (_, i) => (i < question.k ? 2 * lead : lead));
    // This affects a remark, not an answer, so the bits may come from a seed.
    const entropy = seededEntropy(`lead ${lead}`);
    const { released } = await expectedUtility(question, counts, { runs: RUNS, entropy });
    if (released.mean >= 0.5) return lead;
  }
  return LARGEST_LEAD;
}
