/**
 * A place in the words of a query. A word that doesn't fit is refused by its name, so that the author knows what to leave out.
 * @module
 */
import { mustBeButIs, type Name, Refusal, type Token, tokensOf } from "winnow-release";
import { untrusted } from "./query-tokens.js";

/** Words of SQL that aren't names unless they are quoted. The ones that the grammar doesn't use are refused by name. */
const RESERVED = new Set(
  `SELECT FROM WHERE AND OR NOT NULL TRUE FALSE IS IN LIKE ILIKE BETWEEN CASE WHEN THEN ELSE END AS CAST TRY_CAST ON USING
  JOIN INNER LEFT RIGHT FULL CROSS OUTER NATURAL LATERAL GROUP HAVING ORDER LIMIT OFFSET FETCH UNION INTERSECT EXCEPT DISTINCT
  ALL WITH WINDOW OVER QUALIFY TABLESAMPLE SAMPLE PREWHERE FINAL SETTINGS FORMAT ARRAY VALUES PIVOT UNPIVOT FOR INTO TOP
  EXISTS ANY SOME COLLATE ESCAPE FILTER SIMILAR GLOB ASOF ANTI SEMI GLOBAL EXCLUDE REPLACE BY UNNEST ONLY`.split(
    /\s+/,
  ),
);

const LONGEST_NUMBER = 40;
/** A longer query could nest deeper than the reader can follow. */
const MOST_TOKENS = 2000;

/** Words before a parenthesis that are not functions. */
export const NEVER_CALLED = new Set(
  [...RESERVED].filter((word) => !["LEFT", "RIGHT", "REPLACE"].includes(word)),
);

const HINTS: Readonly<Record<string, string>> = {
  DISTINCT: " Leave it out: each person counts once for each item anyway.",
  ORDER: " Leave it out: the order of the rows doesn't matter.",
};

export class QueryCursor {
  readonly #tokens: readonly Token[];
  #place = 0;

  constructor(query: string) {
    this.#tokens = tokensOf(query, untrusted);
    if (this.#tokens.length > MOST_TOKENS) throw untrusted(`more than ${MOST_TOKENS} words and signs`);
  }

  protected get next(): Token {
    return this.#tokens[this.#place]!;
  }

  protected list<T>(read: () => T): T[] {
    const list = [read()];
    while (this.takeSign(",")) list.push(read());
    return list;
  }

  protected isName(): boolean {
    const { kind, text } = this.next;
    return kind === "name" || (kind === "word" && !RESERVED.has(text.toUpperCase()));
  }

  protected name(): Name {
    if (!this.isName()) throw this.unexpected();
    const { kind, text } = this.next;
    this.take();
    return { text, isQuoted: kind === "name" };
  }

  protected word(): string {
    if (this.next.kind !== "word") throw this.unexpected();
    return this.take().text;
  }

  protected number(): string {
    const { kind, text } = this.next;
    if (kind !== "number" || text.length > LONGEST_NUMBER || /e[+-]?\d{4}/i.test(text))
      throw this.unexpected();
    this.take();
    return text;
  }

  protected isWord(word: string): boolean {
    return this.next.kind === "word" && this.next.text.toUpperCase() === word;
  }

  protected takeWord(word: string): boolean {
    if (!this.isWord(word)) return false;
    this.take();
    return true;
  }

  protected isSign(sign: string): boolean {
    return this.next.kind === "sign" && this.next.text === sign;
  }

  protected takeSign(sign: string): boolean {
    if (!this.isSign(sign)) return false;
    this.take();
    return true;
  }

  protected takeAny(operators: readonly string[]): string | undefined {
    return operators.find((each) => (/\w/.test(each) ? this.takeWord(each) : this.takeSign(each)));
  }

  protected expectWord(word: string): void {
    if (!this.takeWord(word)) throw this.unexpected();
  }

  protected expectSign(sign: string): void {
    if (!this.takeSign(sign)) throw this.unexpected();
  }

  protected unexpected(): Refusal {
    const { kind, text } = this.next;
    const before = this.#tokens[this.#place - 1];
    if (kind === "end") return untrusted("a query that ends too early");
    if (before?.kind === "sign" && before.text === ";")
      return new Refusal("bad-query", mustBeButIs("--query", "one statement", "more after the semicolon"));
    const isReserved = kind === "word" && RESERVED.has(text.toUpperCase());
    return untrusted(isReserved ? text.toUpperCase() : JSON.stringify(text), HINTS[text.toUpperCase()]);
  }

  protected get afterNext(): Token | undefined {
    return this.#tokens[this.#place + 1];
  }

  protected take(): Token {
    return this.#tokens[this.#place++]!;
  }
}
