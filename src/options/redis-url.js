import { UsageError } from '../errors.js';

/** A password on a command line stays in the shell's history, and is in the list of processes for a moment. */
const QUEUE = 'RPB_QUEUE';

/**
 * The server that REDIS_URL names, where no option names one, and the control Redis of `--agents env`.
 *
 * @param {Record<string, any>} given options of the command line
 * @param {NodeJS.ProcessEnv} env
 * @returns {{options: Record<string, any>, urlOrigin?: string}}
 */
export function withEnvironment({ agents, ...others }, env) {
  const given =
    agents === undefined ? others : { ...others, agents: agents === 'env' ? queueIn(env) : agents };
  const named = given.url ?? given.socket ?? given.serverBin ?? given.server ?? given.serverConfig;
  if (named !== undefined || !env.REDIS_URL) return { options: given };
  return { options: { ...given, url: env.REDIS_URL }, urlOrigin: 'REDIS_URL' };
}

/** @param {NodeJS.ProcessEnv} env @returns {string} @throws {UsageError} */
function queueIn({ [QUEUE]: url }) {
  if (url) return url;
  throw new UsageError(`--agents env: expected the URL of a control Redis in ${QUEUE}, which is not set`);
}
