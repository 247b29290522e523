/** The chooser on a guess: the library's choice, whatever the rows are. */
import { expect, it } from "vitest";
import { choose, countsOfGuess, readGuess } from "winnow-release";
import type { Asked } from "../../src/worker/api.js";
import { chooseOnGuess } from "../../src/worker/choosing.js";

const ASKED: Asked = {
  ...{ kind: "top", k: 20, domain: "unknown", neighbours: "add-remove", epsilon: "1", delta: "1e-6" },
  ...{ counts: true, unit: "one user" },
};

it("takes what the chooser of the library takes, with its limit on items", () => {
  const found = chooseOnGuess(ASKED, { people: "4000", items: "13" }, {});
  const { domain: _, groups: __, ...rest } = ASKED;
  const input = { ...rest, domain: { kind: "unknown" } } as const;
  const { chosen } = choose(input, { guess: countsOfGuess(readGuess("people=4000,items-per-person=13")) });
  expect(found).toMatchObject({
    mechanism: chosen.question.mechanism,
    maxItemsPerUser: chosen.question.maxItemsPerUser,
    right: chosen.expects.right!.mean * 20,
    k: 20,
    origin: "the guess of 4,000 people with 13 items each",
  });
  expect(found.maxItemsPerUser).toBeGreaterThan(0); // twenty names, no list: a limit names more
});

it("doesn't depend on the settings that it chooses, and refuses what isn't a guess", () => {
  const guess = { people: "4000", items: "13" };
  const first = chooseOnGuess(ASKED, guess, {});
  const { maxItemsPerUser = 1, mechanism } = first;
  expect(chooseOnGuess({ ...ASKED, mechanism }, guess, {})).toEqual(first);
  expect(chooseOnGuess({ ...ASKED, mechanism, maxItemsPerUser }, guess, {}).mechanism).toBe(mechanism);
  expect(() => chooseOnGuess(ASKED, { people: "many", items: "13" }, {})).toThrow(/^guess must be/);
});
