/**
 * Property tests try the same cases in every run, so that a failure is the change's own. `WINNOW_SEED=text` tries others, as it
 * does for the statistical tests.
 */
import { createHash } from "node:crypto";
import fc from "fast-check";

const text = process.env.WINNOW_SEED ?? "";
fc.configureGlobal({ seed: createHash("sha256").update(text).digest().readInt32LE() });
