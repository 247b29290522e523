/**
 * A query as a tree: one SELECT over one table.
 * @module
 */

/** A name as written: engines treat names with and without quotes differently. */
export interface Name {
  readonly text: string;
  readonly isQuoted: boolean;
}

export type Expression =
  | { readonly kind: "column"; readonly name: Name }
  | { readonly kind: "text"; readonly value: string }
  | { readonly kind: "number"; readonly value: string }
  | { readonly kind: "constant"; readonly word: "NULL" | "TRUE" | "FALSE" }
  | { readonly kind: "time"; readonly type: "DATE" | "TIMESTAMP"; readonly value: string }
  | {
      readonly kind: "binary";
      readonly operator: string;
      readonly left: Expression;
      readonly right: Expression;
    }
  | { readonly kind: "not"; readonly operand: Expression }
  | { readonly kind: "isNull"; readonly operand: Expression; readonly isNot: boolean }
  | {
      readonly kind: "in";
      readonly operand: Expression;
      readonly list: readonly Expression[];
      readonly isNot: boolean;
    }
  | {
      readonly kind: "between";
      readonly operand: Expression;
      readonly ends: readonly [Expression, Expression];
      readonly isNot: boolean;
    }
  | {
      readonly kind: "like";
      readonly operator: "LIKE" | "ILIKE";
      readonly operand: Expression;
      readonly pattern: Expression;
      readonly isNot: boolean;
    }
  | {
      readonly kind: "case";
      readonly operand?: Expression | undefined;
      readonly branches: readonly (readonly [Expression, Expression])[];
      readonly otherwise?: Expression | undefined;
    }
  | { readonly kind: "call"; readonly name: string; readonly values: readonly Expression[] }
  | { readonly kind: "cast"; readonly operand: Expression; readonly type: string; readonly isTry: boolean };

export interface Query {
  /** Undefined for all columns of the table. */
  readonly columns: readonly { readonly expression: Expression; readonly name: Name }[] | undefined;
  /** `schema.table` has two parts. */
  readonly table: readonly Name[];
  readonly where: Expression | undefined;
}
