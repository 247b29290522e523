/** "3 items", "1 item". */
export function numberOf(count: number, noun: string): string {
  return `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
}

/** The words as a sentence of their own. */
export function asSentence(words: string): string {
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}.`;
}

/** "a, b and c". */
export function joined(names: readonly string[]): string {
  const last = names.at(-1) ?? "";
  return names.length < 2 ? last : `${names.slice(0, -1).join(", ")} and ${last}`;
}

/** 98.2 %. */
export function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
