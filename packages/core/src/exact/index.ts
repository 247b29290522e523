export { Rational, type RationalLike, type Rounding, rational } from "./rational.js";
