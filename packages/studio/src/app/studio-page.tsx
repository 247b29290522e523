/**
 * The two sides: what only the curator may see, and what may be published. Between them is one button.
 * @module
 */
import { BudgetCard } from "./budget/budget-card.js";
import { DataCard } from "./data/data-card.js";
import { Icon } from "./parts/icon.js";
import { PlanCard } from "./plan/plan-card.js";
import { QuestionCard } from "./question/question-card.js";
import { ReleaseCard } from "./release/release-card.js";
import { ReleasedCard } from "./release/released-card.js";
import { published } from "./state/release-state.js";

export function StudioPage() {
  return (
    <>
      <div class="opening">
        <h1 tabIndex={-1}>Publish the top ten. Give nobody away.</h1>
        <p>
          Winnow finds which items the most people have, and adds just enough exact randomness that nobody can
          tell whether any one person was counted.
        </p>
      </div>
      <div class="sides">
        <PrivateSide />
        <PublishSide />
      </div>
    </>
  );
}

function PrivateSide() {
  return (
    <section class="private-side" aria-labelledby="private-title">
      <div class="side-title">
        <Icon name="hidden" size={22} />
        <h2 id="private-title">For your eyes only</h2>
      </div>
      <p class="side-note">What you see on the striped side comes from people’s rows. Do not pass it on.</p>
      <DataCard />
      <QuestionCard />
      <PlanCard />
      <ReleaseCard />
    </section>
  );
}

function PublishSide() {
  return (
    <section
      class="publish-side"
      aria-labelledby="publish-title"
      data-published={published.value !== undefined}
    >
      <div class="side-title">
        <Icon name="publish" size={22} />
        <h2 id="publish-title">Safe to publish</h2>
      </div>
      {published.value ? (
        <ReleasedCard key={published.value.id} published={published.value} />
      ) : (
        <NothingYet />
      )}
      <BudgetCard />
    </section>
  );
}

function NothingYet() {
  return (
    <div class="empty">
      <Icon name="grains" size={44} />
      <p>Nothing is released yet. What appears here may be shown to anyone, for ever.</p>
    </div>
  );
}
