/**
 * The form of the description of the library (`functions.ts`, `classes.ts`), from which bindings in other languages are generated.
 * TypeScript checks it against the library itself: a function that isn't described, an option that is missing or mistyped, a
 * choice that no longer exists, and a field of a result without a kind are errors of the compiler.
 * @module
 */
import type * as core from "winnow-dp";
import type { RationalLike } from "winnow-dp";

type Core = typeof core;

/** What a value is, as far as a binding needs to know. */
export type Kind =
  | Plain
  | { readonly is: "choice"; readonly of: Readonly<Record<string, true>> }
  | { readonly is: "list"; readonly of: Kind }
  | { readonly is: "maybe"; readonly of: Kind }
  /** An object of the engine, of one of the classes. */
  | { readonly is: "object"; readonly name: string }
  /** A plain object that the library returns. */
  | RecordKind
  /** A plain object that the library takes. */
  | OptionsKind
  /** A function of the program. */
  | { readonly is: "callback"; readonly takes: readonly Kind[]; readonly gives: Kind }
  /** A method of a record. */
  | { readonly is: "method"; readonly takes: readonly Argument[]; readonly gives: Kind };

interface Plain {
  readonly is:
    | "rational" // an exact number, in any way of writing it
    | "extended" // an exact number or infinity
    | "integer"
    | "boolean"
    | "text"
    | "loss"
    | "entropy"
    | "interval"
    | "name" // whatever candidates are called
    | "scores" // an array of numbers, or numbers by name
    | "counts" // the same where names are texts
    | "numbers" // an array of numbers
    | "points" // an array of numbers, or pairs of a number and how often it comes
    | "rows" // tuples of texts, or of a text and a number
    | "votes"
    | "outcomes" // an array of anything
    | "bytes"
    | "mapping"; // how many, by name
}

export interface RecordKind<Keys extends string = string> {
  readonly is: "record";
  readonly name: string;
  readonly fields: { readonly [Key in Keys]: Kind };
}

export interface OptionsKind<Fields = Readonly<Record<string, Kind>>> {
  readonly is: "options";
  readonly fields: Fields;
  /** The required ones. */
  readonly needs?: readonly (keyof Fields)[];
}

/** A parameter. The last one may be repeated. */
export interface Argument {
  readonly name: string;
  readonly kind: Kind;
  readonly isOptional?: boolean;
  readonly isRepeated?: boolean;
}

/** A function or a method. */
export interface Call {
  readonly takes: readonly Argument[];
  readonly gives: Kind;
}

type KeysOf<T> = T extends unknown ? Extract<keyof T, string> : never;
type ValueOf<T, Key> = T extends unknown ? (Key extends keyof T ? Exclude<T[Key], undefined> : never) : never;

/** Which kinds describe such a value. */
type KindFor<T> = [T] extends [never]
  ? Kind
  : [RationalLike] extends [T]
    ? { readonly is: "rational" }
    : [T] extends [boolean]
      ? { readonly is: "boolean" }
      : [T] extends [string]
        ? string extends T
          ? { readonly is: "text" }
          : { readonly is: "choice"; readonly of: { readonly [Name in T]: true } }
        : [T] extends [number | bigint]
          ? { readonly is: "integer" }
          : Kind;

/** Options are described by exactly their names. One that must be absent isn't an option. */
type OptionsFor<T> = OptionsKind<{
  readonly [Key in KeysOf<T> as [Exclude<ValueOf<T, Key>, undefined>] extends [never] ? never : Key]: KindFor<
    ValueOf<T, Key>
  >;
}>;
type ArgumentFor<T> = Omit<Argument, "kind"> & {
  readonly kind: Exclude<Kind, { is: "options" }> | OptionsFor<Exclude<T, undefined>>;
};
type ArgumentsFor<T extends readonly unknown[]> = { readonly [Index in keyof T]: ArgumentFor<T[Index]> };
type ResultFor<T> = Exclude<Kind, { is: "record" }> | RecordFor<Exclude<T, Promise<unknown>>>;

/** A result has exactly these fields, and those that some results lack are described so. */
type RecordFor<T> = RecordKind & {
  readonly fields: {
    readonly [Key in KeysOf<T>]: unknown extends FieldOf<T, Key>
      ? Kind
      : undefined extends FieldOf<T, Key>
        ? Extract<Kind, { is: "maybe" }>
        : Kind;
  };
};
type FieldOf<T, Key> = T extends unknown ? (Key extends keyof T ? T[Key] : undefined) : never;

