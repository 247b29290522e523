/**
 * The one script of the studio, for both of its threads: the page starts a worker from the script's own text, so that what both
 * need is loaded once.
 * @module
 */
import "./style/index.css";
import { startPage } from "./page.js";
import { isPage } from "./thread.js";
import { startWorker } from "./worker/worker.js";

if (isPage) startPage();
else startWorker();
