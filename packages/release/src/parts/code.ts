import type { Question } from "../question/question.js";
import { rhoOf } from "./budget.js";

/** The options that are given. */
export function present(values: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

export function budgetInCode({ epsilon, rho, delta }: Question): Record<string, string> {
  return present({ epsilon, rho, delta });
}

/** Top k with counts, in every domain. Over a public list the library is told the ρ that an (ε, δ) pays for. */
export function topKWithCountsInCode(question: Question) {
  const { k, domain, resolution, neighbours, epsilon, delta } = question;
  const isPublic = domain.kind !== "unknown";
  const isInRho = isPublic && epsilon !== undefined && delta !== undefined;
  return {
    call: "topKWithCounts",
    input: "counts",
    options: {
      k,
      domain: isPublic ? "public" : "unknown",
      ...(isInRho ? { rho: String(rhoOf({ epsilon, delta })) } : budgetInCode(question)),
      ...present({ resolution }),
      neighbours,
    },
  } as const;
}

/** Candidates that the library may take for a list. */
export function domainInCode({ domain }: Question): "public" | "unknown" {
  return domain.kind === "unknown" ? "unknown" : "public";
}
