import { UsageError } from '../errors.js';
import { QUEUE_TOKEN } from '../secrets.js';

/** A password on a command line stays in the shell's history, and is in the list of processes for a moment. */
const QUEUE = 'RPB_QUEUE';
/**
 * @param {Record<string, any>} given @param {NodeJS.ProcessEnv} env
 * @returns {Record<string, any>} with the token of the environment, where none is given
 */
export const withToken = (given, { [QUEUE_TOKEN]: queueToken }) =>
  given.queueToken === undefined && queueToken ? { ...given, queueToken } : given;

/**
 * The server that REDIS_URL names, where no option names one, and the control Redis of `--agents env`.
 * @param {Record<string, any>} given options of the command line
 * @param {NodeJS.ProcessEnv} env @returns {{options: Record<string, any>, urlOrigin?: string}}
 */
export function withEnvironment({ agents, ...others }, env) {
  const given =
    agents === undefined
      ? others
      : withToken({ ...others, agents: agents === 'env' ? queueIn(env) : agents }, env);
  const named = given.url ?? given.socket ?? given.serverBin ?? given.server ?? given.serverConfig;
  if (named !== undefined || !env.REDIS_URL) return { options: given };
  return { options: { ...given, url: env.REDIS_URL }, urlOrigin: 'REDIS_URL' };
}

/** @param {NodeJS.ProcessEnv} env @returns {string} @throws {UsageError} */
function queueIn({ [QUEUE]: url }) {
  if (url) return url;
  throw new UsageError(`--agents env: expected the URL of a control Redis in ${QUEUE}, which is not set`);
}
