/**
 * The head of the page: where one is, and what is promised.
 * @module
 */
import { Mark } from "./parts/icon.js";
import { type Route, route } from "./state/route.js";

const PAGES: readonly { readonly name: Route; readonly title: string }[] = [
  { name: "studio", title: "Studio" },
  { name: "why", title: "See why" },
];

export function Masthead() {
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
