import { describe, expect, it } from "vitest";
import { locationScheme } from "../../src/sources/source.js";
import { expectRefusal } from "./support/refusals.js";

describe("The scheme of a location", () => {
  it("is what stands before its slashes, in small letters", () => {
    expect(locationScheme("postgres://host/x")).toBe("postgres");
    expect(locationScheme("ClickHouse://a:b@host")).toBe("clickhouse");
    for (const file of [
      "-",
      "visits.csv",
      "./a:b@c.csv",
      "/data/a:b@c.csv",
      "day=1/*.csv",
      "./password=x.csv",
    ])
      expect(locationScheme(file)).toBeUndefined();
  });

  it.each([
    "postgres:ann:a secret of postgres@host/x",
    "postgresql:/ann:a secret of postgres@host/x",
    "clickhouse:ann",
    "jdbc:postgresql://ann:a secret of postgres@host/x",
    "ann:a secret of postgres@host:5432/x",
    "host=db.example user=ann password=a secret of postgres",
  ])(
    "is missed where a server is meant (%#): the password is not shown as the name of a file",
    async (location) => {
      await expectRefusal(
        Promise.resolve().then(() => locationScheme(location)),
        "usage",
      );
    },
  );
});
