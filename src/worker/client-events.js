import { messageOf } from '../errors.js';

/** @import { EventSource } from '../plugins/types.js' */
/** @import { Emitted } from './types.js' */

/**
 * Clients of a cluster have names of their own for what its nodes do.
 * @type {[event: string, counted: 'errors' | 'reconnections' | 'ends'][]}
 */
const EVENTS = [
  ['error', 'errors'],
  ['node error', 'errors'],
  ['node-error', 'errors'],
  ['reconnecting', 'reconnections'],
  ['node-reconnecting', 'reconnections'],
  ['end', 'ends'],
];

/** @returns {Emitted} */
const nothing = () => ({ errors: 0, reconnections: 0, ends: 0, firstError: null });

/** Counts what the clients of a process emit. Of the texts of errors only the first is kept. */
export function createClientEvents() {
  let emitted = nothing();
  let isWatching = false;

  return {
    /** For each connection or pool. */
    ofConnection() {
      let isClosing = false;
      return {
        /** @param {EventSource} client */
        watch(client) {
          isWatching = true;
          for (const [event, counted] of EVENTS)
            client.on(event, (error) => {
              if (counted === 'errors') emitted.firstError ??= messageOf(error);
              else if (isClosing) return;
              emitted[counted]++;
            });
        },
        /** Its end is expected from now on. */
        closing() {
          isClosing = true;
        },
      };
    },

    /** @returns {Emitted | null} since the last call; null where no client is watched */
    take() {
      const taken = emitted;
      emitted = nothing();
      return isWatching ? taken : null;
    },
  };
}
