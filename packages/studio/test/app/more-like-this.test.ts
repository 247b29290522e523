import { expect, it } from "vitest";
import { moreLikeThis } from "../../src/app/parts/in-words.js";

const cost = (times?: number) => ({
  loss: "ε = 1",
  mechanism: "top-k" as const,
  admitted: true,
  ...(times === undefined ? {} : { times }),
});

it.each([
  [moreLikeThis(undefined), "unknown"],
  [moreLikeThis(cost()), "unknown"],
  [moreLikeThis(cost(0)), "nothing more like this"],
  [moreLikeThis(cost(1), 1), "nothing more like this"],
  [moreLikeThis(cost(2), 1), "about 1 more release like this"],
  [moreLikeThis(cost(1200)), "about 1,200 more releases like this"],
  [moreLikeThis(cost(Number.POSITIVE_INFINITY), 1), "as many as you like"],
])("a budget is told as %s", (told, expected) => expect(told).toBe(expected));
