import { OPTIONS, QUEUE, withToken } from '../../commands/agents/options.js';
import { EXIT, UsageError } from '../../errors.js';
import { TLS_OPTIONS } from '../../options/option-table.js';
import { readOnly } from '../../options/read.js';
import { gridLines, gridOf } from '../../report/grid.js';
import { listed } from '../../report/origin-facts.js';
import { HEADINGS } from '../first-help.js';
import { interruptible } from '../interrupt.js';
import { Argument, addOptions, collect, Option } from '../options.js';

/** @import { QueueOptions } from '../../commands/agents/agents.js' */
/** @import { Hello } from '../../commands/agents/types.js' */
/** @import { ColumnOf } from '../../report/types.js' */
/** @import { CommandPart } from '../types.js' */
/** @import { Command } from 'commander' */

const EXAMPLES = `
Examples:
  $ redis-pipe-bench agent --queue redis://control:6379 --allow redis://target:6379
  $ RPB_QUEUE=rediss://:secret@control REDIS_PASSWORD=… redis-pipe-bench agent --allow redis://target:6379
`;

/** @type {CommandPart} */
export const agent = {
  define: (command) =>
    void addQueueOptions(command)
      .option('--name <name>', 'what it is called (default: the name of this machine)')
      .option(
        '--allow <what>',
        'a server that it may measure, redis://target:6379; or any-target, plugins, releases, node-bin, scripts, profile:FOLDER; repeatable',
        collect,
      )
      .addHelpText('after', EXAMPLES),

  async run(given, { stdout, env, process }) {
    const { agent } = await import('../../commands/agents/agents.js');
    const { hostname } = await import('node:os');
    const { options, queueOrigin } = withQueue(given, env);
    const ended = new AbortController();
    // The process that started this agent is gone, perhaps already.
    process.once('disconnect', () => ended.abort());
    if (process.connected === false) ended.abort();
    await interruptible(process, (signal) =>
      agent(
        { ...options, name: given.name ?? hostname() },
        {
          signal: AbortSignal.any([signal, ended.signal]),
          env,
          queueOrigin,
          onStatus: (text) => stdout.lines([text]),
        },
      ),
    );
  },
};

/** @type {CommandPart} */
export const agents = {
  define: (command) =>
    void addQueueOptions(command).addArgument(
      new Argument(
        '[clean]',
        'remove from the control Redis what dead agents and benchmarks left there',
      ).choices(['clean']),
    ),

  async run(given, { stdout, env }, clean) {
    const { options, queueOrigin } = withQueue(given, env);
    const tell = clean ? cleanedLines : waitingLines;
    const { lines, found } = await tell(options, queueOrigin, stdout.columns ?? 100);
    stdout.lines(lines);
    return found ? EXIT.done : EXIT.server;
  },
};

/** @param {QueueOptions} options @param {string} queueOrigin */
async function cleanedLines(options, queueOrigin) {
  const { cleanAgents } = await import('../../commands/agents/agents.js');
  const { control, removed, skipped } = await cleanAgents(options, { queueOrigin });
  const none = removed.length === 0 ? [`nothing of dead agents is left at ${control}`] : [];
  const lines = skipped.map(({ name, why }) => `skipped ${name}: ${why}`);
  return { lines: [...lines, ...removed.map((name) => `removed ${name}`), ...none], found: true };
}

/** @param {QueueOptions} options @param {string} queueOrigin @param {number} width */
async function waitingLines(options, queueOrigin, width) {
  const { listAgents } = await import('../../commands/agents/agents.js');
  const { control, agents, silent, refusing } = await listAgents(options, { queueOrigin });
  /** @type {ColumnOf<Hello>[]} */
  const columns = COLUMNS.map((column) => ({ ...column, align: 'left' }));
  const grid = { ...gridOf(agents, ({ name }) => ({ name }), columns), names: { title: 'agent' } };
  const lines = [
    ...(agents.length > 0 ? gridLines(grid, { width }) : []),
    ...silent.map((name) => `${name} does not reply; 'redis-pipe-bench agents clean' removes what it left`),
    ...refusing.map(({ why }) => `skipped ${why}`),
  ];
  return { lines: lines.length > 0 ? lines : [`no agents wait at ${control}`], found: agents.length > 0 };
}

/** @type {Omit<ColumnOf<Hello>, 'align'>[]} */
const COLUMNS = [
  { title: 'version', text: ({ tool }) => tool },
  { title: 'Node', text: ({ node }) => node },
  { title: 'clients', text: ({ packages }) => listed(Object.entries(packages)) },
  { title: 'processors', text: ({ cpuCount }) => `${cpuCount}` },
  { title: 'clock', text: ({ aheadMs, clock }) => clockText(aheadMs, clock.errorMs) },
  { title: 'works for', text: ({ worksFor }) => worksFor ?? '' },
];

/** @param {number} aheadMs of the control Redis @param {number} errorMs */
export function clockText(aheadMs, errorMs) {
  const ms = Math.round(aheadMs);
  return `${ms > 0 ? '+' : ''}${ms} ms ± ${errorMs.toFixed(1)}`;
}

const OF_QUEUE = { queueToken: OPTIONS.queueToken, ...TLS_OPTIONS };

/** @param {Command} command */
const addQueueOptions = (command) =>
  addOptions(
    command.addOption(
      new Option(
        '--queue <url>',
        `the control Redis: redis[s]://[[user]:password@]host[:port] (also ${QUEUE})`,
      ).helpGroup(HEADINGS.server),
    ),
    OF_QUEUE,
  );

/**
 * @param {Record<string, unknown>} options
 * @param {NodeJS.ProcessEnv} env
 * @returns {{options: QueueOptions, queueOrigin: string}}
 */
function withQueue(options, env) {
  const { queue = env[QUEUE], ...given } = readOnly(OF_QUEUE, withToken(options, env));
  if (!queue)
    throw new UsageError('--queue: expected the URL of a control Redis, such as redis://control:6379');
  return { options: { ...given, queue }, queueOrigin: options.queue === undefined ? QUEUE : '--queue' };
}
