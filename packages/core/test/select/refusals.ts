/**
 * What a refused call looks like: an error with its code and text, and not a single bit drawn.
 * @module
 */
import { expect } from "vitest";
import { Entropy } from "../../src/entropy.js";
import { WinnowError } from "../../src/errors.js";

/** An entropy that must not be asked. */
export function untouched(): Entropy {
  return new Entropy({
    fill() {
      throw new Error("a bit was drawn");
    },
  });
}

/** Asserts that the call is refused for a parameter, with this text. */
export function expectRefused(call: () => unknown, message: string): void {
  const error = errorOf(call);
  expect(error.message).toBe(message);
  expect(error.code).toBe("invalid-parameter");
}

/** Asserts that the call is refused for a score, without a word on which or what. */
export function expectBadScore(call: () => unknown): void {
  const error = errorOf(call);
  expect(error.message).toBe("scores must be finite numbers or bigints (up to 1.79e308) throughout");
  expect(error.code).toBe("invalid-score");
  expect(error.got).toBeUndefined();
}

function errorOf(call: () => unknown): WinnowError {
  try {
    call();
  } catch (error) {
    if (error instanceof WinnowError) return error;
    throw error;
  }
  return expect.fail("the call was not refused");
}
