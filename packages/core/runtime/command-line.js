// Runs the smoke on Node, Bun or Deno and prints its report as JSON.
import { smoke } from "./smoke.js";

console.log(JSON.stringify(await smoke()));
