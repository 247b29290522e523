/**
 * The frame of the page and its two parts. The studio has two sides with one bar between them: the private side (the data and
 * one view for the decision), and the side that may be published. "See why" has three things to try, each live and on
 * invented data.
 * @module
 */
import { useSignalEffect } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { BudgetCard } from "./cards/budget-card.js";
import { DataCard } from "./cards/data-card.js";
import { LedgerCard } from "./cards/ledger-card.js";
import { PlanCard } from "./cards/plan-card.js";
import { QuestionCard } from "./cards/question-card.js";
import { ReleaseBar } from "./cards/release-bar.js";
import { ReleasedCard } from "./cards/released-card.js";
import { LiveRegion, ProblemNote } from "./parts/card.js";
import { Icon, Mark } from "./parts/icon.js";
import { workerProblem } from "./state/connect-studio.js";
import { dataset, phase, shape } from "./state/data-state.js";
import { published } from "./state/release-state.js";
import { type Route, route } from "./state/route.js";
import { FloatAttacks } from "./why/float-attacks.js";
import { FreeGap } from "./why/free-gap.js";
import { OnePerson } from "./why/one-person.js";

export function App() {
  const main = useRef<HTMLElement>(null);
  const shown = useRef(route.peek());
  useSignalEffect(() => {
    document.title = route.value === "why" ? "See why · Winnow studio" : "Winnow studio";
  });
  // A new page is read from its title, the first one from the top. This happens at once: a moment later the focus may be
  // somewhere else already, and must stay there.
  useLayoutEffect(() => {
    if (shown.current === route.value) return;
    shown.current = route.value;
    scrollTo(0, 0);
    main.current?.querySelector("h1")?.focus();
  }, [route.value]);
  return (
    <div class="page">
      <a class="skip visually-hidden" href="#main">
        Skip to the content
      </a>
      <Masthead />
      <main ref={main} id="main" tabIndex={-1}>
        <ProblemNote problem={workerProblem.value} />
        {route.value === "studio" ? <StudioPage /> : <WhyPage />}
      </main>
      <footer class="footer">
        <span>Winnow: exact, checkable, differentially private selection.</span>
        <span>
          This page works offline. Its own policy forbids network connections, and WebRTC, which no policy
          covers, is switched off.
        </span>
      </footer>
      <LiveRegion />
    </div>
  );
}

const PAGES: readonly { readonly name: Route; readonly title: string }[] = [
  { name: "studio", title: "Studio" },
  { name: "why", title: "See why" },
];

function Masthead() {
  return (
    <header class="masthead">
      <a class="wordmark" href="#studio">
        <Mark />
        Winnow
      </a>
      <nav aria-label="Pages">
        {PAGES.map(({ name, title }) => (
          <a key={name} href={`#${name}`} aria-current={route.value === name ? "page" : undefined}>
            {title}
          </a>
        ))}
      </nav>
      <p class="promise">Runs in this tab. Nothing leaves your machine.</p>
    </header>
  );
}

function StudioPage() {
  return (
    <>
      <div class="opening" data-small={phase.value !== "empty"}>
        <h1 tabIndex={-1}>Publish the top ten. Give no one away.</h1>
        {phase.value === "empty" && (
          <p>
            Winnow finds which items the most people have, and adds just enough exact randomness that no one
            can tell whether any one person was counted.
          </p>
        )}
      </div>
      <PrivateSide />
      <PublishSide />
    </>
  );
}

function PrivateSide() {
  return (
    <section class="private-side" aria-labelledby="private-title">
      <div class="side-title">
        <Icon name="hidden" size={22} />
        <h2 id="private-title">For your eyes only</h2>
        <p class="side-note">Everything on stripes comes from people’s rows. Don’t pass it on.</p>
      </div>
      <DataCard />
      <div class="decision">
        <QuestionCard />
        <PlanCard />
        <BudgetCard />
      </div>
      <ReleaseBar />
    </section>
  );
}

/** Whether the answer was made or asked for in this visit. */
const isOurs = () => shape.value !== undefined || dataset.value !== "";

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
        {published.value && !isOurs() && <p class="side-note">Your last release.</p>}
      </div>
      <div class="publish-columns">
        {published.value ? (
          <ReleasedCard key={published.value.id} published={published.value} takesFocus={isOurs()} />
        ) : (
          <NothingYet />
        )}
        <LedgerCard />
      </div>
    </section>
  );
}

function NothingYet() {
  return (
    <div class="empty">
      <Icon name="grains" size={44} />
      <p>Nothing is released yet. You may show anything that appears here to anyone, forever.</p>
    </div>
  );
}

function WhyPage() {
  return (
    <>
      <div class="opening">
        <h1 tabIndex={-1}>Don’t believe it. Try it.</h1>
        <p>A formula, and two experiments that run here, now, with the same code that makes your releases.</p>
      </div>
      <div class="stories">
        <OnePerson />
        <FloatAttacks />
        <FreeGap />
      </div>
    </>
  );
}
