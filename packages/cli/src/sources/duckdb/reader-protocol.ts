/**
 * What a run and its reader's process say to each other: each request has one reply, and the next request is sent when it
 * has come. So a reader is never ahead of its run by more than one batch, however many candidates there are.
 * @module
 */
import type { RefusalCode } from "../../refusal.js";
import type { Batch, Candidates, SourceOptions } from "../source.js";
import type { Roles } from "./relation.js";

export type Request =
  | {
      readonly kind: "open";
      readonly location: string;
      readonly folder: string;
      readonly options: SourceOptions;
    }
  | { readonly kind: "count"; readonly roles: Roles }
  /** A part of the public list; the last one is empty. */
  | { readonly kind: "list"; readonly items: readonly string[] }
  | { readonly kind: "read"; readonly candidates: Candidates }
  | { readonly kind: "next" };

export type Reply =
  | {
      readonly kind: "opened";
      readonly columns: readonly string[];
      readonly dialect: Readonly<Record<string, string>>;
    }
  | { readonly kind: "counted"; readonly skipped: number | undefined }
  | { readonly kind: "listed" }
  /** The last one is empty. */
  | { readonly kind: "batch"; readonly batch: Batch }
  | { readonly kind: "refused"; readonly code: RefusalCode; readonly sentence: string };

export type Progress = { readonly kind: "progress"; readonly share: number | undefined };
