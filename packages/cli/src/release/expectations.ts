/**
 * How informative a release will be, from public values alone: its parameters, and a public twin of the rows if there is
 * one. A release that most likely names nothing costs as much as any other, so Winnow warns the curator before anything is
 * charged, with a command that would do better.
 * @module
 */
import { inventedInWords, neededUsers, type Question, rankErrorsInWords, type Utility } from "winnow-release";
import { percent } from "../render/table.js";
import { tell } from "../render/terminal.js";
import type { ReleaseOptions } from "./release-options.js";

/** Tells the curator what the release needs to name anything, or how it does on the twin. */
export async function tellExpectation(question: Question, twin: Utility | undefined): Promise<void> {
  if (question.kind === "quantile") tell(`The accuracy is known beforehand: ${rankErrorsInWords(question)}.`);
  else if (question.kind === "frequencies") tell(`Before you release: ${inventedInWords(question)}.`);
  else if (twin !== undefined) {
    if (twin.recall.mean < 0.5 && question.kind !== "names") tell(poorSentence(question, twin));
  } else {
    const need = await needSentence(question);
    if (need !== undefined) tell(need);
  }
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

async function needSentence(question: Question): Promise<string | undefined> {
  const plan = `\`winnow plan --delta ${question.delta}\` shows what a larger ε buys`;
  const need = await neededUsers(question);
  if (need === undefined) return undefined;
  const users = need.users.toLocaleString("en");
  switch (need.over) {
    case "outsiders":
      return `To be named, an item needs about ${users} more users than the best item outside the first ${need.candidates.toLocaleString("en")}; ${plan}.`;
    case "none":
      return `An item needs about ${users} users to be named, where each person counts for at most ${need.maxItemsPerUser} items; ${plan}.`;
    default: {
      const place = question.kind === "top" ? ` at place ${question.k}` : "";
      return `This release names items only if one leads the next by about ${users} users or more${place}; otherwise it names nothing. With a public list (--domain) you always get an answer, and ${plan}.`;
    }
  }
}

function poorSentence({ k, domain }: Question, { recall, released }: Utility): string {
  const what =
    released.mean < 0.5
      ? `names nothing in ${percent(1 - released.mean)} of runs on the public rows`
      : `names ${percent(recall.mean)} of the true winners on the public rows`;
  const better = domain.kind === "unknown" ? " With a public list (--domain) you always get an answer." : "";
  return `This release most likely ${what}: \`winnow plan -k ${k} --public FILE --recall 0.9\` finds an ε that does better.${better}`;
}
