/**
 * What the figures were measured on.
 * @module
 */
import { arch, cpus, platform } from "node:os";

export interface Machine {
  readonly date: string;
  readonly processor: string;
  readonly cores: number;
  readonly system: string;
  readonly node: string;
  readonly v8: string;
}

export function machine(): Machine {
  return {
    date: new Date().toISOString().slice(0, 10),
    processor: cpus()[0]?.model.trim() ?? "unknown processor",
    cores: cpus().length,
    system: `${platform()} ${arch()}`,
    node: process.versions.node,
    v8: process.versions.v8,
  };
}
