import { agent } from '../../src/commands/agents/agents.js';
import { until } from './until.js';

/**
 * Starts an agent in this process, which is the fastest to start.
 *
 * @param {Parameters<typeof agent>[0]} options
 */
export async function startAgentHere(options) {
  const ending = new AbortController();
  /** @type {string[]} */
  const said = [];
  const ended = agent(options, { signal: ending.signal, onStatus: (text) => said.push(text) });
  ended.catch(() => {});
  await until(`the agent ${options.name}`, () => said.some((text) => /waits for jobs at/.test(text)));
  return {
    said,
    async end() {
      ending.abort();
      await ended;
    },
  };
}
