/**
 * The one worker of this page. It is started with the page, so that it is warm when the first file arrives.
 * @module
 */
import { signal } from "@preact/signals";
import { connectStudio } from "../../worker/connect-studio.js";
import { StudioRefusal } from "../../worker/studio-refusal.js";
import { type Problem, problemOf } from "./problem.js";

/** That the worker has stopped, and nothing on the page can go on. */
export const workerProblem = signal<Problem>();

export const studio = connectStudio(() => {
  const sentence = "The part of the page that reads, counts and releases has stopped.";
  workerProblem.value = problemOf(new StudioRefusal("worker-stopped", sentence));
});
