import { expect, it } from "vitest";
import { didYouMean } from "../../src/words/near-names.js";

it("the nearest name is asked for at the end of a sentence, and nothing where none is near", () => {
  expect(didYouMean("usr", ["user"])).toBe(' Did you mean "user"?');
  expect(didYouMean("quantity", ["user"])).toBe("");
});
