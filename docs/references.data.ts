/** The bibliography, for the page of references. */
import { type Reference, references } from "./.vitepress/bibliography.js";

declare const data: Reference[];

export { data };

export default { watch: ["./references.bib"], load: references };
