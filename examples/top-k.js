/**
 * From rows to a published top five and its picture, with the command line. The visits are generated, the same every time;
 * the release is real: its noise is fresh, it is charged to a ledger, and it comes out differently every time.
 *
 *     npm run example
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { candidatesOf, generateCsv } from "winnow-release";

const WINNOW = fileURLToPath(new URL("../packages/cli/bin/winnow.js", import.meta.url));
const COMMAND =
  "top visits.csv --item area --user user -k 5 --epsilon 1/2 --domain areas.txt --counts --plot areas.svg".split(
    " ",
  );

const folder = mkdtempSync(join(tmpdir(), "winnow-example-"));
writeFileSync(join(folder, "visits.csv"), [...generateCsv()].join("")); // who visited which area, 20,000 rows
writeFileSync(join(folder, "areas.txt"), candidatesOf().join("\n")); // the areas there are, which isn't a secret

console.log(`20,000 generated visits are in ${folder}. There:\n\n$ winnow ${COMMAND.join(" ")}`);
const { status } = spawnSync(process.execPath, [WINNOW, ...COMMAND], { cwd: folder, stdio: "inherit" });
if (status === 0) console.log(`The picture is ${join(folder, "areas.svg")}`);
process.exitCode = status ?? 1;
