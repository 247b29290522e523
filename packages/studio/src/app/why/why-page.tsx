/**
 * See why: three things to try, each live and on invented data that everybody may see.
 * @module
 */
import { FloatAttacks } from "./float-attacks.js";
import { FreeGap } from "./free-gap.js";
import { OnePerson } from "./one-person.js";

export function WhyPage() {
  return (
    <>
      <div class="opening">
        <h1 tabIndex={-1}>Don’t believe it. Try it.</h1>
        <p>
          Three small experiments. All of them run here, now, with the same code that makes your releases.
        </p>
      </div>
      <div class="stories">
        <OnePerson />
        <FloatAttacks />
        <FreeGap />
      </div>
    </>
  );
}
