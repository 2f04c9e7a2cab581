/** In the language of check.js. */
export type Type = string | Test | readonly (Type | number)[] | { readonly [field: string]: Type };

/** What is wrong with a value; null if it is a `T`. */
export interface Test<T = any> {
  (value: any): Wrong | null;
  /** Never set: it carries the type. */
  is?: [T];
}

export interface Wrong {
  /** The fields that lead there. */
  at: (string | number)[];
  /** What it must: `be a text`. */
  what: string;
}

/** The values of the words of the language. */
export type ValuesOf<Tests> = { [Name in keyof Tests]: Tests[Name] extends { is?: [infer T] } ? T : never };

/** What a value is, by its type in the language of check.js; `Names` has the values of its words and shapes. */
export type Of<T, Names> = T extends string
  ? OfText<T, Names>
  : T extends readonly [infer One, ...infer Rest]
    ? Rest extends readonly number[]
      ? Of<One, Names>[]
      : { -readonly [Place in keyof T]: Of<T[Place], Names> }
    : T extends { readonly '?': infer Fields }
      ? Of<Fields, Names> | null
      : OnlyKeys<T> extends `*${string}`
        ? Record<string, Of<T[keyof T], Names>>
        : Flat<OfFields<T, Names>>;

/** A type that nothing has, where there are none. */
type OnlyKeys<T> = [keyof T] extends [never] ? 'none' : keyof T;

type OfText<T extends string, Names> = T extends `${infer One}?`
  ? OfText<One, Names> | null
  : T extends `${infer One}|${infer Others}`
    ? OfText<One, Names> | OfText<Others, Names>
    : T extends `'${infer Word}'`
      ? Word
      : T extends `${infer One}&${string}`
        ? OfText<One, Names>
        : T extends keyof Names
          ? Names[T]
          : never;

type OfFields<T, Names> = {
  -readonly [All in keyof T as Exclude<EachOf<All>, `*${string}` | `${string}?`>]: Of<T[All], Names>;
} & {
  -readonly [All in keyof T as EachOf<All> extends infer Name
    ? Name extends `${infer Own}?`
      ? Own
      : never
    : never]?: Of<T[All], Names>;
};

type EachOf<All> = All extends `${infer One}, ${infer Others}` ? One | EachOf<Others> : All;

export type Flat<T> = { [Name in keyof T]: T[Name] };
