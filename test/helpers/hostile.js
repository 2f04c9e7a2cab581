import assert from 'node:assert/strict';
import fc from 'fast-check';
import { anyText } from './poison.js';

/** What would act on a terminal, forge a line, or fool the eye. */
export const HOSTILE = [
  '\x1b[2J\x1b[H',
  '\x1b[31mred\x1b[0m',
  '\x1b]0;title\x07',
  '\x1b]52;c;cm0gLXJmIC8=\x07',
  '\x1b]8;;http://evil.example\x1b\\link\x1b]8;;\x1b\\',
  '\x1bP+q\x1b\\',
  '\x9b2J',
  '\x9d0;title\x9c',
  '\nwarning: forged line',
  '\r\nredis-pipe-bench: forged line',
  '\roverwritten',
  '\t\t',
  '\v\f',
  '\b\b\b',
  '\x07',
  '\0',
  '\x7f',
  '\x85',
  '\u2028forged',
  '\u2029forged',
  '\u202egnp.txt',
  '\u2066\u2069\u200f\u061c',
  '\u200b\u200d\ufeff\u00ad',
  '\u{e0041}\u{e0100}',
  '\ufe0f\u034f\u3164',
  '\ud800',
  '\udfff',
  'Z\u0301\u0302\u0303\u0304\u0305\u0306\u0307\u0308',
  '応答応答',
  '👨‍👩‍👧',
];

export const hostileText = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...HOSTILE) },
  {
    weight: 1,
    arbitrary: fc
      .array(fc.constantFrom(...HOSTILE), { minLength: 2, maxLength: 4 })
      .map((all) => all.join('')),
  },
  { weight: 1, arbitrary: anyText({ minLength: 1, maxLength: 12 }) },
);

/** Written down here once more, so that a hole in the tool's own list shows. */
const FORBIDDEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: each is looked for by itself
  /[\x00-\x09\x0b-\x1f\x7f-\x9f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]|\u034f|\p{Cs}|\p{M}{5}/u;
/** Those that the tool writes itself on a terminal with colours. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const COLORS = /\x1b\[(?:0|1|2|22|31|32|33|36|39)m/g;

/** @param {string} text @param {{format?: string, color?: boolean}} [how] @returns {number} its lines */
export function assertTame(text, { format, color = false } = {}) {
  let tame = format === 'csv' ? text.replaceAll('\r\n', '\n') : text;
  if (color) tame = tame.replaceAll(COLORS, '');
  const found = FORBIDDEN.exec(tame);
  assert.equal(
    found,
    null,
    `${JSON.stringify(found?.[0])} in: ${JSON.stringify(tame.slice(Math.max(0, (found?.index ?? 0) - 60)).slice(0, 160))}`,
  );
  return tame.split('\n').length;
}
