/**
 * Formats of text and how they are told: by the name of the file, never by its rows. What has no telling name is taken for
 * CSV, whose delimiter the header shows.
 * @module
 */

export interface TextFormat<Name extends string = "csv" | "tsv" | "ndjson"> {
  readonly name: Name;
  readonly isCompressed: boolean;
}

const ENDINGS: readonly (readonly [ending: RegExp, name: TextFormat["name"]])[] = [
  [/\.(tsv|tab)$/, "tsv"],
  [/\.(ndjson|jsonl|json)$/, "ndjson"],
];

export function formatByName(fileName: string): TextFormat["name"] {
  const plain = fileName.toLowerCase().replace(/\.gz$/, "");
  return ENDINGS.find(([ending]) => ending.test(plain))?.[1] ?? "csv";
}

/** What the shapes of all text files share. */
export function textFile<Name extends TextFormat["name"]>(
  file: File,
  { name, isCompressed }: TextFormat<Name>,
) {
  return {
    name: file.name,
    format: name,
    bytes: file.size,
    dialect: {
      format: name,
      encoding: "utf-8",
      lines: "each on its own",
      ...(isCompressed && { compression: "gzip" }),
    },
  };
}
