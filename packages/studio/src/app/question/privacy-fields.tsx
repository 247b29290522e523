/**
 * ε and δ, each as a number and in plain words.
 * @module
 */
import { deltaInWords, epsilonInWords } from "../parts/in-words.js";
import { about } from "../parts/numbers.js";
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
      <p class="words">
        {epsilonInWords(about(epsilon.value), "the release")} <a href="#why">See what that means</a>
      </p>
      {needsDelta.value && (
        <>
          <TextField label="Delta (δ)" value={delta} numeric />
          <p class="words">{deltaInWords(about(delta.value))}</p>
        </>
      )}
    </fieldset>
  );
}
