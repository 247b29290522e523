/**
 * The Python module of the library, from its description (`api/`): functions with keyword arguments, data classes for what they
 * return, and classes for objects that stay in the engine, all typed. The sentences of documentation are those of the
 * declarations of `winnow-dp`.
 * @module
 */
import { CLASSES } from "../api/classes.js";
import type { Argument, Call, Kind, OptionsKind, RecordKind } from "../api/describe.js";
import { FUNCTIONS } from "../api/functions.js";
import { SAMPLERS, TESTING } from "../api/samplers.js";

/** `topKWithGap` becomes `top_k_with_gap`, `from` becomes `from_`. */
export function snakeCase(name: string): string {
  const snake = name
    .replace(/([A-Z])([A-Z][a-z])/g, "$1_$2")
    .replace(/([a-z\d])([A-Z])/g, "$1_$2")
    .toLowerCase();
  return RESERVED.has(snake) ? `${snake}_` : snake;
}

const RESERVED = new Set(["from", "class", "lambda", "is", "in", "not", "and", "or", "with"]);

/** The names of all functions and classes, as in TypeScript and in Python. */
export function nameTable(): readonly (readonly [module: string, typescript: string, python: string])[] {
  const functions = (module: string, named: object) =>
    Object.keys(named).map((name) => [module, name, snakeCase(name)] as const);
  return [
    ...functions("winnow_dp", FUNCTIONS),
    ...Object.keys(CLASSES)
      .filter((name) => !OF_SAMPLE.has(name))
      .map((name) => ["winnow_dp", name, name] as const),
    ...functions("winnow_dp.sample", SAMPLERS),
    ...[...OF_SAMPLE].map((name) => ["winnow_dp.sample", name, name] as const),
    ...functions("winnow_dp.testing", TESTING),
  ];
}

/** A class, whatever its instances are. */
interface AnyClass {
  readonly takes?: readonly Argument[];
  readonly methods: Readonly<Record<string, Call>>;
  readonly fields: Readonly<Record<string, Kind>>;
}

const ALL_CLASSES = CLASSES as Readonly<Record<string, AnyClass>>;

const OF_SAMPLE = new Set(["DiscreteGaussian", "DiscreteLaplace", "Geometric"]);

/** The text of the module. `declarations` are those of `winnow-dp`, with their comments. */
export function pythonModule(declarations: string): string {
  const records = new Map<string, RecordKind>();
  const dictionaries = new Map<string, Record<string, Kind>>();
  const functions = { ...FUNCTIONS, ...SAMPLERS, ...TESTING } as Readonly<Record<string, Call>>;
  const calls = [
    ...Object.values(functions),
    ...Object.values(ALL_CLASSES).flatMap(({ takes = [], methods, fields }) => [
      ...Object.values(methods),
      ...Object.values(fields).map((gives) => ({ takes: [], gives })),
      { takes, gives: { is: "name" } as Kind },
    ]),
  ];
  for (const { takes, gives } of calls) {
    collect(gives, "", records, dictionaries);
    for (const { name, kind } of takes) {
      if (kind.is !== "options") collect(kind, name, records, dictionaries);
      else for (const [key, part] of Object.entries(kind.fields)) collect(part, key, records, dictionaries);
    }
  }
  const all = nameTable().flatMap(([module, , python]) => (module === "winnow_dp" ? [python] : []));
  return [
    HEADER,
    ...[...dictionaries].map(([name, fields]) => dictionaryOf(name, fields)),
    ...[...records.values()].map(recordOf),
    ...Object.entries(ALL_CLASSES).map(([name, kind]) => classOf(name, kind, declarations)),
    ...Object.entries(functions).map(([name, call]) => functionOf(name, call, declarations)),
    `__all__ = [\n${[...all, ...records.keys(), ...dictionaries.keys()].map((name) => `    "${name}",\n`).join("")}]\n`,
  ].join("\n\n");
}

const HEADER = `"""Generated from the description of the library; \`npm run build\` writes it anew."""

# ruff: noqa
from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Literal, TypedDict

from ._display import Table
from ._engine import EngineObject, call, new
from ._losses import Loss, read_loss
from ._values import (
    Counts,
    Extended,
    Numbers,
    Points,
    RationalLike,
    Scores,
    as_candidate,
    as_counts,
    as_name,
    as_numbers,
    as_options,
    as_points,
    as_rows,
    as_scores,
    named,
)`;

