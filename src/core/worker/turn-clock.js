/** @import { TurnClock } from './types.js' */

/** 32 bits of 100 ns reach to seven minutes. */
export const UNITS_PER_MS = 10_000;
export const NS_PER_UNIT = 100;

/** @param {number} ms @returns {number} in units of 100 ns, wrapped around to 32 bits */
export const inUnits = (ms) => (ms * UNITS_PER_MS) | 0;

/** In units of 100 ns. */
export const readClock = () => inUnits(performance.now());

/**
 * A clock that is read once per turn of the event loop: replies of one turn have arrived together.
 * @param {(ms: number) => void} [onTurn] called with each reading, by performance.now()
 * @param {(ms: number) => void} [onTurnEnd] called with the same when that turn ends @returns {TurnClock}
 */
export function createTurnClock(onTurn = () => {}, onTurnEnd = () => {}) {
  let ms = 0;
  let now = 0;
  let known = false;
  const endOfTurn = () => {
    known = false;
    onTurnEnd(ms);
  };
  const clock = () => {
    if (!known) {
      ms = performance.now();
      now = inUnits(ms);
      known = true;
      setImmediate(endOfTurn);
      onTurn(ms);
    }
    return now;
  };
  clock.anew = () => {
    now = readClock();
    return now;
  };
  return clock;
}

/** Reads the time anew; the turn clock still sees each turn. @param {() => number} turnClock @returns {() => number} */
export const createExactClock = (turnClock) => () => {
  turnClock();
  return readClock();
};
