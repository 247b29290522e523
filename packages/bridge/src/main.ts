/**
 * The file that a program starts as its engine.
 * @module
 */
import { serve } from "./engine.js";
import { FORMS, Session } from "./session.js";

await serve({ ...FORMS, Session });