/** Parameters by position: each may be what one of two overloads takes there. */
type Merged<One, Other> = {
  readonly [Index in keyof Other]: Other[Index] | (Index extends keyof One ? One[Index] : never);
};

/** The parameters and the results of up to four overloads. */
type SignatureOf<F> = F extends {
  (...given: infer A): infer P;
  (...given: infer B): infer Q;
  (...given: infer C): infer R;
  (...given: infer D): infer S;
}
  ? { readonly given: Merged<A, Merged<B, Merged<C, D>>>; readonly result: P | Q | R | S; readonly last: D }
  : never;

type Parameters<F> = SignatureOf<F>["given"] extends infer Given extends readonly unknown[] ? Given : never;

/** The description of a function, all of its overloads together. */
export type Described<F> = {
  readonly takes: number extends Parameters<F>["length"]
    ? readonly [Argument & { isRepeated: true }]
    : ArgumentsFor<Required<Parameters<F>>>;
  readonly gives: ResultFor<Exclude<SignatureOf<F>["result"], unknown[]>>;
};

/** The functions that a package exports. */
export type FunctionsOf<Package> = {
  [Name in keyof Package]: Package[Name] extends abstract new (
    ...given: never
  ) => unknown
    ? never
    : Package[Name] extends (...given: never) => unknown
      ? Name
      : never;
}[keyof Package];

/** The methods and the fields of a class that bindings have. */
export interface ClassKind<Instance> {
  /** What the constructor takes; undefined for an object that a function makes. */
  readonly takes?: readonly Argument[];
  readonly methods: {
    readonly [Name in keyof Instance]?: Instance[Name] extends (...given: never) => infer Result
      ? Call & { readonly gives: ResultFor<Result> }
      : never;
  };
  readonly fields: {
    readonly [Name in keyof Instance]?: Instance[Name] extends (...given: never) => unknown ? never : Kind;
  };
}

/** Described in another way: by types of the other language, or not at all, with the reason. */
export type Elsewhere = Partial<Readonly<Record<FunctionsOf<Core>, string>>>;

const plain = <Is extends Plain["is"]>(is: Is) => ({ is });
export const RATIONAL = plain("rational");
export const EXTENDED = plain("extended");
export const INTEGER = plain("integer");
export const BOOLEAN = plain("boolean");
export const TEXT = plain("text");
export const LOSS = plain("loss");
export const ENTROPY = plain("entropy");
export const NAME = plain("name");
export const SCORES = plain("scores");
export const COUNTS = plain("counts");
export const NUMBERS = plain("numbers");
export const POINTS = plain("points");
export const ROWS = plain("rows");
export const VOTES = plain("votes");
export const OUTCOMES = plain("outcomes");
export const BYTES = plain("bytes");
export const MAPPING = plain("mapping");

export const choice = <Names extends string>(...names: readonly Names[]) => ({
  is: "choice" as const,
  of: Object.fromEntries(names.map((name) => [name, true])) as { readonly [Name in Names]: true },
});
export const list = <Of extends Kind>(of: Of) => ({ is: "list" as const, of });
export const maybe = <Of extends Kind>(of: Of) => ({ is: "maybe" as const, of });
export const object = (name: string) => ({ is: "object" as const, name });
export const record = <Fields extends Readonly<Record<string, Kind>>>(name: string, fields: Fields) => ({
  ...{ is: "record" as const, name },
  fields,
});
export const options = <Fields extends Readonly<Record<string, Kind>>>(
  fields: Fields,
  ...needs: readonly (keyof Fields)[]
) => ({ is: "options" as const, fields, needs });
export const method = (takes: readonly Argument[], gives: Kind) => ({ is: "method" as const, takes, gives });
export const callback = (takes: readonly Kind[], gives: Kind) => ({ is: "callback" as const, takes, gives });
export const argument = <Of extends Kind>(name: string, kind: Of) => ({ name, kind });
export const optional = <Of extends Kind>(name: string, kind: Of) => ({ name, kind, isOptional: true });
export const repeated = <Of extends Kind>(name: string, kind: Of) => ({
  name,
  kind,
  isRepeated: true as const,
});
