export { expEnclosure } from "./exp.js";
export { FAST_LN_ERROR, FAST_LN32_ERROR, type FastLn, fastLn, fastLn32, prepareFastLn } from "./fast-ln.js";
export { Interval, type IntervalLike } from "./interval.js";
export { ln2, lnEnclosure } from "./ln.js";
export { Rational, type RationalLike, type Rounding, rational } from "./rational.js";
export { sqrtEnclosure } from "./sqrt.js";
