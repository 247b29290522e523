/**
 * Who is protected by a release: the unit of privacy (what one person is) and the neighbours (one person more or less, or one
 * in place of another). Losses add up only where these are the same.
 * @module
 */

export interface Protection {
  readonly unit: string | undefined;
  readonly neighbours: string | undefined;
}

/** As far as the question says it. */
export function protectionOf(question: unknown): Protection {
  const fields: Readonly<Record<string, unknown>> =
    typeof question === "object" && question !== null ? { ...question } : {};
  return { unit: text(fields.unit), neighbours: text(fields.neighbours) };
}

function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