function collect(
  kind: Kind,
  name: string,
  records: Map<string, RecordKind>,
  dictionaries: Map<string, Record<string, Kind>>,
): void {
  const inside = (part: Kind) => collect(part, name, records, dictionaries);
  switch (kind.is) {
    case "list":
    case "maybe":
      inside(kind.of);
      return;
    case "callback":
      inside(kind.gives);
      return;
    case "record":
      for (const part of Object.values(kind.fields)) inside(part);
      records.set(kind.name, kind);
      return;
    case "options":
      dictionaries.set(dictionaryName(kind), { ...dictionaries.get(dictionaryName(kind)), ...kind.fields });
      return;
    default:
  }
}

/** A plain object among the options, by what is in it. */
function dictionaryName({ fields }: OptionsKind): string {
  if ("size" in fields) return "DomainOptions";
  if ("law" in fields) return "RunsOptions";
  if ("margin" in fields) return "LevelOptions";
  if ("noise" in fields) return "NoiseOptions";
  return "variance" in fields ? "TestOptions" : "RoundsOptions";
}

/** The Python type of an argument. */
function taken(kind: Kind): string {
  switch (kind.is) {
    case "choice":
      return `Literal[${Object.keys(kind.of)
        .map((name) => `"${name}"`)
        .join(", ")}]`;
    case "list":
      return `Sequence[${taken(kind.of)}]`;
    case "maybe":
      return `${taken(kind.of)} | None`;
    case "object":
      return kind.name;
    case "record":
      return `${kind.name} | Mapping[str, Any]`;
    case "options":
      return dictionaryName(kind);
    case "callback":
      return `Callable[[${kind.takes.map(given).join(", ")}], ${taken(kind.gives)}]`;
    default:
      return TAKEN[kind.is] ?? "Any";
  }
}

const TAKEN: Readonly<Record<string, string>> = {
  ...{ rational: "RationalLike", integer: "int", boolean: "bool", text: "str", loss: "Loss" },
  ...{ entropy: "Entropy", scores: "Scores", counts: "Counts", numbers: "Numbers", points: "Points" },
  ...{ rows: "Iterable[tuple[Any, ...]]", outcomes: "Sequence[Any]", bytes: "bytes" },
  ...{ votes: "Sequence[Sequence[int]]" },
};

/** The Python type of a result. */
function given(kind: Kind): string {
  switch (kind.is) {
    case "list":
      return `list[${given(kind.of)}]`;
    case "maybe":
      return kind.of.is === "name" ? "Any" : `${given(kind.of)} | None`;
    case "object":
    case "record":
      return kind.name;
    case "choice":
      return "str";
    default:
      return GIVEN[kind.is] ?? "Any";
  }
}

const GIVEN: Readonly<Record<string, string>> = {
  ...{ rational: "Fraction", extended: "Extended", integer: "int", boolean: "bool", text: "str" },
  ...{ loss: "Loss", entropy: "Entropy", mapping: "dict[Any, Any]" },
};

/** The expression that makes it of what the engine sent. */
function read(kind: Kind, value: string): string {
  switch (kind.is) {
    case "loss":
      return `read_loss(${value})`;
    case "list": {
      const part = read(kind.of, "each");
      return part === "each" ? `list(${value})` : `[${part} for each in ${value}]`;
    }
    case "maybe": {
      const part = read(kind.of, value);
      return part === value ? value : `None if ${value} is None else ${part}`;
    }
    case "record":
      return `${kind.name}._of(${value})`;
    case "object":
      return `${kind.name}._adopt(${value})`;
    case "entropy":
      return `Entropy._adopt(${value})`;
    default:
      return value;
  }
}

/** What the engine gets of an argument. */
function sent(kind: Kind, name: string): string {
  switch (kind.is) {
    case "scores":
      return "_scores";
    case "counts":
      return `as_counts(${name})`;
    case "numbers":
      return `as_numbers(${name})`;
    case "points":
      return `as_points(${name})`;
    case "rows":
      return `as_rows(${name})`;
    case "outcomes": // they stay here: the engine gets their places
      return "list(range(len(_outcomes)))";
    case "name":
      return `as_name(${name})`;
    case "callback": {
      const made = kind.takes
        .map((part, index) => (part.is === "name" ? `_outcomes[given${index}]` : read(part, `given${index}`)))
        .join(", ");
      const takes = kind.takes.map((_, index) => `given${index}`).join(", ");
      const result = `${name}(${made})`;
      return `lambda ${takes}: ${kind.gives.is === "record" ? `as_candidate(${result}, _outputs)` : result}`;
    }
    default:
      return name;
  }
}

