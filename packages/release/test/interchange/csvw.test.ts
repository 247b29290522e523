import { describe, expect, it } from "vitest";
import { readCsvw, toCsvw } from "../../src/index.js";
import { describeWithPython, python } from "../support/python.js";

const SCHEMA = {
  user: "visitor",
  columns: [
    { name: "area", values: ["news", 'a "quoted" name', "日本"], maxItemsPerUser: 3 },
    { name: "day" },
  ],
};

/** As the library csvw-eo writes it, shortened. */
const PENGUINS = {
  "@context": ["http://www.w3.org/ns/csvw", "csvw-eo-context.jsonld"],
  "@type": "Table",
  privacyUnit: "penguin_id",
  maxContributions: 3,
  maxLength: 344,
  publicLength: null,
  tableSchema: {
    columns: [
      {
        "@type": "Column",
        name: "species",
        datatype: "string",
        privacyId: false,
        partitions: ["Adelie", "Gentoo"].map((partitionValue) => ({
          "@type": "Partition",
          predicate: { partitionValue },
          maxLength: 152,
          maxGroupsPerUnit: 3,
          maxContributions: 1,
        })),
        keyValues: ["Adelie", "Gentoo"],
        invariantPublicKeys: true,
        maxGroupsPerUnit: 2,
      },
      { "@type": "Column", name: "bill", datatype: "double", privacyId: false, minimum: 32.1 },
      { "@type": "Column", name: "penguin_id", datatype: "positiveInteger", privacyId: true },
    ],
  },
};

/** The same with one field of the table, or of the first column, replaced. */
function table(fields: object): string {
  return JSON.stringify({ ...PENGUINS, ...fields });
}

function species(fields: object): string {
  const [first, ...rest] = PENGUINS.tableSchema.columns;
  return table({ tableSchema: { columns: [{ ...first, ...fields }, ...rest] } });
}

describe("CSVW-EO metadata", () => {
  it("read back as they were written", () => {
    expect(readCsvw(toCsvw(SCHEMA))).toEqual(SCHEMA);
  });

  it("have the column that identifies people, public values, and the smaller of both bounds", () => {
    expect(readCsvw(table({}))).toEqual({
      user: "penguin_id",
      columns: [
        { name: "species", values: ["Adelie", "Gentoo"], maxItemsPerUser: 2 },
        { name: "bill", maxItemsPerUser: 3 },
      ],
    });
  });

  it("may write names with a prefix, the old one too", () => {
    const { privacyUnit, ...rest } = PENGUINS;
    for (const name of ["csvw-eo:privacyUnit", "csvw-safe:privacyUnit"])
      expect(readCsvw(JSON.stringify({ ...rest, [name]: privacyUnit })).user).toBe("penguin_id");
  });

  it.each([false, null, undefined])("list values that aren't public where that isn't said: %s", (said) => {
    const [column] = readCsvw(species({ invariantPublicKeys: said })).columns;
    expect(column).toEqual({ name: "species", hasPrivateValues: true, maxItemsPerUser: 2 });
  });

  it("may have public values in partitions alone, or in whole numbers", () => {
    expect(readCsvw(species({ keyValues: undefined })).columns[0].values).toEqual(["Adelie", "Gentoo"]);
    const numbers = species({ keyValues: [3, 1, 3], partitions: undefined });
    expect(readCsvw(numbers).columns[0].values).toEqual(["3", "1"]);
  });

  it("may have ranges of numbers as partitions, which aren't candidates", () => {
    const ranges = [{ predicate: { lowerBound: 0, upperBound: 9 } }];
    expect(readCsvw(species({ keyValues: undefined, partitions: ranges })).columns[0].values).toBeUndefined();
  });

  it.each([
    ["text that isn't JSON", "{", "the metadata must be JSON"],
    ["a list", "[]", "the metadata must be an object"],
    ["a group of tables", table({ "@type": "TableGroup" }), '@type must be "Table"; got "TableGroup"'],
    ["no unit", table({ privacyUnit: null }), "privacyUnit must be the name of a column"],
    ["a unit that isn't a column", table({ privacyUnit: "nest" }), 'true for the column "nest" and for no'],
    ["two units", species({ privacyId: true }), 'true for the column "penguin_id" and for no other'],
    ["no columns", table({ tableSchema: {} }), "columns must be a list in tableSchema"],
    ["a column twice", species({ name: "bill" }), 'columns must be different from each other; got "bill"'],
    ["half a contribution", table({ maxContributions: 1.5 }), "maxContributions must be an integer >= 1"],
    ["no group", species({ maxGroupsPerUnit: 0 }), "maxGroupsPerUnit must be an integer >= 1; got 0"],
    ["other values", species({ keyValues: ["Adelie"] }), "partitions must be the same values as keyValues"],
    ["truths as values", species({ keyValues: [true] }), "keyValues must be a list of texts or whole"],
    ["an empty value", species({ keyValues: [""] }), "keyValues must be a list of texts or whole numbers"],
    ["a word for true", species({ privacyId: "no" }), "privacyId must be true or false"],
    ["a field twice", table({ "csvw-eo:privacyUnit": "bill" }), "privacyUnit must be written once"],
  ])("are refused with %s", (_, text, message) => {
    expect(() => readCsvw(text)).toThrow(message);
  });
});

describeWithPython("csvw_eo", "the library csvw-eo", () => {
  it("takes the metadata that we write", () => {
    const read = python(
      "import json, sys; from csvw_eo.validate_metadata import validate_metadata as v; print(json.dumps(v(json.load(sys.stdin)).to_dict()))",
      toCsvw(SCHEMA),
    );
    expect(readCsvw(read)).toEqual(SCHEMA);
  });
});
