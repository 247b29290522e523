/**
 * The words of SQL that people type: queries and conditions on rows. Comments are dropped: what an engine gets is printed anew, so
 * it never sees one. A character that engines read in different ways (a backslash in a text, a dollar sign, a bracket) is refused.
 * @module
 */

/** A part of a condition. */
export interface Token {
  /** A word without quotes, a quoted name, a text, a number, an operator or sign, or the end. */
  readonly kind: "word" | "name" | "text" | "number" | "sign" | "end";
  /** Without quotes. A sign and a number are as written. */
  readonly text: string;
}

/** A name as written: engines treat names with and without quotes differently. */
export interface Name {
  readonly text: string;
  readonly isQuoted: boolean;
}

const TOKENS =
  /(?<space>\s+|--[^\n]*|\/\*(?:[^*]|\*(?!\/))*\*\/)|(?<word>[\p{L}_][\p{L}\p{N}_]*)|"(?<name>(?:[^"\\\0]|"")+)"|`(?<tick>[^`\\\0]+)`|'(?<text>(?:[^'\\\0]|'')*)'|(?<number>(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)(?![\p{L}_])|(?<sign><=|>=|<>|!=|\|\||::|[(),.;*+\-/%=<>])/uy;

/** `refuse` makes the error for what isn't a word: a character. */
export function tokensOf(text: string, refuse: (got: string) => Error): Token[] {
  const tokens: Token[] = [];
  for (let place = 0; place < text.length; ) {
    TOKENS.lastIndex = place;
    const match = TOKENS.exec(text);
    if (match?.groups === undefined) throw refuse(`the character ${JSON.stringify(text[place])}`);
    place = TOKENS.lastIndex;
    const token = tokenOf(match.groups);
    if (token !== undefined) tokens.push(token);
  }
  return [...tokens, { kind: "end", text: "the end" }];
}

function tokenOf(groups: Readonly<Record<string, string | undefined>>): Token | undefined {
  const { word, name, tick, text, number, sign } = groups;
  if (word !== undefined) return { kind: "word", text: word };
  if (name !== undefined) return { kind: "name", text: name.replaceAll('""', '"') };
  if (tick !== undefined) return { kind: "name", text: tick };
  if (text !== undefined) return { kind: "text", text: text.replaceAll("''", "'") };
  if (number !== undefined) return { kind: "number", text: number };
  return sign === undefined ? undefined : { kind: "sign", text: sign };
}
