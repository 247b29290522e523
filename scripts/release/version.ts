/**
 * The version has one place, the package.json of the root. This writes it wherever npm needs a copy: into each package, where
 * packages name each other, and into the lock file.
 * @module
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Fields of a manifest that name packages. */
const NAMES = ["dependencies", "devDependencies"] as const;
const SEMVER = /^\d+\.\d+\.\d+(?:-[\w.]+)?$/;

interface Manifest {
  readonly name: string;
  version?: string;
  readonly workspaces?: readonly string[];
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

/** The version that all packages of a folder have; throws where one differs. */
export function versionOf(root: string): string {
  const { version } = manifestOf(root);
  if (version === undefined) throw new Error("the package.json of the root must have the version");
  const wrong = packages(root).filter((folder) => {
    const manifest = manifestOf(join(root, folder));
    return withVersion(manifest, version, ours(root)) !== undefined;
  });
  if (wrong.length > 0) throw new Error(`${wrong.join(", ")}: run \`npm run release -- version ${version}\``);
  return version;
}

/** Writes a version into every manifest and the lock file, and names the files that changed. */
export function writeVersion(root: string, version: string): readonly string[] {
  if (!SEMVER.test(version))
    throw new Error(`the version must look like 1.2.3 or 1.2.3-rc.1; got "${version}"`);
  const names = ours(root);
  const changed: string[] = [];
  const write = (path: string, value: unknown) => {
    changed.push(path);
    writeFileSync(join(root, path), `${JSON.stringify(value, undefined, 2)}\n`);
  };
  const top = manifestOf(root);
  if (top.version !== version) write("package.json", { ...top, version });
  for (const folder of packages(root)) {
    const next = withVersion(manifestOf(join(root, folder)), version, names);
    if (next !== undefined) write(join(folder, "package.json"), next);
  }
  const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  const before = JSON.stringify(lock);
  lock.version = version;
  for (const [path, entry] of Object.entries<Manifest>(lock.packages))
    if (path === "" || packages(root).includes(path))
      Object.assign(entry, path === "" ? { version } : withVersion(entry, version, names));
  if (JSON.stringify(lock) !== before) write("package-lock.json", lock);
  return changed;
}

/** A manifest with that version, or undefined where nothing has to change. */
function withVersion(manifest: Manifest, version: string, names: ReadonlySet<string>): Manifest | undefined {
  const next = { ...manifest };
  if (next.version !== undefined) next.version = version;
  for (const field of NAMES) {
    const named = Object.entries(next[field] ?? {}).map(([name, range]) => [
      name,
      names.has(name) && range !== "*" ? version : range,
    ]);
    if (named.length > 0) next[field] = Object.fromEntries(named);
  }
  return JSON.stringify(next) === JSON.stringify(manifest) ? undefined : next;
}

/** The folders of the workspaces, as the root's manifest lists them. */
export function packages(root: string): readonly string[] {
  return (manifestOf(root).workspaces ?? []).flatMap((pattern) =>
    pattern.endsWith("/*")
      ? readdirSync(join(root, pattern.slice(0, -2)))
          .sort()
          .map((name) => `${pattern.slice(0, -1)}${name}`)
      : [pattern],
  );
}

function ours(root: string): ReadonlySet<string> {
  return new Set(packages(root).map((folder) => manifestOf(join(root, folder)).name));
}

function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
}
