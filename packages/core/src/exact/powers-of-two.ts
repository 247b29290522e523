/**
 * 2^0 … 2^128 as doubles, exactly: what words, octaves and counts are scaled by. By doubling, because `**` on doubles is the
 * engine's affair. 1/TWO_TO[n] is exact too.
 * @module
 */
export const TWO_TO = /* @__PURE__ */ powers(129);

function powers(count: number): Float64Array {
  const table = new Float64Array(count).fill(1);
  for (let exponent = 1; exponent < count; exponent++) table[exponent] = 2 * table[exponent - 1];
  return table;
}
