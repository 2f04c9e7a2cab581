/**
 * The server that REDIS_URL names, where no option names one.
 *
 * @param {Record<string, any>} given options of the command line
 * @param {NodeJS.ProcessEnv} env
 * @returns {{options: Record<string, any>, urlOrigin?: string}}
 */
export function withEnvironment(given, env) {
  const named = given.url ?? given.socket ?? given.serverBin ?? given.server ?? given.serverConfig;
  if (named !== undefined || !env.REDIS_URL) return { options: given };
  return { options: { ...given, url: env.REDIS_URL }, urlOrigin: 'REDIS_URL' };
}
