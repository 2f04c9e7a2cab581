/** In the language of check.js. */
export type Type = string | Test | readonly (Type | number)[] | { readonly [field: string]: Type };

/** What is wrong with a value; null if nothing is. */
export type Test = (value: any) => Wrong | null;

export interface Wrong {
  /** The fields that lead there. */
  at: (string | number)[];
  /** What it must: `be a text`. */
  what: string;
}
