// Runs the smoke in a worker and hands its report to the page.
import { smoke } from "./smoke.js";

postMessage(await smoke());
