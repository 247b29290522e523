/**
 * The file that a program starts as its engine.
 * @module
 */
import { columnsOfItem } from "./asked.js";
import { columnsOfWhere, fitting, itemsOfTexts, sparkCondition, sparkItems } from "./condition.js";
import { serve } from "./engine.js";
import { makePlan } from "./plan.js";
import { FORMS, Session } from "./session.js";

await serve({
  ...{ ...FORMS, Session, makePlan },
  ...{ columnsOfItem, columnsOfWhere, fitting, itemsOfTexts, sparkCondition, sparkItems },
});
