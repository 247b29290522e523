/**
 * ε and δ, each as a number and in plain words.
 * @module
 */
import { about, short, whole } from "../parts/numbers.js";
import { TextField } from "../parts/text-field.js";
import { delta, epsilon, needsDelta } from "../state/question-state.js";
import { EpsilonSlider } from "./epsilon-slider.js";

export function PrivacyFields() {
  return (
    <fieldset class="stack plain">
      <legend>How private?</legend>
      <div class="epsilon">
        <TextField label="Epsilon (ε)" value={epsilon} numeric />
        <EpsilonSlider label="Epsilon" chosen={epsilon} />
      </div>
      <p class="words">{epsilonInWords(about(epsilon.value))}</p>
      {needsDelta.value && (
        <>
          <TextField label="Delta (δ)" value={delta} numeric />
          <p class="words">{deltaInWords(about(delta.value))}</p>
        </>
      )}
    </fieldset>
  );
}

const STRENGTHS: readonly (readonly [upTo: number, name: string])[] = [
  [0.1, "Very strong."],
  [1, "Strong."],
  [3, "Moderate."],
  [6, "Weak."],
  [Number.POSITIVE_INFINITY, "Very weak: little is promised."],
];

function epsilonInWords(value: number | undefined): string {
  if (value === undefined) return "Nothing can be promised without a number.";
  const strength = STRENGTHS.find(([upTo]) => value <= upTo)?.[1];
  return `${strength} Whatever somebody knows already, the release changes the odds that any one person is in the data by a factor of at most ${short(Math.exp(value))}.`;
}

function deltaInWords(value: number | undefined): string {
  if (value === undefined || value >= 1) return "A chance is a number between zero and one.";
  return `A chance of at most 1 in ${whole(1 / value)} that the promise above does not hold. Keep it far below one over the number of people.`;
}
