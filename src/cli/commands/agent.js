import { addQueueOptions, withQueue } from '../options.js';

/** @import { CliCommand } from '../types.js' */

const EXAMPLES = `
Examples:
  $ redis-pipe-bench agent --queue redis://control:6379 --allow redis://target:6379
  $ RPB_QUEUE=rediss://:secret@control REDIS_PASSWORD=… redis-pipe-bench agent --allow redis://target:6379
`;

/** @type {CliCommand} */
export default {
  name: 'agent',
  summary: 'send load from this machine, for a benchmark that runs on another',

  define: (command) =>
    void addQueueOptions(command)
      .option('--name <name>', 'what it is called (default: the name of this machine)')
      .option(
        '--allow <what>',
        'a server that it may measure, redis://target:6379; or any-target, plugins, releases, node-bin, scripts, profile:FOLDER; repeatable',
        (value, /** @type {string[]} */ before = []) => [...before, value],
      )
      .addHelpText('after', EXAMPLES),

  async run(given, { stdout, env, process, tools }) {
    const { agent } = await import('../../agents/agents.js');
    const { hostname } = await import('node:os');
    const { options, queueOrigin } = withQueue(given, env);
    const ended = new AbortController();
    // The process that started this agent is gone, perhaps already.
    process.once('disconnect', () => ended.abort());
    if (process.connected === false) ended.abort();
    await tools.interruptible(process, (signal) =>
      agent(
        { ...options, name: given.name ?? hostname() },
        {
          signal: AbortSignal.any([signal, ended.signal]),
          env,
          queueOrigin,
          onStatus: tools.sayOn(stdout),
        },
      ),
    );
  },
};