function dictionaryOf(name: string, fields: Readonly<Record<string, Kind>>): string {
  const lines = Object.entries(fields).map(([key, kind]) => `    ${snakeCase(key)}: ${taken(kind)}`);
  return `class ${name}(TypedDict, total=False):\n${lines.join("\n")}`;
}

function recordOf({ name, fields }: RecordKind): string {
  const plain = Object.entries(fields).filter(([, { is }]) => is !== "method");
  const methods = Object.entries(fields).flatMap(([key, kind]) =>
    kind.is === "method" ? [[key, kind] as const] : [],
  );
  const required = plain.filter(([, { is }]) => is !== "maybe");
  const possible = plain.filter(([, { is }]) => is === "maybe");
  const declared = [
    ...required.map(([key, kind]) => `    ${snakeCase(key)}: ${given(kind)}`),
    ...possible.map(([key, kind]) => `    ${snakeCase(key)}: ${given(kind)} = None`),
    ...methods.map(
      ([key]) => `    _${snakeCase(key)}: Any = dataclasses.field(default=None, repr=False, compare=False)`,
    ),
  ];
  const made = [
    ...required.map(([key, kind]) => `            ${snakeCase(key)}=${read(kind, `sent["${key}"]`)},`),
    ...possible.map(([key, kind]) => {
      const part = read(kind.is === "maybe" ? kind.of : kind, `sent["${key}"]`);
      return `            ${snakeCase(key)}=${part} if sent.get("${key}") is not None else None,`;
    }),
    ...methods.map(([key]) => `            _${snakeCase(key)}=EngineObject._adopt(sent["${key}"]),`),
  ];
  const bodies = methods.map(([key, { takes, gives }]) => {
    const { parameters, values } = argumentsOf(takes);
    return `
    def ${snakeCase(key)}(self${parameters.map((each) => `, ${each}`).join("")}) -> ${given(gives)}:
        _sent = self._${snakeCase(key)}._method("call", [${values.join(", ")}])
        _result: ${given(gives)} = ${read(gives, "_sent")}
        return _result`;
  });
  return `@dataclasses.dataclass(frozen=True)
class ${name}(Table):
${declared.join("\n")}

    @classmethod
    def _of(cls, sent: Mapping[str, Any]) -> ${name}:
        return cls(
${made.join("\n")}
        )
${bodies.join("\n")}`;
}

interface Arguments {
  readonly parameters: readonly string[];
  readonly values: readonly string[];
  /** The name of the parameter of scores, if there is one. */
  readonly scores: string | undefined;
}

function argumentsOf(takes: readonly Argument[]): Arguments {
  const positional: string[] = [];
  const keywords: { text: string; isNeeded: boolean }[] = [];
  const values: string[] = [];
  let scores: string | undefined;
  for (const { name: own, kind, isOptional, isRepeated } of takes) {
    const name = snakeCase(own);
    if (kind.is === "options") {
      const needs = new Set(kind.needs ?? []);
      for (const [key, part] of Object.entries(kind.fields)) {
        const type = taken(part);
        const isNeeded = needs.has(key);
        keywords.push({ text: `${snakeCase(key)}: ${isNeeded ? type : `${type} | None = None`}`, isNeeded });
      }
      values.push(
        `as_options({${Object.keys(kind.fields)
          .map((key) => `"${key}": ${snakeCase(key)}`)
          .join(", ")}})`,
      );
      continue;
    }
    if (isRepeated) {
      positional.push(`*${name}: ${taken(kind)}`);
      values.push(`*${name}`);
      continue;
    }
    if (kind.is === "scores") scores = name;
    positional.push(`${name}: ${taken(kind)}${isOptional ? " | None = None" : ""}`);
    values.push(sent(kind, name));
  }
  const sorted = [
    ...keywords.filter(({ isNeeded }) => isNeeded),
    ...keywords.filter(({ isNeeded }) => !isNeeded),
  ];
  const named = sorted.map(({ text }) => text);
  return { parameters: named.length === 0 ? positional : [...positional, "*", ...named], values, scores };
}

