/**
 * The worker's own thread: exposes the studio to the page.
 * @module
 */
import { expose } from "comlink";
import { refusalsCross } from "./refusals-cross.js";
import { createStudio } from "./studio.js";

refusalsCross();
expose(createStudio());
