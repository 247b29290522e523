/**
 * A client of `winnow serve` whose types come from the service's own description (docs/guide/team.md sets one up):
 *
 *     npm install
 *     npm run types                           writes winnow.d.ts from http://127.0.0.1:4477/openapi.json
 *     WINNOW_KEY=$(cat alice.key) npm start
 *
 * It asks what a top five costs, makes the release, and prints the names and what is left. Run it twice: the key of the question
 * is the same, so the second answer is the stored one and costs nothing.
 */
import createClient from "openapi-fetch";
import type { components, paths } from "./winnow.js";

type Ask = components["schemas"]["Ask"];

const winnow = createClient<paths>({
  baseUrl: process.env.SERVICE ?? "http://127.0.0.1:4477",
  headers: { Authorization: `Bearer ${process.env.WINNOW_KEY}` },
});

const path = { name: "visits" };
const body: Ask = { kind: "top", k: 5, epsilon: "1/4" };

const { data: cost, error } = await winnow.POST("/v1/datasets/{name}/cost", { params: { path }, body });
if (cost === undefined) throw new Error(`${error.code}: ${error.detail}`);
console.log(cost.readable);

const answer = await winnow.POST("/v1/datasets/{name}/releases", {
  params: { path, header: { "Idempotency-Key": "top-five-of-november" } },
  body,
});
if (answer.data === undefined) throw new Error(`${answer.error.code}: ${answer.error.detail}`);
console.log(answer.response.status === 201 ? "A new release:" : "The stored release:");
for (const { item, gap } of answer.data.answer.winners) console.log(`  ${item}, ahead by ${gap}`);

const { data: budget } = await winnow.GET("/v1/datasets/{name}/budget", { params: { path } });
console.log(budget?.readable);