function functionOf(name: string, { takes, gives }: Call, declarations: string): string {
  const { parameters, values, scores } = argumentsOf(takes);
  const called = `call("${name}", [${values.join(", ")}])`;
  const body = bodyOf(takes, called, scores);
  return `def ${snakeCase(name)}(\n${parameters.map((each) => `    ${each},\n`).join("")}) -> ${given(gives)}:
    """${docOf(declarations, `declare function ${name}\\b`)}"""
${body}
    _result: ${given(gives)} = ${read(gives, "_sent")}
    return _result`;
}

/** Where outcomes and outputs stay in Python, what comes back has their places. */
function bodyOf(takes: readonly Argument[], called: string, scores: string | undefined): string {
  const outcomes = takes.find(({ kind }) => kind.is === "outcomes");
  if (outcomes !== undefined)
    return `    _outcomes = list(${snakeCase(outcomes.name)})
    _sent = ${called}
    _sent["outcome"] = _outcomes[_sent["candidate"]]`;
  if (takes.some(({ kind }) => kind.is === "callback" && kind.gives.is === "record"))
    return `    _outputs: list[Any] = []
    _sent = ${called}
    if _sent["released"]:
        _sent["output"] = _outputs[_sent["output"]]`;
  return scores === undefined
    ? `    _sent = ${called}`
    : `    _scores, _names = as_scores(${scores})\n    _sent = named(${called}, _names)`;
}

function classOf(name: string, { takes, methods, fields }: AnyClass, declarations: string): string {
  const lines = [
    `class ${name}(EngineObject):`,
    `    """${docOf(declarations, `(?:declare class|interface|declare const) ${name}\\b`)}"""`,
  ];
  if (takes !== undefined) {
    const { parameters, values } = argumentsOf(takes);
    lines.push(
      "",
      `    def __init__(self${parameters.map((each) => `, ${each}`).join("")}) -> None:`,
      `        super().__init__(new("${name}", [${values.join(", ")}]))`,
    );
  }
  for (const [key, call] of Object.entries(methods)) {
    const { parameters, values, scores } = argumentsOf(call.takes);
    const sends = `self._method("${key}", [${values.join(", ")}])`;
    const isSelf =
      call.gives.is === "object" &&
      call.gives.name === name &&
      key !== "plus" &&
      key !== "times" &&
      key !== "min";
    lines.push(
      "",
      `    def ${snakeCase(key)}(self${parameters.map((each) => `, ${each}`).join("")}) -> ${given(call.gives)}:`,
    );
    if (scores !== undefined)
      lines.push(`        _scores, _names = as_scores(${scores})`, `        _sent = named(${sends}, _names)`);
    else lines.push(`        _sent = ${sends}`);
    if (isSelf) lines.push("        return self");
    else
      lines.push(
        `        _result: ${given(call.gives)} = ${read(call.gives, "_sent")}`,
        "        return _result",
      );
  }
  for (const [key, kind] of Object.entries(fields))
    lines.push(
      "",
      "    @property",
      `    def ${snakeCase(key)}(self) -> ${given(kind)}:`,
      `        _sent = self._field("${key}")`,
      `        _result: ${given(kind)} = ${read(kind, "_sent")}`,
      "        return _result",
    );
  return lines.join("\n");
}

/** The first paragraph of the comment before a declaration. */
function docOf(declarations: string, declaration: string): string {
  const found = new RegExp(`/\\*\\*((?:(?!\\*/)[^])*)\\*/\\n(?:export )?${declaration}`).exec(declarations);
  const lines = (found?.[1] ?? "").split("\n").map((line) => line.replace(/^\s*\*? ?/, ""));
  const text = lines
    .join("\n")
    .trim()
    .split(/\n\s*\n|\n@/)[0]!
    .replace(/\s+/g, " ");
  return text
    .replace(/\{@link (\w+)\}/g, (_, name: string) => snakeCase(name))
    .replace(/`(\w+)`/g, (_, name: string) => `\`${/^[a-z]/.test(name) ? snakeCase(name) : name}\``)
    .replaceAll("\\", "\\\\");
}
