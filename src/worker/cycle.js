/** @import { Step } from '../plugins/types.js' */

/** Most workloads do the same in every iteration; a mix does not. @param {Step[][]} iterations */
export function createCycle(iterations) {
  const { length } = iterations;
  const [first] = iterations;
  let position = 0;
  return {
    /** The step that is all of every iteration; null where there are more. */
    only: length === 1 && first.length === 1 ? first[0] : null,

    next: length === 1 ? () => first : () => iterations[position++ % length],

    /** Those of an iteration, whichever is next. @param {number} number */
    at: (number) => iterations[number % length],

    /** Iterations begun so far, where they are not all the same. */
    position: () => position,

    /** @param {number} from the position at the start @param {number} count @returns {Record<string, number>} commands by name */
    commandsIn(from, count) {
      /** @type {Record<string, number>} */
      const calls = {};
      for (let index = 0; index < length; index++) {
        const times = Math.floor(count / length) + (index < count % length ? 1 : 0);
        for (const { command, takeCalls } of iterations[(from + index) % length]) {
          if (takeCalls === undefined) calls[command] = (calls[command] ?? 0) + times;
        }
      }
      return calls;
    },
  };
}
