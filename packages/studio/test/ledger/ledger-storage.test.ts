import { describe, expect, it } from "vitest";
import { booksText, readBooks } from "../../src/ledger/ledger-storage.js";

const HEAD = { sequence: 7, hash: "ab".repeat(32) };

describe("the memory of a ledger", () => {
  it("gives back the books that were written, with their data sets", () => {
    const books = new Map([
      ["first", { head: HEAD, datasets: ["visits"] }],
      ["second", { head: HEAD, datasets: [] }],
    ]);
    expect(readBooks(booksText(books))).toEqual(books);
  });

  it.each([
    "",
    "7",
    "null",
    "[]",
    '{"sequence":"7","hash":"ab"}',
    '{"sequence":7}',
    '{"sequence":7.5,"hash":"ab"}',
    '{"books":[{"name":"first","sequence":7,"hash":"ab","datasets":"visits"}]}',
    '{"books":[null]}',
    '{"books":[{"name":"first","sequence":7,"hash":"ab"}]}',
    JSON.stringify(HEAD),
    "{",
  ])("does not take %j for books", (text) => {
    expect(readBooks(text)).toBeUndefined();
  });
});
