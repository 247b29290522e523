/**
 * What can still go wrong once a release is charged: it may not reach its reader. Then the run says how to have it again, at
 * no cost; and a failure to tidy up is no failure of the release.
 * @module
 */
import { Refusal } from "../refusal.js";

/** Shows a recorded release, or says under which id it is kept. */
export async function showRecorded(id: string, show: () => Promise<void>): Promise<void> {
  try {
    await show();
  } catch (error) {
    const what = error instanceof Refusal ? error.message : "The release could not be shown.";
    throw new Refusal("not-written", `${what} It is recorded as ${id}.`);
  }
}

/** Tidies up as far as that goes. */
export async function tidyUp(...tasks: readonly (() => unknown)[]): Promise<void> {
  await Promise.allSettled(tasks.map(async (task) => task()));
}
