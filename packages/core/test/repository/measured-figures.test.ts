/** No claim without its command: whoever reads how fast something is must be told how to measure it. */
import { describe, expect, it } from "vitest";
import { byPath, projectFiles } from "./project.js";

/** A time, or how many times as long something takes. */
const FIGURE =
  /(?:\d ?(?:ns|µs|ms|s)\b)|(?:(?:\d|tens of|some|few) (?:nano|micro|milli)?seconds\b)|(?:\d times (?:as long|the engine))/;
/** A command that measures, or the page that such a command wrote. */
const SOURCE = /`(?:npm run [\w:-]+|npx [\w-]+|winnow audit)|benchmarks\.md\)/;
const CODE = /^```.*?^```$/gms;

const pages = projectFiles(
  /^(README\.md|docs\/(index|limits|limits-size|limits-unchecked|attack-model|mechanisms\/[\w-]+)\.md)$/,
);

function unsourced(page: string): string[] {
  const paragraphs = page.replace(CODE, "").split(/\n{2,}/);
  return paragraphs.filter((paragraph) => FIGURE.test(paragraph) && !SOURCE.test(paragraph));
}

describe("the times that the documents quote", () => {
  it.each(byPath(pages))("%s names the command that measures them", (_, { text }) => {
    expect(unsourced(text)).toEqual([]);
  });

  it.each(["It takes 50 ns.", "It takes 1.5 times as long.", "Some tens of microseconds a query."])(
    "would be missed if there were none: %s",
    (claim) => {
      expect(unsourced(claim)).toEqual([claim]);
      expect(unsourced(`${claim} See [benchmarks](../benchmarks.md).`)).toEqual([]);
    },
  );
});
