/**
 * The chooser on a guess: what mechanism it takes for a number of people with a number of items each. Both numbers are public and typed, so
 * this choice reveals nothing; the buttons under the verdict, in contrast, look at private counts.
 * @module
 */
import { batch, effect, signal } from "@preact/signals";
import type { Asked, Guessed } from "../../worker/api.js";
import { problemOf } from "../../worker/studio-refusal.js";
import { studio } from "./connect-studio.js";
import { asksNumbers } from "./kinds.js";
import { latest } from "./latest.js";
import { asked, candidates, mechanism, missing, mostItems } from "./question-state.js";

export const guessedPeople = signal("");
export const guessedItems = signal("");
/** What the chooser takes; undefined while there is no guess. */
export const guessed = signal<Guessed>();
export const guessProblem = signal<string>();

const REST = 250;

const choosing = latest<Asked>(REST, async (question, { current }) => {
  const way = { people: guessedPeople.peek().trim(), items: guessedItems.peek().trim() };
  try {
    const found = await studio.choose(question, way);
    if (current()) guessed.value = found;
  } catch (error) {
    if (current()) guessProblem.value = problemOf(error).sentence;
  }
});

export function takeGuessed({ mechanism: taken, maxItemsPerUser }: Guessed): void {
  batch(() => {
    mechanism.value = taken;
    if (maxItemsPerUser !== undefined) mostItems.value = String(maxItemsPerUser);
  });
}

/** From now on the choice follows the guess and the question. */
export function followGuess(): void {
  effect(() => {
    const isTyped = guessedPeople.value.trim() !== "" && guessedItems.value.trim() !== "";
    const isReady = isTyped && missing.value === undefined && !asksNumbers(asked.value.kind);
    void candidates.value;
    batch(() => {
      guessed.value = undefined;
      guessProblem.value = undefined;
    });
    if (isReady) choosing.ask(asked.value);
    else choosing.drop();
  });
}
