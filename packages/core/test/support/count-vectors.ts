/**
 * The exact numbers of ../vectors-counts.json, typed. The file's `schema` says what each section is.
 * @module
 */
import vectors from "../vectors-counts.json" with { type: "json" };

export { vectors };
