/**
 * Which of the two pages is shown, kept in the address after `#`, so that links and the back button work from any folder and
 * without a server.
 * @module
 */
import { signal } from "@preact/signals";

export type Route = "studio" | "why";

export const route = signal<Route>(location.hash === "#why" ? "why" : "studio");

export function followAddress(): void {
  addEventListener("hashchange", () => {
    // Other addresses, such as that of the skip link, are places within the page that is shown.
    if (location.hash === "#why") route.value = "why";
    if (location.hash === "#studio" || location.hash === "") route.value = "studio";
  });
}
