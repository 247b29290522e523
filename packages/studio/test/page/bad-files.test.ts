import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { parquetWriteBuffer } from "hyparquet-writer";
import { describe, expect, it } from "vitest";
import { button, chooseFile, countPeople, region } from "../../scripts/steps.js";
import { expectProblem } from "../support/expect-problem.js";
import { studioBrowser } from "../support/studio-browser.js";

const studio = studioBrowser();

const SECRET = "patient-4711";
const ROWS = Array.from({ length: 20_000 }, (_, row) => `${SECRET}-${row},area-${row % 7}`);
const CSV = ["user,area", ...ROWS].join("\n");
const PARQUET = Buffer.from(
  parquetWriteBuffer({
    columnData: [
      { name: "user", data: ROWS.map((row) => row.split(",")[0]!), type: "STRING" },
      { name: "area", data: ROWS.map((row) => row.split(",")[1]!), type: "STRING" },
    ],
  }),
);

describe("a file that the page cannot use is refused in one sentence, before anything is counted", () => {
  it.each([
    ["an empty file", "rows.csv", "", "The file is empty."],
    [
      "a binary file",
      "rows.csv",
      Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 1, 2, 0xff, 10, 0]),
      "does not begin with a line of text",
    ],
    [
      "a picture",
      "rows.csv",
      Buffer.from("89504e470d0a1a0a0000000d49484452", "hex"),
      "does not begin with a line of text",
    ],
    ["an Excel workbook", "rows.xlsx", Buffer.from("504b03041400", "hex"), "This is an Excel workbook"],
    ["a header with a name twice", "rows.csv", "user,user\nu1,a\n", "a line of distinct names"],
    [
      "half a gzip",
      "rows.csv.gz",
      gzipSync(CSV).subarray(0, 15),
      "The file is damaged, ends too early, or was changed after you chose it.",
    ],
    [
      "half a Parquet file",
      "rows.parquet",
      PARQUET.subarray(0, PARQUET.length / 2),
      "The file is damaged, ends too early, or was changed after you chose it.",
    ],
  ])("%s", async (_, name, content, sentence) => {
    const page = await studio.visit();
    await chooseFile(page, { name, content });
    await expectProblem(page, sentence);
    expect(await button(page, "Count people").count()).toBe(0);
    expect(await page.locator("body").innerText()).not.toContain(SECRET);
  });

  it("a file of two gigabytes, by what it declares", async () => {
    const folder = await mkdtemp(join(tmpdir(), "winnow-large-"));
    try {
      const path = join(folder, "rows.csv");
      const file = await open(path, "w");
      await file.truncate(2 ** 31); // the disk holds nothing of it
      await file.close();
      const page = await studio.visit();
      await chooseFile(page, path);
      await expectProblem(page, "The file is larger than the 1 GB that the page reads.");
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it("a gzip that breaks off while it is counted", async () => {
    const page = await studio.visit();
    const packed = gzipSync(CSV);
    await chooseFile(page, { name: "rows.csv.gz", content: packed.subarray(0, packed.length - 100) });
    await expectProblem(page, "The file is damaged, ends too early, or was changed after you chose it.");
    expect(await page.locator("body").innerText()).not.toContain(SECRET);
  });

  it("one column only: who has what cannot be told from it, and that is said", async () => {
    const page = await studio.visit();
    await chooseFile(page, { name: "rows.csv", content: "user\nu1\nu2\n" });
    await page.getByText("The file has one column, and a row needs two: a person and an item.").waitFor();
    await page.getByText("Choose two different columns first.").waitFor();
    expect(await button(page, "Count people").isDisabled()).toBe(true);
    await page.getByLabel("Item column").selectOption("user");
    await page.getByLabel("Person column").selectOption("user");
    expect(await button(page, "Count people").isDisabled()).toBe(true);
  });
});

describe("a file in another form", () => {
  it.each([
    ["gzip", "rows.csv.gz", gzipSync(CSV)],
    ["Parquet", "rows.parquet", PARQUET],
    ["TSV", "rows.tsv", CSV.replaceAll(",", "\t")],
  ])("is counted all the same: %s", async (_, name, content) => {
    const page = await studio.visit();
    await chooseFile(page, { name, content });
    await countPeople(page);
    expect(await region(page, "Your data").innerText()).toContain("20,000 people · 7 items");
  });
});
