/**
 * UNSAFE, for study only: Laplace noise as JavaScript code on the web draws it, one word of the system's generator turned into
 * a uniform number and that into noise by a logarithm. There are 2^32 values of noise among 2^62 doubles, and a noisy count
 * is one of them plus the count: which count it was can be read off [Mir12].
 * @module
 */

/** UNSAFE: the noise for this word of 32 bits. */
export function floatLaplace(word: number, scale: number): number {
  const uniform = word / 0x1_0000_0000 - 0.5;
  return -scale * Math.sign(uniform) * Math.log(1 - 2 * Math.abs(uniform));
}
