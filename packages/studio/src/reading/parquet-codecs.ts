/**
 * How the pages of a Parquet file are unpacked, beside Snappy, which the reader of the file does itself. Whether a page has
 * the size that it declares is checked by the reader.
 * @module
 */
import { gunzipSync } from "fflate";
import { decompress } from "fzstd";
import type { Compressors } from "hyparquet";

export const CODECS: Compressors = {
  GZIP: (page) => gunzipSync(page),
  ZSTD: (page) => decompress(page),
};

/** Those that the page can read, by the names that the format gives them. */
export const READABLE_CODECS: readonly string[] = ["UNCOMPRESSED", "SNAPPY", ...Object.keys(CODECS)];
