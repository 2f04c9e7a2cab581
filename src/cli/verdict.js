import { EXIT } from '../index.js';

/** @import { Report } from '../results/types.js' */

/**
 * Reports each assertion, with the figures if it failed.
 *
 * @param {Report} report
 * @param {(text: string) => void} say
 * @returns {number} the exit code
 */
export function tellAssertions({ assertions, settings }, say) {
  if (settings.assert.length > assertions.length) {
    say("the suite's assertions are not decided: the figures of a smoke run mean nothing");
  }
  for (const { text, strict, holds, figures } of assertions) {
    say(`assertion ${holds ? 'holds' : 'failed'}${strict ? ' (strict)' : ''}: ${text}`);
    if (!holds) say(`  ${figures.join('; ')}`);
  }
  return assertions.every(({ holds }) => holds) ? EXIT.done : EXIT.assertion;
}
