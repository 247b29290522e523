import { describe, expect, it } from "vitest";
import { booksText, readBooks } from "../../src/ledger/ledger-storage.js";

const HEAD = { sequence: 7, hash: "ab".repeat(32) };

describe("the memory of a ledger", () => {
  it("gives back the books that were written, with their data sets", () => {
    const books = new Map([
      ["first", { head: HEAD, datasets: ["visits"] }],
      ["second", { head: HEAD }],
    ]);
    expect(readBooks(booksText(books), "first")).toEqual(books);
  });

  it("reads what older pages wrote: one book, about any data set", () => {
    expect(readBooks(JSON.stringify(HEAD), "first")).toEqual(new Map([["first", { head: HEAD }]]));
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
    "{",
  ])("does not take %j for books", (text) => {
    expect(readBooks(text, "first")).toBeUndefined();
  });
});
