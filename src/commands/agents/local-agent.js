/** The process of an agent that --agents local:2 starts on this machine. Nobody but its parent reaches its control Redis. */

import { answerRequests } from '../../process/answer-requests.js';
import { agent } from './agents.js';

/** @import { Target } from '../../server/types.js' */

const ALLOWED = ['any-target', 'plugins', 'releases', 'node-bin', 'scripts', 'profile:/'];

const ending = new AbortController();
/** @type {(target: Target) => void} */
let know = () => {};
let ended = Promise.resolve();

answerRequests(
  {
    /** @param {{queue: string, name: string}} where @returns {Promise<void>} once it waits for jobs */
    start: (where) =>
      new Promise((resolve, reject) => {
        ended = agent(
          { ...where, allow: ALLOWED },
          {
            signal: ending.signal,
            owner: (onTarget) => {
              know = onTarget;
            },
            onStatus: (text) => text.includes('waits for jobs at') && resolve(),
          },
        );
        ended.catch(reject);
      }),
    /** @param {Target} target that its parent measures, with all that is needed for it */
    server: async (target) => know(target),
  },
  async () => {
    ending.abort();
    await ended.catch(() => {});
  },
);
