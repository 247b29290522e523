/**
 * The published packages as somebody else gets them: packed, and installed in an empty project.
 * @module
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));
const PACKAGES = ["core", "audit", "release", "cli"].map((name) => `packages/${name}`);

export class PackedProject {
  readonly #base = mkdtempSync(join(tmpdir(), "winnow-packed-"));
  /** The empty project. */
  readonly folder = join(this.#base, "project");
  /** By the name of the package. */
  readonly tarballs: Readonly<Record<string, string>>;

  constructor() {
    const output = this.#npm(
      ROOT,
      "pack",
      "--json",
      "--pack-destination",
      this.#base,
      ...PACKAGES.map((path) => `./${path}`),
    );
    const packed: readonly { name: string; filename: string }[] = JSON.parse(output);
    this.tarballs = Object.fromEntries(
      packed.map(({ name, filename }) => [name, join(this.#base, filename)]),
    );
    this.write("package.json", JSON.stringify({ name: "empty", private: true, type: "module" }));
    this.write("package-lock.json", JSON.stringify(lockOfOthers()));
    this.#npm(
      this.folder,
      "install",
      "--offline",
      "--no-audit",
      "--no-fund",
      ...Object.values(this.tarballs),
    );
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(join(this.folder, path)), { recursive: true });
    writeFileSync(join(this.folder, path), text);
  }

  /** What a program prints that is run in the project. Throws when it fails, with all that it said. */
  run(program: string, ...args: readonly string[]): string {
    return execute(this.folder, program, args);
  }

  /** A tool of this repository, run in the project. */
  runTool(name: string, ...args: readonly string[]): string {
    return this.run(join(ROOT, "node_modules/.bin", name), ...args);
  }

  remove(): void {
    rmSync(this.#base, { recursive: true });
  }

  #npm(folder: string, ...args: readonly string[]): string {
    return execute(folder, "npm", [...args, "--ignore-scripts", "--loglevel=error"]);
  }
}

/** Other people's packages as this repository has them: npm kept them when it installed it, and asks nobody. */
function lockOfOthers() {
  const { lockfileVersion, packages } = JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8"));
  const others = Object.entries<{ dev?: boolean; link?: boolean }>(packages).filter(
    ([path, { dev, link }]) => path.startsWith("node_modules/") && !dev && !link,
  );
  return { name: "empty", lockfileVersion, requires: true, packages: Object.fromEntries(others) };
}

function execute(cwd: string, program: string, args: readonly string[]): string {
  try {
    return execFileSync(program, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${program} ${args.join(" ")}\n${stdout}\n${stderr}`);
  }
}
