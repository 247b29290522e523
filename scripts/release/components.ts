/**
 * The packages of others that an artefact has in it or that npm installs beside it, as the lock file knows them.
 * @module
 */

/** A package of somebody else. */
export interface Component {
  readonly name: string;
  readonly version: string;
  /** An SPDX expression. */
  readonly license: string;
  /** In hexadecimal, of the archive on the registry. */
  readonly sha512?: string;
  /** Whether its code is in the artefact, or comes beside it. */
  readonly isBundled: boolean;
  /** Installed only where it fits the machine. */
  readonly isOptional: boolean;
}

interface Locked {
  readonly name?: string;
  readonly version?: string;
  readonly license?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly dependencies?: Record<string, string>;
  readonly optionalDependencies?: Record<string, string>;
}

export class LockFile {
  readonly #packages: Readonly<Record<string, Locked>>;

  constructor(text: string) {
    this.#packages = JSON.parse(text).packages;
  }

  /** What a bundler's list of licences names, in the form of Vite (`## name - 1.0.0 (MIT)`) or of the page (`name 1.0.0`). */
  bundled(licences: string): Component[] {
    const named = [
      ...licences.matchAll(/^(?:## )?(@?[\w./-]+) (?:- )?(\d+\.\d+\.\d+[\w.+-]*)(?: \(.*\))?$/gm),
    ];
    return named.map(([, name, version]) => {
      const found = Object.entries(this.#packages).find(
        ([path, locked]) => path.endsWith(`node_modules/${name}`) && locked.version === version,
      );
      if (found === undefined) throw new Error(`${name} ${version} must be in the lock file`);
      return component(found[0], found[1], true, false);
    });
  }

  /** What npm installs beside a package of this repository, and beside that, as far as it is others'. */
  installed(folder: string): Component[] {
    const seen = new Map<string, Component>();
    const visit = (path: string, isOptional: boolean) => {
      const { dependencies = {}, optionalDependencies = {} } = this.#packages[path];
      const wanted = { ...dependencies, ...optionalDependencies };
      for (const name of Object.keys(wanted)) {
        const place = this.#resolve(path, name);
        const optional = isOptional || name in optionalDependencies;
        if (place === undefined || seen.has(place)) continue;
        if (!this.#packages[place].link)
          seen.set(place, component(place, this.#packages[place], false, optional));
        visit(this.#packages[place].link ? `packages/${folderOf(this.#packages, place)}` : place, optional);
      }
    };
    visit(folder, false);
    return [...seen.values()];
  }

  /** As Node.js looks for a package: in the nearest node_modules. */
  #resolve(from: string, name: string): string | undefined {
    for (
      let folder = from;
      ;
      folder = folder.slice(0, Math.max(0, folder.lastIndexOf("node_modules/") - 1))
    ) {
      const place = `${folder === "" ? "" : `${folder}/`}node_modules/${name}`;
      if (place in this.#packages) return place;
      if (folder === "") return undefined;
      if (!folder.includes("node_modules/")) {
        const atRoot = `node_modules/${name}`;
        return atRoot in this.#packages ? atRoot : undefined;
      }
    }
  }
}

/** By name and version, each once; bundled wins. */
export function sorted(components: readonly Component[]): Component[] {
  const byKey = new Map<string, Component>();
  for (const each of components) {
    const key = `${each.name}@${each.version}`;
    if (!byKey.get(key)?.isBundled) byKey.set(key, each);
  }
  return [...byKey].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, each]) => each);
}

/** https://github.com/package-url/purl-spec */
export const purl = (name: string, version: string) =>
  `pkg:npm/${name.replace("@", "%40")}@${encodeURIComponent(version)}`;

function component(path: string, locked: Locked, isBundled: boolean, isOptional: boolean): Component {
  const name = locked.name ?? path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
  if (locked.version === undefined || locked.license === undefined)
    throw new Error(`${name} must have a version and a licence in the lock file`);
  const [, base64] = /^sha512-(\S+)$/.exec(locked.integrity ?? "") ?? [];
  return {
    name,
    version: locked.version,
    license: locked.license,
    isBundled,
    isOptional,
    ...(base64 === undefined ? {} : { sha512: Buffer.from(base64, "base64").toString("hex") }),
  };
}

/** The folder that a link of a workspace points to. */
function folderOf(packages: Readonly<Record<string, Locked>>, place: string): string {
  const name = place.slice("node_modules/".length);
  const folder = Object.keys(packages).find(
    (path) => packages[path].name === name && path.startsWith("packages/"),
  );
  if (folder === undefined) throw new Error(`${name} must be a package of this repository`);
  return folder.slice("packages/".length);
}
