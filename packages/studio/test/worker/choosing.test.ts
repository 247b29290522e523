/** The chooser on a guess: the library's choice, whatever the rows are. */
import { expect, it } from "vitest";
import { choose, countsOfGuess, readGuess } from "winnow-release";
import type { Asked } from "../../src/worker/api.js";
import { chooseOnGuess } from "../../src/worker/choosing.js";

const ASKED: Asked = {
  ...{ kind: "top", k: 20, domain: "unknown", neighbours: "add-remove", epsilon: "1", delta: "1e-6" },
  ...{ counts: true, unit: "one user" },
};

it.each([
  ["4000", "13"],
  ["600", "40"],
])("takes what the chooser of the library takes: %s people with %s items", (people, items) => {
  const found = chooseOnGuess(ASKED, { people, items }, {});
  const { domain: _, groups: __, ...rest } = ASKED;
  const guess = countsOfGuess(readGuess(`people=${people},items-per-person=${items}`));
  const { chosen, others } = choose({ ...rest, domain: { kind: "unknown" } }, { guess });
  const ways = [chosen, ...others].map(({ question, expects }) => ({
    mechanism: question.mechanism,
    right: expects.right!.mean * 20,
  }));
  expect(ways).toContainEqual({ mechanism: found.mechanism, right: found.right });
  expect(found).toMatchObject({ k: 20, origin: guess.origin });
});

it("doesn't depend on the settings that it chooses, and refuses what isn't a guess", () => {
  const guess = { people: "600", items: "40" };
  const first = chooseOnGuess(ASKED, guess, {});
  expect(chooseOnGuess({ ...ASKED, mechanism: first.mechanism, maxItemsPerUser: 7 }, guess, {})).toEqual(
    first,
  );
  expect(() => chooseOnGuess(ASKED, { people: "many", items: "13" }, {})).toThrow(/^guess must be/);
});
