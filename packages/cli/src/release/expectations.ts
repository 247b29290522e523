/**
 * What a release can be expected to say, from public values alone: its parameters, and a public twin of the rows if
 * there is one. A release that most likely says nothing costs as much as one that does, so the curator hears of it
 * before anything is charged, with a command that would do better.
 * @module
 */
import { seededEntropy } from "winnow-dp/testing";
import { expectedUtility, type Question, type Utility } from "winnow-release";
import { percent } from "../render/table.js";
import { tell } from "../render/terminal.js";

const RUNS = 30;
/** The lead that is needed hardly depends on k, and the time of a simulation does. */
const LARGEST_SIMULATED_K = 10;
const LARGEST_LEAD = 2 ** 30;

/** Says what the release needs in order to say anything, or what the twin makes of it. */
export async function tellExpectation(question: Question, twin: Utility | undefined): Promise<void> {
  if (twin !== undefined) {
    if (twin.recall.mean < 0.5) tell(poorSentence(question, twin));
  } else if (question.domain.kind === "unknown") {
    const lead = await leadNeeded(question);
    tell(
      `This release names items only if one leads the next by about ${lead.toLocaleString("en")} users or more${question.kind === "top" ? ` at place ${question.k}` : ""}; otherwise it says nothing. A public list (--domain) always gets an answer, and \`winnow plan --delta ${question.delta}\` shows what a larger ε buys.`,
    );
  }
}

function poorSentence({ k, domain }: Question, { recall, released }: Utility): string {
  const what =
    released.mean < 0.5
      ? `says nothing in ${percent(1 - released.mean)} of runs on the public rows`
      : `names ${percent(recall.mean)} of the true winners on the public rows`;
  const better = domain.kind === "unknown" ? " A public list (--domain) always gets an answer." : "";
  return `This release most likely ${what}: \`winnow plan -k ${k} --public FILE --recall 0.9\` finds an ε that does better.${better}`;
}

/** The smallest power of two by which k items must lead the others to be named in half of the runs. */
export async function leadNeeded(asked: Question): Promise<number> {
  const question = { ...asked, k: Math.min(asked.k, LARGEST_SIMULATED_K) };
  for (let lead = 1; lead < LARGEST_LEAD; lead *= 2) {
    const counts = Array.from({ length: question.k + 1 }, (_, i) => (i < question.k ? 2 * lead : lead));
    // Steers a remark, and no answer: the bits may come from a seed.
    const entropy = seededEntropy(`lead ${lead}`);
    const { released } = await expectedUtility(question, counts, { runs: RUNS, entropy });
    if (released.mean >= 0.5) return lead;
  }
  return LARGEST_LEAD;
}
