/** What `plan` promises, releases keep: the recall of real runs on rows against the prediction on the same counts. */
import { rmSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { candidatesOf, countVisitors, generateCsv } from "winnow-release";
import { amount } from "../../../core/test/support/amount.js";
import { winnowHere } from "../support/in-process.js";
import { folder } from "../support/winnow.js";

/** Baskets by Zipf's law: few products that many buy, many that few buy. */
const BASKETS = { items: 400, users: 1500, rows: 6000, seed: "baskets" };
const RELEASES = amount(8, 20);
const K = 10;

describe("the recall of releases", () => {
  it.each([
    ["a public list", ["--domain", "areas.txt"], ["--epsilon", "0.3"], "top-k-with-gap"],
    ["an unknown domain", ["--delta", "1e-4"], ["--epsilon", "2"], "stable-top-k-fixed"],
  ])("over %s is what plan predicts, within its error", async (_, domain, price, mechanism) => {
    const place = folder({
      "visits.csv": [...generateCsv(BASKETS)].join(""),
      "areas.txt": candidatesOf(BASKETS).join("\n"),
    });
    const asked = ["-k", String(K), ...price, ...domain, "--json"];
    const planned = await winnowHere(place, [
      "plan",
      "--public",
      "visits.csv",
      "--mechanism",
      mechanism,
      "--runs",
      "500",
      "--seed",
      "recall",
      ...asked,
    ]);
    const { recall } = JSON.parse(planned.stdout).rows[0].utility;
    expect(recall.mean).toBeGreaterThan(0.3);
    expect(recall.mean).toBeLessThan(0.99); // else nothing could be told apart
    const recalls: number[] = [];
    for (let release = 0; release < RELEASES; release++) {
      const { stdout } = await winnowHere(place, ["top", "visits.csv", ...asked, "--yes"]);
      recalls.push(recallOf(JSON.parse(stdout).answer.winners));
      rmSync(place.file("winnow.ledger"), { force: true });
    }
    const mean = recalls.reduce((sum, one) => sum + one, 0) / RELEASES;
    const error = Math.hypot(recall.standardError, recall.standardDeviation / Math.sqrt(RELEASES));
    // Seven standard errors: by the laws of the two recalls a right prediction fails less than once in 10^10 runs.
    expect(Math.abs(mean - recall.mean), `released ${mean}, planned ${recall.mean}`).toBeLessThan(7 * error);
  });
});

const { items, users } = countVisitors(BASKETS);
const counts = new Map(items.map((item, i) => [item, users[i]]));
const last = users.toSorted((a, b) => b - a)[K - 1];

/** The share of the true winners that is named; among equals at the end any will do. */
function recallOf(winners: readonly { readonly item: string }[]): number {
  const sizes = winners.map(({ item }) => counts.get(item) ?? 0);
  const above = sizes.filter((size) => size > last).length;
  const room = K - users.filter((size) => size > last).length;
  return (above + Math.min(room, sizes.filter((size) => size === last).length)) / K;
}
