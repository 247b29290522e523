/**
 * `winnow demo`: the story in a minute, on generated visitors. Every command that it shows is run by the real program in a
 * folder of its own, which is gone afterwards.
 * @module
 */
import type { Command } from "commander";
import { type Story, tellStory } from "../demo/tell-story.js";
import { examples } from "../render/examples.js";

export function register(program: Command): void {
  program
    .command("demo")
    .summary("the two-minute tour on generated data")
    .description(
      "Tells the story of a private top five on generated visitors. Needs no file and leaves nothing behind.",
    )
    .option("--fast", "without pauses")
    .addHelpText("after", examples(["winnow demo", ""], ["winnow demo --fast", ""]))
    .action(({ fast = false }: { fast?: boolean }) => tellStory(STORY, { fast }));
}

const STORY: Story = {
  users: 2000,
  rows: 8000,
  items: 24,
  steps: [
    {
      words: [
        "2,000 people visited 24 areas of a web site. The log has a row for each visit: who, and where.",
        "Which five areas have the most visitors? Counting is easy. But whoever knows all visitors but one learns from exact counts where that one was. So each count gets noise, just enough, and the winners are named by the noisy counts.",
        "First, how much may be learnt from these rows in total? That is the budget, written down once:",
      ],
      command: "budget init visits --epsilon 1",
    },
    {
      words: ["What would ε buy? Simulated on generated visits, before a private row is read:"],
      command: "plan -k 5 --items 24 --users 2000 --epsilon 0.05,0.5 --runs 100 --mechanism top-k-with-gap",
    },
    {
      words: [
        "ε = 1/2 is plenty. Now the release itself, which is charged to the budget before it is printed:",
      ],
      command:
        "top visits.csv --dataset visits --item area --user user -k 5 --epsilon 1/2 --domain areas.txt --release-id june",
    },
    {
      words: [
        "Each area is shown with its lead over the next, which comes for free. Asked again, the same answer, no charge:",
      ],
      command:
        "top visits.csv --dataset visits --item area --user user -k 5 --epsilon 1/2 --domain areas.txt --release-id june --csv",
    },
    {
      words: ["Nobody can overspend. This would cost more than what is left, and is refused:"],
      command:
        "top visits.csv --dataset visits --item area --user user -k 5 --epsilon 3/4 --domain areas.txt",
      exit: 3,
    },
    {
      words: ["And nobody can change the record unseen: every entry holds the hash of the one before."],
      command: "budget verify",
    },
  ],
  end: "That was all on generated data, and it is gone. Next: winnow help top",
};
