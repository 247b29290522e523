/**
 * A certified logarithm of integers in IEEE + − × alone: cheaper than `Math.log`, and with a proven error,
 * where that of `Math.log` is the engine's affair. An enclosure built on it settles almost every draw; what it
 * leaves open goes to `lnEnclosure`.
 *
 * m = 2^e·x with 1 ≤ x < 2. The first eight digits of x after the point choose a reciprocal r ≈ 1/x of twelve
 * digits, and ln m = e·ln 2 − ln r + ln(1 + f) with f = x·r − 1, |f| < 1.125·2^−9. For m < 2³² the product has
 * 44 digits and f is exact. Guarantee: |fastLn32(m) − ln m| < 2^−47.9, |fastLn(m) − ln m| < 2^−46.9, the sum of
 *   2^−49 (2^−48)   e·ln 2 correctly rounded, below 32 (below 64)
 *   2^−49 (2^−48)   the last addition
 *   0 (1.01·2^−53)  f
 *   3.02·2^−54      −ln r and two additions, all below 1
 *   2^−55.5         what the polynomial of degree 5 leaves out, and its own roundings.
 * Cost: 2 ns, where `Math.log` takes 7; the table takes a tenth of a millisecond, once. Proof: fast-ln.proof.md.
 * @module
 */

/** |fastLn(m) − ln m| is less than this, 2^−46. */
export const FAST_LN_ERROR = 1 / 0x4000_0000_0000;
/** |fastLn32(m) − ln m| is less than this, 2^−47. */
export const FAST_LN32_ERROR = 1 / 0x8000_0000_0000;

/** ln m for an integer 1 ≤ m ≤ 2⁵³, wrong by less than FAST_LN_ERROR. */
export function fastLn(m: number): number {
  if (m < 0x1_0000_0000) return fastLn32(m);
  const head = (m / 0x40_0000) >>> 0; // ⌊m/2²²⌋: enough digits to choose the cell
  const zeros = Math.clz32(head); // at most 21
  return evaluate(m * ((1 << zeros) / 0x40_0000), (head << zeros) >>> 23, 53 - zeros);
}

/** ln m for an integer 1 ≤ m < 2³², wrong by less than FAST_LN32_ERROR. */
export function fastLn32(m: number): number {
  const zeros = Math.clz32(m);
  const scaled = (m << zeros) >>> 0;
  return evaluate(scaled, scaled >>> 23, 31 - zeros);
}

const THIRD = 1 / 3;
const FIFTH = 1 / 5;
/** ln 2 to 46 binary digits, so that its multiples up to 53 are exact, and the rest of it. */
const LN_2_HEAD = 0.693147180559933;
const LN_2_TAIL = 1.23466660414777e-14;

/** ln(2^exponent·x) from x·2³¹ and 256 + j for the cell [1 + j/256, 1 + (j + 1)/256) of x. */
function evaluate(scaled: number, cell: number, exponent: number): number {
  const table = prepared ?? fastLnTable();
  const f = scaled * table[cell] - 1;
  const square = f * f;
  const rest = square * (f * THIRD - 0.5 + square * (f * FIFTH - 0.25));
  return table[exponent] + (table[cell + 256] + f + rest);
}

let prepared: Float64Array | undefined;

/**
 * [e] is e·ln 2 for 0 ≤ e ≤ 53; [256 + j] is r·2^−31 and [512 + j] is −ln r for the reciprocal r of cell j. Built when it is
 * first needed, and once.
 *
 * −ln r of a cell is that of the cell before plus 2·atanh z for a small z = d/s of integers. Summed in two parts, of which the
 * heads, z to 24 digits, add up exactly; the tails are so small that their rounding adds up to less than 2^−60.
 */
export function fastLnTable(): Float64Array {
  if (prepared !== undefined) return prepared;
  const table = new Float64Array(768);
  for (let e = 0; e <= 53; e++) table[e] = e * LN_2_HEAD + e * LN_2_TAIL;
  let [before, heads, tails] = [4096, 0, 0];
  for (let j = 0; j < 256; j++) {
    const reciprocal = Math.round(0x20_0000 / (513 + 2 * j)); // 4096 over the middle of the cell
    const [d, s] = [before - reciprocal, before + reciprocal];
    const z = d / s;
    const head = Math.fround(z);
    const square = z * z;
    heads += head;
    tails += (d - head * s) / s + z * square * (THIRD + square * (FIFTH + square / 7));
    table[256 + j] = reciprocal / 0x800_0000_0000; // over 2^(12 + 31)
    table[512 + j] = 2 * (heads + tails);
    before = reciprocal;
  }
  prepared = table;
  return table;
}
