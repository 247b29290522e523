import { describe, expect, it } from "vitest";
import { projectFiles, read } from "./project.js";

/** Folders that exist on somebody's machine, and hosts that serve packages there. */
const LOCAL_FOLDER = /(?<![\w.~-])\/(?:home|root|Users|work|mnt|private|opt|var\/folders)\/[\w.-]+/;
const WINDOWS_FOLDER = /\b[A-Z]:\\\w/;
const REGISTRY = /\b(?:registry|artifactory|verdaccio|nexus|deb|pypi)\.[a-z\d-]+\.[a-z]{2,}\b/i;

describe("every file of the project", () => {
  it("names no folder of a particular machine and no package registry", () => {
    const named = projectFiles(/^(?!.*\.(?:png|ico|woff2)$)/).flatMap(({ path, text }) =>
      [LOCAL_FOLDER, WINDOWS_FOLDER, REGISTRY]
        .flatMap((pattern) => pattern.exec(text)?.[0] ?? [])
        .map((hit) => `${path}: ${hit}`),
    );
    expect(named).toEqual([]);
  });
});

describe("the lock file", () => {
  const { packages } = JSON.parse(read("package-lock.json")) as { packages: Record<string, LockedPackage> };

  it("records versions and hashes, not addresses", () => {
    expect(Object.values(packages).filter(({ resolved }) => resolved?.includes(":"))).toEqual([]);
  });

  it("has the binaries of every platform, without which `npm ci` refuses it", () => {
    const wanted = Object.values(packages).flatMap(({ optionalDependencies = {} }) =>
      Object.keys(optionalDependencies),
    );
    expect(wanted.filter((name) => !(`node_modules/${name}` in packages))).toEqual([]);
  });
});

interface LockedPackage {
  readonly resolved?: string;
  readonly optionalDependencies?: Record<string, string>;
}
