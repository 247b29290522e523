import { describe, expect, it } from "vitest";
import { guessColumns } from "../../src/lines/guess-columns.js";

describe("guessColumns", () => {
  it.each([
    [["user", "item"], "item", "user"],
    [["Item ID", "USER_ID", "time"], "Item ID", "USER_ID"],
    [["customer", "sku"], "sku", "customer"],
    [["visitor-id", "page"], "page", "visitor-id"],
  ])("knows %j by name", (header, item, user) => {
    expect(guessColumns(header)).toMatchObject({ item, user });
  });

  it("gives the other of two columns the other role, and says so", () => {
    expect(guessColumns(["user", "fruit"])).toEqual({
      item: "fruit",
      user: "user",
      why: 'By its name, "user" is the person, so "fruit" is the item.',
    });
    expect(guessColumns(["guest", "product"])).toMatchObject({ item: "product", user: "guest" });
  });

  it("says what it cannot tell", () => {
    expect(guessColumns(["a", "b"])).toEqual({
      why: "The names of the columns don't show which is the item and which is the person.",
    });
    expect(guessColumns(["user", "a", "b"])).toMatchObject({
      user: "user",
      why: expect.stringContaining("which is the item"),
    });
    expect(guessColumns([])).not.toHaveProperty("item");
  });

  it("never gives one column both roles", () => {
    for (const name of ["user", "item", "name"])
      expect(guessColumns([name])).not.toMatchObject({ item: name, user: name });
  });
});
