import { naming, UsageError } from '../core/errors.js';
import { QUEUE_TOKEN } from '../core/secrets.js';
import { flagOfName, goneText } from './gone.js';

/** @import { OptionSpec } from './types.js' */

/** `runTime` is `runTimeMs`, too. @param {Record<string, OptionSpec>} table @param {{[name: string]: any}} chosen */
export const byTableNames = (table, chosen) =>
  Object.fromEntries(
    Object.entries(chosen).map(([name, value]) => [
      value !== undefined && Object.hasOwn(table, `${name}Ms`) ? `${name}Ms` : name,
      value,
    ]),
  );

/**
 * @template {string} Name @param {Record<Name, OptionSpec>} table @param {{[name: string]: any}} given text or values
 * @returns {Record<Name, any>} the value of every option, by default its default
 * @throws {UsageError} for an unknown option or a wrong value
 */
export function readOptions(table, given) {
  const chosen = byTableNames(table, given);
  for (const name of Object.keys(chosen)) {
    if (Object.hasOwn(table, name)) continue;
    const gone = goneText('options', flagOfName(name), chosen[name]);
    if (gone !== undefined) throw new UsageError(gone);
    throw new UsageError(`option '${name}' is unknown; expected one of ${Object.keys(table).join(', ')}`);
  }
  const entries = /** @type {[Name, OptionSpec][]} */ (Object.entries(table));
  return /** @type {Record<Name, any>} */ (
    Object.fromEntries(
      entries.map(([name, option]) => [
        name,
        chosen[name] === undefined ? option.default : readOption(option, chosen[name]),
      ]),
    )
  );
}

/** @param {OptionSpec} option @returns {string} such as `--tasks` */
export const flagOf = ({ flag }) => flag.split(' ')[0];

/** @param {OptionSpec} option @param {unknown} value */
export const readOption = (option, value) => naming(flagOf(option), () => option.kind(value));

/** A command line stays in the shell's history and shows in the list of processes: no place for a password. */
export const QUEUE = 'RPB_QUEUE';
/** @param {Record<string, any>} given @param {NodeJS.ProcessEnv} env @returns {Record<string, any>} */
export const withToken = (given, { [QUEUE_TOKEN]: queueToken }) =>
  given.queueToken === undefined && queueToken ? { ...given, queueToken } : given;

/**
 * REDIS_URL applies where no option names a server, RPB_QUEUE where --agents is env.
 * @param {Record<string, any>} given options of the command line
 * @param {NodeJS.ProcessEnv} env @returns {{options: Record<string, any>, urlOrigin?: string}}
 */
export function withEnvironment({ agents, ...others }, env) {
  const given =
    agents === undefined
      ? others
      : withToken({ ...others, agents: agents === 'env' ? queueIn(env) : agents }, env);
  const named =
    given.url ?? given.socket ?? given.sentinel ?? given.serverBin ?? given.server ?? given.serverConfig;
  if (named !== undefined || !env.REDIS_URL) return { options: given };
  return { options: { ...given, url: env.REDIS_URL }, urlOrigin: 'REDIS_URL' };
}

/** @param {NodeJS.ProcessEnv} env @returns {string} @throws {UsageError} */
function queueIn({ [QUEUE]: url }) {
  if (url) return url;
  throw new UsageError(`--agents env: expected the URL of a control Redis in ${QUEUE}, which is not set`);
}
