import { describe, expect, it } from "vitest";
import { headText, readHead } from "../../src/ledger/ledger-memory.js";

describe("the memory of a ledger", () => {
  it("gives back the head that was written", () => {
    const head = { sequence: 7, hash: "ab".repeat(32) };
    expect(readHead(headText(head))).toEqual(head);
  });

  it.each([
    "",
    "7",
    "null",
    "[]",
    '{"sequence":"7","hash":"ab"}',
    '{"sequence":7}',
    '{"sequence":7.5,"hash":"ab"}',
    "{",
  ])("does not take %j for a head", (text) => {
    expect(readHead(text)).toBeUndefined();
  });
});
