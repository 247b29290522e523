/**
 * The configuration file speaks to every question at once. What it says and one question has no use for (a δ where the
 * candidates are public, a resolution where no gaps are released, a mechanism for the other command) is left out of that
 * question. What is written on the command line is never left out: there it is refused, with the reason.
 * @module
 */
import { type Domain, defaultMechanism, MECHANISMS, type Question } from "winnow-release";
import type { ReleaseOptions } from "./options.js";

export function withoutIdleDefaults(
  kind: Question["kind"],
  domain: Domain,
  options: ReleaseOptions,
): ReleaseOptions {
  const idle = (name: keyof ReleaseOptions, isUsed: boolean) =>
    !isUsed && options.defaults?.includes(name) ? { [name]: undefined } : {};
  const { mechanism, rho } = options;
  const fits = mechanism !== undefined && answers(mechanism, kind, domain, rho !== undefined);
  const asked: ReleaseOptions = { ...options, ...idle("mechanism", fits) };
  const k = asked.k ?? 1;
  const chosen = asked.mechanism ?? defaultMechanism(kind, domain, { k, rho });
  return {
    ...asked,
    ...idle("delta", MECHANISMS[chosen].delta),
    ...idle("resolution", chosen === "top-k-with-gap"),
  };
}

function answers(
  mechanism: Question["mechanism"],
  kind: Question["kind"],
  domain: Domain,
  isRho: boolean,
): boolean {
  const rules = MECHANISMS[mechanism];
  const budget = isRho ? "rho" : "epsilon";
  return rules.kind === kind && rules.domains.includes(domain.kind) && rules.budgets.includes(budget);
}
