/**
 * The second step: what is asked. Every value here is public; what was typed is kept as text, because ε = 1/3 is meant
 * exactly.
 * @module
 */
import { batch, computed, effect, signal } from "@preact/signals";
import type { Asked, Candidates, Mechanism } from "../../worker/api.js";
import { about } from "../parts/in-words.js";
import { studio } from "./connect-studio.js";
import { shape, unitInWords } from "./data-state.js";
import { latest } from "./latest.js";
import { mechanismsFor } from "./mechanisms.js";
import { type Problem, problemOf } from "./problem.js";

/** Milliseconds without a keystroke after which a list is read. */
const REST = 150;

export const kind = signal<Asked["kind"]>("top");
export const winners = signal("10");
export const mostWinners = signal("30");
export const domain = signal<Asked["domain"]>("unknown");
export const epsilon = signal("1");
export const delta = signal("1e-6");
export const neighbours = signal<Asked["neighbours"]>("add-remove");
export const mechanism = signal<Mechanism | "automatic">("automatic");
export const resolution = signal("1");

/** The public list as it was typed or loaded, and what the worker made of it. */
export const listText = signal("");
export const listFile = signal("");
export const candidates = signal<Candidates>();
export const candidatesProblem = signal<Problem>();

export const applicable = computed(() =>
  mechanismsFor({
    kind: kind.value,
    domain: domain.value,
    k: Number(kOf()),
    size: candidates.value?.size,
  }),
);

/** The mechanism that was chosen, unless the rest of the question rules it out. */
export const chosenMechanism = computed<Mechanism | "automatic">(() =>
  applicable.value.some((name) => name === mechanism.value) ? mechanism.value : "automatic",
);

export const named = computed<Mechanism>(() =>
  chosenMechanism.value === "automatic" ? applicable.value[0] : chosenMechanism.value,
);

/** A guarantee that holds but for a small chance is the price of not knowing the candidates, or how many will win. */
export const needsDelta = computed(() => named.value.startsWith("stable"));
export const givesGaps = computed(() => named.value === "top-k-with-gap");

/** What is missing before the question can be asked, in words; undefined if nothing is. */
export const missing = computed<string | undefined>(() => {
  if (!/^[1-9]\d{0,5}$/.test(kOf())) return "Give a whole number of winners, from 1.";
  if (domain.value === "listed" && candidates.value === undefined)
    return "Give the public list of candidates.";
  if (about(epsilon.value) === undefined) return "Give ε a number above zero: 1, 0.5 or 1/3.";
  if (needsDelta.value && !((about(delta.value) ?? 1) < 1))
    return "Give δ a small number above zero: 1e-6, say.";
  if (givesGaps.value && about(resolution.value) === undefined)
    return "Give the resolution a number above zero.";
  return undefined;
});

export const asked = computed<Asked>(() => ({
  kind: kind.value,
  k: Number(kOf()),
  domain: domain.value,
  neighbours: neighbours.value,
  mechanism: named.value,
  epsilon: epsilon.value.trim(),
  unit: unitInWords.value,
  ...(needsDelta.value ? { delta: delta.value.trim() } : {}),
  ...(givesGaps.value ? { resolution: resolution.value.trim() } : {}),
}));

function kOf(): string {
  return (kind.value === "top" ? winners.value : mostWinners.value).trim();
}

/** Takes over a list of one candidate per line; an empty one is no list. */
export function giveList(list: File | string): void {
  batch(() => {
    candidates.value = undefined;
    candidatesProblem.value = undefined;
    listFile.value = typeof list === "string" ? "" : list.name;
    listText.value = typeof list === "string" ? list : "";
  });
  reading.ask(list);
}

const reading = latest<File | string>(REST, async (list, { current }) => {
  const lines = typeof list === "string" ? list.split(/\r?\n/).filter((line) => line !== "") : list;
  if (Array.isArray(lines) && lines.length === 0) return;
  try {
    const read = await studio.setCandidates(lines);
    if (current()) candidates.value = read;
  } catch (error) {
    if (current()) candidatesProblem.value = problemOf(error);
  }
});

/** From now on the example comes with its public list, and takes it away again: other data never inherit it. */
export function followExample(): void {
  let given: string | undefined;
  effect(() => {
    const list = shape.value?.candidates?.join("\n");
    if (list !== undefined) {
      domain.value = "listed";
      giveList(list);
      given = list;
    } else if (shape.value !== undefined && given !== undefined && listText.peek() === given) {
      domain.value = "unknown";
      giveList("");
      given = undefined;
    }
  });
}
