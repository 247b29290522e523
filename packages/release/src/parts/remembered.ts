/** As many as sliders ask for again and again. */
const MOST = 200;

/** The function of a public value, with its last results kept: a plan takes up to a tenth of a second, and is asked for often. */
export function remembered<Input extends object, Result>(
  compute: (input: Input) => Result,
  keyOf: (input: Input) => string = textOf,
): (input: Input) => Result {
  const results = new Map<string, Result>();
  return (input) => {
    const key = keyOf(input);
    const known = results.get(key);
    if (known !== undefined) return known;
    const result = compute(input);
    if (results.size >= MOST) results.clear();
    results.set(key, result);
    return result;
  };
}

function textOf(input: object): string {
  return Object.values(input).join(" ");
}
