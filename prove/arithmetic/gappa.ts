/**
 * Gappa proves bounds on the error of floating-point code. A script says which operations round and what is known of the
 * inputs; Gappa finds a proof of the goal, or doesn't. With `?` in place of a bound it gives the best one it can prove.
 * @module
 */
import { execFile } from "node:child_process";
import { Rational } from "winnow-dp";

export interface GappaAnswer {
  readonly isProven: boolean;
  /** The upper end of each enclosure asked for by `?`. */
  readonly bounds: readonly Rational[];
}

/** Milliseconds; a proof takes a tenth of a second. */
const LONGEST = 20_000;

export function runGappa(script: string): Promise<GappaAnswer> {
  return new Promise((resolve, reject) => {
    const child = execFile(
      "gappa",
      ["-Eno-auto-dichotomy"],
      { timeout: LONGEST },
      (error, stdout, stderr) => {
        const said = stdout + stderr;
        if (/syntax error|undefined/i.test(said)) reject(new Error(`${said}\n${script}`));
        else resolve({ isProven: error === null, bounds: boundsIn(said) });
      },
    );
    child.stdin!.end(script);
  });
}

/** `… in [0, 589971774821659789b-107 {…}]` */
function boundsIn(said: string): Rational[] {
  return [...said.matchAll(/ in \[[^,]*, (-?\d+)(?:b(-?\d+))?/g)].map(([, digits, exponent = "0"]) =>
    times2(Rational.of(BigInt(digits)), Number(exponent)),
  );
}

function times2(x: Rational, exponent: number): Rational {
  const power = 1n << BigInt(Math.abs(exponent));
  return exponent < 0 ? x.dividedBy(power) : x.times(power);
}

/** A double as Gappa writes it, exactly: an integer times a power of two. */
export function dyadic(x: number): string {
  let [digits, exponent] = [x, 0];
  while (!Number.isSafeInteger(digits)) [digits, exponent] = [digits * 2, exponent - 1];
  while (digits !== 0 && digits % 2 === 0) [digits, exponent] = [digits / 2, exponent + 1];
  return `${digits}b${exponent}`;
}

/** A rational, rounded up to a few digits. */
export function upTo(x: Rational): string {
  const exponent = Math.ceil(Math.log2(x.toNumber("up"))) - 24;
  const digits = x.times(times2(Rational.ONE, -exponent)).ceil();
  return `${digits}b${exponent}`;
}
