import { EXIT } from '../../core/errors.js';
import { addQueueOptions, withQueue } from '../options.js';

/** @import { Hello } from '../../agents/types.js' */
/** @import { CliCommand } from '../types.js' */

/** @type {CliCommand} */
export default {
  name: 'agents',
  summary: 'show the agents that wait for work at a control Redis, their versions and clocks',

  define: (command) => void addQueueOptions(command),

  async run(given, { stdout, env, tools }) {
    const { listAgents } = await import('../../agents/agents.js');
    const { gridLines } = await import('../../core/report/grid.js');
    const { options, queueOrigin } = withQueue(given, env);
    const { control, agents, silent, refusing } = tools.printableDeep(
      await listAgents(options, { queueOrigin }),
    );
    if (agents.length + silent.length + refusing.length === 0) stdout.write(`no agents wait at ${control}\n`);
    if (agents.length > 0)
      stdout.write(
        `${gridLines({ ...AGENT_COLUMNS, rows: agents.map(rowOf) }, { width: stdout.columns ?? 100 }).join('\n')}\n`,
      );
    for (const name of silent) {
      stdout.write(`${name} does not reply; 'redis-pipe-bench agents clean' removes what it left\n`);
    }
    for (const { why } of refusing) stdout.write(`skipped ${why}\n`);
    return agents.length === 0 ? EXIT.server : undefined;
  },

  commands: [
    {
      name: 'clean',
      summary: 'remove from the control Redis what dead agents and benchmarks left there',
      define: (command) => void addQueueOptions(command),
      async run(given, { stdout, env, tools }) {
        const { cleanAgents } = await import('../../agents/agents.js');
        const { options, queueOrigin } = withQueue(given, env);
        const { control, removed, skipped } = tools.printableDeep(
          await cleanAgents(options, { queueOrigin }),
        );
        for (const { name, why } of skipped) stdout.write(`skipped ${name}: ${why}\n`);
        for (const name of removed) stdout.write(`removed ${name}\n`);
        if (removed.length === 0) stdout.write(`nothing of dead agents is left at ${control}\n`);
      },
    },
  ],
};

const TITLES = ['version', 'Node', 'clients', 'processors', 'clock', 'works for'];
const AGENT_COLUMNS = {
  names: { title: 'agent' },
  columns: TITLES.map((title) => ({ title, align: /** @type {const} */ ('left') })),
};

/** @param {Hello} agent */
const rowOf = ({ name, tool, node, packages, cpuCount, clock, aheadMs, worksFor }) => ({
  name,
  texts: [
    tool,
    node,
    Object.entries(packages)
      .map((each) => each.join(' '))
      .join(', '),
    `${cpuCount}`,
    clockText(aheadMs, clock.errorMs),
    worksFor ?? '',
  ],
});

/** @param {number} aheadMs of the control Redis @param {number} errorMs */
export function clockText(aheadMs, errorMs) {
  const ms = Math.round(aheadMs);
  return `${ms > 0 ? '+' : ''}${ms} ms ± ${errorMs.toFixed(1)}`;
}
