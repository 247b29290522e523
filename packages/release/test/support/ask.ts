/** Questions and releases for tests. */
import type { Entropy, RationalLike } from "winnow-dp";
import { seededEntropy } from "winnow-dp/testing";
import {
  type CountedItems,
  type Domain,
  type GridInput,
  type NewRelease,
  newRelease,
  type Question,
  type QuestionInput,
  readQuestion,
  select,
} from "../../src/index.js";

export const UNIT = "one value of column user";

/** A public list of so many candidates. */
export function listed(size: number): Domain {
  return { kind: "listed", size, hash: "ab".repeat(32) };
}

/** The numbers of a public range. */
export function grid(lower: RationalLike, upper: RationalLike, step: RationalLike = 1): GridInput {
  return { kind: "grid", lower, upper, step };
}

export const UNKNOWN: Domain = { kind: "unknown" };

export function ask(input: Omit<QuestionInput, "unit">): Question {
  return readQuestion({ ...input, unit: UNIT });
}

/** Candidates "0", "1", … with these counts. */
export function numbered(users: readonly number[]): CountedItems {
  return { items: users.map((_, index) => String(index)), users };
}

export async function releaseOf(
  question: Question,
  counted: CountedItems,
  entropy: Entropy = seededEntropy("a release for a test"),
): Promise<NewRelease> {
  return newRelease({
    id: "winter-2026",
    dataset: "visits.csv",
    time: new Date("2026-01-31T12:00:00Z"),
    software: { name: "winnow-cli", version: "0.1.0" },
    question,
    answer: await select(question, [counted], { entropy }),
    source: { item: "area", user: "user", dialect: { format: "csv", delimiter: "," } },
  });
}
