import { symlinkSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { datasetName } from "../../src/release/dataset-name.js";
import { folder } from "../support/winnow.js";

describe("a data set is called", () => {
  it("as it is asked to be", () => {
    expect(datasetName("/data/visits.csv", " visits ")).toBe("visits");
    expect(() => datasetName("visits.csv", " ")).toThrow("--dataset must be a name");
  });

  it("like its file, without folders and through links", () => {
    const place = folder({ "visits.csv": "" });
    symlinkSync(place.file("visits.csv"), place.file("other.csv"));
    expect(datasetName(place.file("visits.csv"), undefined)).toBe("visits.csv");
    expect(datasetName(place.file("other.csv"), undefined)).toBe("visits.csv");
    expect(datasetName("logs/*.csv", undefined)).toBe("*.csv");
  });

  it.each([
    "postgres://ann:secret@h/shop",
    "postgresql://h/shop",
    "postgres://h:5432/shop",
    "postgres://H/shop/",
    "postgres://h/shop?sslmode=require",
  ])("like its server and database, one name for %s", (address) => {
    expect(datasetName(address, undefined)).toBe("postgres://h/shop");
  });

  it("otherwise where the server is another", () => {
    expect(datasetName("postgres://h:6000/shop", undefined)).toBe("postgres://h:6000/shop");
    expect(datasetName("clickhouses://h:8443/shop", undefined)).toBe("clickhouse://h/shop");
    expect(datasetName("trinos://ann:secret@h:8443/Hive/shop", undefined)).toBe("trino://h/hive/shop");
    expect(datasetName("trino://h:9000/hive/shop", undefined)).toBe("trino://h:9000/hive/shop");
  });

  it.each(["postgres:ann:secret@h", "ann:secret@h", "host=h user=ann password=secret"])(
    "nothing where an address was mistyped, which may hold a password: %s",
    (address) => {
      const refusal = refusalOf(() => datasetName(address, undefined));
      expect(refusal).toMatch(/server/);
      expect(refusal).not.toContain("secret");
    },
  );

  it("by nobody's guess on standard input", () => {
    expect(() => datasetName("-", undefined)).toThrow("pass one with --dataset");
  });
});

function refusalOf(act: () => void): string {
  try {
    act();
  } catch (error) {
    return String(error);
  }
  return "";
}
