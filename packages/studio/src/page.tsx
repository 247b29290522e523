/**
 * The page: what follows what, and the first drawing.
 * @module
 */
import { render } from "preact";
import { App } from "./app/app.js";
import { followBudget, followPrice } from "./app/state/budget-state.js";
import { followDrops } from "./app/state/data-state.js";
import { followGuess } from "./app/state/guess-state.js";
import { followQuestion } from "./app/state/plan-state.js";
import { followExample, followGroupColumns } from "./app/state/question-state.js";
import { followFile } from "./app/state/release-state.js";
import { followAddress } from "./app/state/route.js";
import { switchOffWebRtc } from "./no-web-rtc.js";

/** Closed sections of what may be published are open on paper. */
function followPrinting(): void {
  const opened: HTMLDetailsElement[] = [];
  addEventListener("beforeprint", () => {
    for (const section of document.querySelectorAll<HTMLDetailsElement>(
      ".publish-side details:not([open])",
    )) {
      section.open = true;
      opened.push(section);
    }
  });
  addEventListener("afterprint", () => {
    for (const section of opened.splice(0)) section.open = false;
  });
}

/** Starts the page. */
export function startPage(): void {
  switchOffWebRtc();
  followPrinting();
  followAddress();
  followQuestion();
  followGuess();
  followBudget();
  followPrice();
  followExample();
  followGroupColumns();
  followFile();
  followDrops();

  const root = document.getElementById("app");
  if (root === null) throw new Error("the page expects an element #app");
  render(<App />, root);
}
