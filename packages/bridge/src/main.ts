/**
 * The file that a program starts as its engine.
 * @module
 */
import { serve } from "./engine.js";

await serve();
