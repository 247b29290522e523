export { expEnclosure } from "./exp.js";
export { Interval, type IntervalLike } from "./interval.js";
export { ln2, lnEnclosure } from "./ln.js";
export { Rational, type RationalLike, type Rounding, rational } from "./rational.js";
export { sqrtEnclosure } from "./sqrt.js";
