/**
 * A file may be dropped anywhere on the page: dropped beside the right spot, it would otherwise replace the page, and with it
 * everything that was typed.
 * @module
 */
import { signal } from "@preact/signals";
import { openFile } from "./data-state.js";
import { route } from "./route.js";

/** Whether something is being dragged over the page. */
export const dragging = signal(false);

export function followDrops(): void {
  window.addEventListener("dragover", (event) => {
    event.preventDefault();
    dragging.value = true;
  });
  window.addEventListener("dragleave", ({ relatedTarget }) => {
    if (relatedTarget === null) dragging.value = false;
  });
  window.addEventListener("drop", (event) => {
    event.preventDefault();
    dragging.value = false;
    const file = event.dataTransfer?.files[0];
    if (file && route.peek() === "studio" && !isAsking()) void openFile(file);
  });
}

/** While somebody is asked to agree to a release, the data that it is about stay. */
function isAsking(): boolean {
  return document.querySelector("dialog[open]") !== null;
}
