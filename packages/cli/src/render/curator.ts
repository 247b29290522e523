/**
 * Words for the curator, on standard error: what is about to happen, what is left of the budget, and, marked as such, what
 * must not be passed on.
 * @module
 */
import { visible } from "winnow-release";
import { errorStyle } from "./style.js";
import { wrap } from "./wrap.js";

/** A remark made of public values. */
export function tell(text: string): void {
  const style = errorStyle();
  process.stderr.write(`${style.faint(wrap(visible(text), style))}\n`);
}

/** Something that depends on private rows. */
export function tellPrivately(text: string): void {
  const style = errorStyle();
  process.stderr.write(`  ${style.bad("not for release:")} ${style.faint(visible(text))}\n`);
}
