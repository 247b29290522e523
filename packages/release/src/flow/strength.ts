/**
 * How strong a promise is, in words, by ε and by δ against the number of people. The limits are conventions, not theorems: an
 * ε of 1 or less is what most authors call strong, and a δ must be far below one over the number of people, because among n
 * people who each have something unique, δ·n of them are expected to be named.
 *
 * The number of people is private, so a sentence with it is for the curator only.
 * @module
 */
import { type Extended, isBounded, type Rational, rational } from "winnow-dp";

/**
 * From best to worst.
 *
 * @inline
 */
export type Strength = "very strong" | "strong" | "moderate" | "weak" | "very weak";

const LEVELS: readonly (readonly [upTo: Rational, strength: Strength])[] = [
  [rational("0.1"), "very strong"],
  [rational("1"), "strong"],
  [rational("3"), "moderate"],
  [rational("6"), "weak"],
];

/**
 * A promise and, if known, among how many people.
 *
 * @inline
 */
export interface Promised {
  readonly epsilon: Extended;
  readonly delta?: Rational | undefined;
  /** How many people there are, if the reader may know. */
  readonly people?: number | undefined;
}

/** By ε alone. */
export function strengthOf(epsilon: Extended): Strength {
  if (!isBounded(epsilon)) return "very weak";
  return LEVELS.find(([upTo]) => epsilon.compare(upTo) <= 0)?.[1] ?? "very weak";
}

/** How strong a promise is, in words. */
export interface PrivacyVerdict {
  readonly strength: Strength;
  /** What follows the strength: "whatever someone knows …", or what is wrong with δ. Without its full stop. */
  readonly words: string;
}

/** δ times the people from which on the promise is weak, and from which on it is void for some. */
const WEAK_SHARE = rational("1/10");
const VOID_SHARE = rational("1");

/** Says how strong a promise is, by ε and by δ against the number of people. */
export function privacyVerdict({ epsilon, delta = rational(0n), people }: Promised): PrivacyVerdict {
  const strength = strengthOf(epsilon);
  const expected = delta.times(BigInt(people ?? 0));
  if (expected.compare(VOID_SHARE) >= 0)
    return {
      strength: "very weak",
      words: `δ is so large that the items of about ${whole(expected)} of your ${counted(people)} could be named if they alone had them`,
    };
  if (expected.compare(WEAK_SHARE) > 0)
    return {
      strength: strength === "very weak" ? strength : "weak",
      words: `δ should be far below one in your ${counted(people)}, and it is nearly that`,
    };
  return { strength, words: inWords(strength) };
}

function inWords(strength: Strength): string {
  switch (strength) {
    case "very strong":
    case "strong":
      return "a reader learns hardly anything about any one person";
    case "moderate":
      return "a reader may learn something about a person, and not much";
    case "weak":
      return "a reader may learn a good deal about a person";
    default:
      return "a reader may learn nearly everything about a person";
  }
}

function whole(size: Rational): string {
  return Number(size.ceil()).toLocaleString("en");
}

function counted(people = 0): string {
  return `${people.toLocaleString("en")} ${people === 1 ? "person" : "people"}`;
}
