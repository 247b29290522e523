/**
 * The page's one live region: what a person who does not see the page is told when something has happened.
 * @module
 */
import { signal } from "@preact/signals";

const message = signal("");

export function announce(text: string): void {
  message.value = text;
}

export function LiveRegion() {
  return (
    <div class="visually-hidden" role="status" aria-live="polite">
      {message}
    </div>
  );
}
