/**
 * The file that a program starts as its engine.
 * @module
 */
import { columnsOfWhere, fitting, sparkCondition } from "./condition.js";
import { serve } from "./engine.js";
import { makePlan } from "./plan.js";
import { FORMS, Session } from "./session.js";

await serve({ ...FORMS, Session, makePlan, columnsOfWhere, fitting, sparkCondition });
