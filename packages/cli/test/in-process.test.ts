import { expect, it } from "vitest";
import { winnowHere } from "./support/in-process.js";
import { VISITS } from "./support/visits.js";
import { folder } from "./support/winnow.js";

const FILES = { "visits.csv": VISITS, "scores.txt": "5\n4\n1\n0\n", "winnow.json": '{ "epsilon": "1/2" }' };
const SIMULATED = ["--scores", "scores.txt", "--runs", "500", "--seed", "here", "--json"];

/** What the tests of commands rely on that do not start the program for each case. */
it.each(
  [
    ["help", "top"],
    ["help"],
    ["top", "visits.csv", "-k", "2", "--domain-size", "9", "--dry-run"],
    ["top", "visits.csv", "-k", "0", "--delta", "1e-6"],
    ["top", "none.csv", "-k", "2", "--delta", "1e-6"],
    ["top", "visits.csv", "-k", "2", "--epsilom", "1"],
    ["budget", "init", "visits.csv", "--rho", "1/2"],
    ["budget", "init", "visits.csv", "--epsilon", "1", "--rho", "1"],
    ["budget", "show", "nothing"],
    ["plan", "-k", "2", "--scores", "scores.txt", "--runs", "100", "--seed", "here", "--json"],
    ["simulate", "top-k", "-k", "2", "--method", "peel", "--scale", "2", ...SIMULATED],
    ["simulate", "top-k-with-gap", "-k", "2", "--epsilon", "1", "--resolution", "1/3", ...SIMULATED],
    ["simulate", "permute-and-flip", "--scale", "0", ...SIMULATED],
  ].map((args) => [args.join(" "), args] as const),
)("the program says what its commands say here: %s", async (_, args) => {
  expect(await winnowHere(folder(FILES), args)).toEqual(await folder(FILES).winnow(args));
});
