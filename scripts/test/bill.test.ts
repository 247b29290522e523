import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { describeWithPython, python } from "../../packages/release/test/support/python.js";
import { type Artefact, cycloneDx, spdx } from "../release/bill.js";
import { LockFile, purl, sorted } from "../release/components.js";

const lock = new LockFile(readFileSync(new URL("../../package-lock.json", import.meta.url), "utf8"));
const built = (path: string) => readFileSync(new URL(`../../packages/${path}`, import.meta.url), "utf8");
const licences = ["cli/bin/licenses.md", "cli/dist/studio-page/licenses.txt"].map(built);
const components = sorted([
  ...licences.flatMap((text) => lock.bundled(text)),
  ...lock.installed("packages/cli"),
]);

const ARTEFACT: Artefact = {
  file: "winnow-cli-0.1.0.tgz",
  name: "winnow-cli",
  version: "0.1.0",
  description: "the command line",
  type: "application",
  purl: purl("winnow-cli", "0.1.0"),
  sha256: "ab".repeat(32),
  components,
  time: "2026-01-02T03:04:05Z",
};

const CYCLONEDX = `
import sys
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
error = JsonStrictValidator(SchemaVersion.V1_6).validate_str(sys.stdin.read())
print("valid" if error is None else "invalid")`;
const SPDX = `
import os, sys, tempfile
from spdx_tools.spdx.parser.parse_anything import parse_file
from spdx_tools.spdx.validation.document_validator import validate_full_spdx_document
path = os.path.join(tempfile.mkdtemp(), "bill.spdx.json")
with open(path, "w") as file:
    file.write(sys.stdin.read())
try:
    messages = validate_full_spdx_document(parse_file(path))
    print("valid" if not messages else "invalid")
except Exception:
    print("invalid")
os.remove(path)`;

describe("the components of the command line", () => {
  const named = (name: string) => components.filter((each) => each.name === name);

  it("have what is bundled into the program and into its page", () => {
    for (const name of ["commander", "hono", "zod", "preact", "hyparquet"])
      expect(named(name)).toMatchObject([
        { isBundled: true, license: expect.stringMatching(/^(MIT|Apache-2\.0)$/) },
      ]);
  });

  it("have what npm installs beside it, and what that needs", () => {
    for (const name of ["pg", "libsql", "pg-protocol"])
      expect(named(name)).toMatchObject([{ isBundled: false }]);
    expect(named("@libsql/linux-x64-gnu")).toMatchObject([{ isOptional: true }]);
  });

  it("have nothing of ours, nothing twice, and a hash of each archive", () => {
    const keys = components.map(({ name, version }) => `${name}@${version}`);
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys.filter((key) => key.startsWith("winnow"))).toEqual([]);
    for (const { sha512 } of components) expect(sha512).toMatch(/^[\da-f]{128}$/);
  });

  it("refuse a package that the lock file doesn't have", () => {
    expect(() => lock.bundled("## left-pad - 9.9.9 (MIT)")).toThrow(
      "left-pad 9.9.9 must be in the lock file",
    );
  });
});

it("the libraries bring nothing of others", () => {
  for (const folder of ["packages/core", "packages/audit", "packages/release"])
    expect(lock.installed(folder)).toEqual([]);
});

describeWithPython("cyclonedx", "the bill in CycloneDX 1.6", () => {
  const validated = (bill: object) => python(CYCLONEDX, JSON.stringify(bill)).trim();

  it("is valid by the schema", () => expect(validated(cycloneDx(ARTEFACT))).toBe("valid"));

  it("isn't with a licence that nobody knows", () => {
    const wrong = { ...components[0], license: "Secret-1.0" };
    expect(validated(cycloneDx({ ...ARTEFACT, components: [wrong] }))).toBe("invalid");
  });
});

describeWithPython("spdx_tools", "the bill in SPDX 2.3", () => {
  const validated = (bill: object) => python(SPDX, JSON.stringify(bill)).trim();

  it("is valid by its rules", () => expect(validated(spdx(ARTEFACT))).toBe("valid"));

  it("isn't without a name", () => {
    expect(validated({ ...spdx(ARTEFACT), name: undefined })).toBe("invalid");
  });
});
