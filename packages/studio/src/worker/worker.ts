/**
 * The worker's own thread: exposes the studio to the page.
 * @module
 */
import { expose } from "comlink";
import { createStudio } from "./studio.js";
import { refusalsCross } from "./studio-refusal.js";

/** Answers the page's calls. */
export function startWorker(): void {
  refusalsCross();
  expose(createStudio());
}
