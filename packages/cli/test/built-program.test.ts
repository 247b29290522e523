import { mkdirSync, utimesSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { refuseStale } from "./support/built-program.js";
import { folder } from "./support/winnow.js";

describe("the program that tests start", () => {
  it("is refused if a source in any folder is newer", () => {
    const place = folder({ "winnow.js": "", "a.ts": "", "notes.md": "" });
    mkdirSync(place.file("deep"));
    for (const name of ["a.ts", "winnow.js"]) utimesSync(place.file(name), 1000, 1000);
    expect(() => refuseStale([place.path], place.file("winnow.js"))).not.toThrow();
    utimesSync(place.file("a.ts"), 1000, 1001);
    expect(() => refuseStale([place.path], place.file("winnow.js"))).toThrow("run `npm run build` first");
  });
});
