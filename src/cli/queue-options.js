import { OPTIONS, UsageError, withToken } from '../index.js';
import { Option } from './commander.js';
import { addOptions } from './options.js';

/** @import { Command } from 'commander' */

const { queueToken, tlsCa, tlsCert, tlsKey, tlsInsecure } = OPTIONS;
/** A URL on the command line may hold a password that the shell's history keeps. */
const VARIABLE = 'RPB_QUEUE';

/** @param {Command} command */
export const addQueueOptions = (command) =>
  addOptions(
    command.addOption(
      new Option(
        '--queue <url>',
        `the control Redis: redis[s]://[[user]:password@]host[:port] (also ${VARIABLE})`,
      ),
    ),
    { queueToken, tlsCa, tlsCert, tlsKey, tlsInsecure },
  );

/**
 * @param {Record<string, any>} options
 * @param {NodeJS.ProcessEnv} env
 * @returns {{options: any, queueOrigin: string}}
 * @throws {UsageError}
 */
export function withQueue(options, env) {
  const given = withToken(options, env);
  if (given.queue !== undefined) return { options: given, queueOrigin: '--queue' };
  if (env[VARIABLE]) return { options: { ...given, queue: env[VARIABLE] }, queueOrigin: VARIABLE };
  throw new UsageError('--queue: expected the URL of a control Redis, such as redis://control:6379');
}
