/**
 * The one worker of this page. It is started with the page, so that it is warm when the first file arrives.
 * @module
 */
import { connectStudio } from "../../worker/connect-studio.js";

export const studio = connectStudio();
