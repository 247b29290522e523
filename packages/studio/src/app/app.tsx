/**
 * The page: its frame, and one of its two parts.
 * @module
 */
import { useSignalEffect } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { Masthead } from "./masthead.js";
import { LiveRegion } from "./parts/announce.js";
import { ProblemNote } from "./parts/problem-note.js";
import { route } from "./state/route.js";
import { workerProblem } from "./state/studio.js";
import { StudioPage } from "./studio-page.js";
import { WhyPage } from "./why/why-page.js";

export function App() {
  const main = useRef<HTMLElement>(null);
  const shown = useRef(route.peek());
  useSignalEffect(() => {
    document.title = route.value === "why" ? "See why · Winnow studio" : "Winnow studio";
  });
  // A new page is read from its title; the first one from the top, as any page is. At once, for a moment later the keyboard
  // may be somewhere else already, and would be taken from there.
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
        <span>This page works offline and may make no connection: its own policy forbids it.</span>
      </footer>
      <LiveRegion />
    </div>
  );
}
