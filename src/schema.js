import { getDotPath, safeParse } from 'valibot';

/** @import { BaseIssue, GenericSchema, InferOutput } from 'valibot' */

/**
 * What comes over a wire or out of a file, once it has the shape that is expected. A refusal says where it differs and what
 * was expected; of what was found it names the type alone, because the value may be a secret.
 * @template {GenericSchema} S
 * @param {S} schema @param {unknown} value
 * @param {(wrong: string) => Error} refuse makes the error: `slots.0.2: expected Array, got string`
 * @returns {InferOutput<S>}
 */
export function readAs(schema, value, refuse) {
  const result = safeParse(schema, value, { abortEarly: true });
  if (result.success) return result.output;
  throw refuse(wrongIn(result.issues[0]));
}

/** @param {BaseIssue<unknown>} issue @returns {string} */
function wrongIn(issue) {
  const place = getDotPath(issue);
  const what =
    issue.expected === null ? issue.message : `expected ${issue.expected}, got ${foundIn(issue.input)}`;
  return place === null ? what : `${place}: ${what}`;
}

/** @param {unknown} value @returns {string} its type; of a number the number */
export function foundIn(value) {
  if (value === null) return 'null';
  if (value === undefined) return 'nothing';
  if (typeof value === 'number') return String(value);
  if (value instanceof Error) return 'an error';
  return Array.isArray(value) ? `a list of ${value.length}` : typeof value;
}
