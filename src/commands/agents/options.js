import { UsageError } from '../../errors.js';
import { inGroup } from '../../options/option-table.js';
import { from, kindOf, listOf, text, wholeNumber } from '../../options/values.js';
import { QUEUE_TOKEN } from '../../process/secrets.js';

const LOCAL_AGENTS = /^local:(\d{1,2})$/;
/** Each is a Node process, as are its workers. */
const localCount = wholeNumber('local: and a number from 1 to 64, as in local:3', 1, 64);
/** Each has connections to the control Redis. */
export const machineCount = from(1, 1000);

/** A URL, or how many are started here. It may hold a password, so it is never shown. */
const agents = kindOf('url', (/** @type {unknown} */ value) => {
  if (typeof value === 'object' && value !== null && 'local' in value)
    return { local: localCount(value.local) };
  const given = text(value);
  const local = LOCAL_AGENTS.exec(given)?.[1];
  if (local !== undefined) return { local: localCount(local) };
  if (given === 'env' || given.includes('://')) return given;
  throw new Error(
    'expected the URL of a control Redis, env (from RPB_QUEUE), or local:3, got something without redis:// before it',
  );
});

const FROM_HERE = 'do not go together: the load is from other machines';

export const OPTIONS = inGroup('send', {
  agents: [
    agents,
    'send the load from other machines (docs/open-loop.md); the URL of a control Redis; env: RPB_QUEUE names it; local:3 starts three here',
    {
      excludes: {
        replicas: FROM_HERE,
        readFrom: FROM_HERE,
        cpus: FROM_HERE,
        import: 'do not go together: agents load no file that another machine names',
      },
      conflict: ({ agents: asked, topology }) =>
        asked !== undefined && topology.includes('sentinel')
          ? '--topology sentinel is measured from this machine only, not yet with --agents; give one of them'
          : null,
    },
  ],
  machines: [listOf(machineCount), 'so many of the --agents (default: all)', { needs: ['--agents'] }],
  queueToken: [text, `the secret that signs jobs for agents (also ${QUEUE_TOKEN})`],
});

/** A command line stays in the shell's history and shows in the list of processes: no place for a password. */
export const QUEUE = 'RPB_QUEUE';

/** @param {Record<string, any>} given @param {NodeJS.ProcessEnv} env @returns {Record<string, any>} */
export const withToken = (given, { [QUEUE_TOKEN]: queueToken }) =>
  given.queueToken === undefined && queueToken ? { ...given, queueToken } : given;

/**
 * RPB_QUEUE names the control Redis where --agents is env.
 * @param {Record<string, unknown>} given options of the command line
 * @param {NodeJS.ProcessEnv} env
 * @returns {Record<string, unknown>}
 * @throws {UsageError}
 */
export function withQueue(given, env) {
  if (given.agents === undefined) return given;
  const url = given.agents === 'env' ? env[QUEUE] : given.agents;
  if (url) return withToken({ ...given, agents: url }, env);
  throw new UsageError(`--agents env: expected the URL of a control Redis in ${QUEUE}, which is not set`);
}
