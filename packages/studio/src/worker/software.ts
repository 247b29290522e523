/**
 * Which program made a release.
 * @module
 */
import { version } from "../../package.json";

export const SOFTWARE = { name: "winnow-studio", version };
