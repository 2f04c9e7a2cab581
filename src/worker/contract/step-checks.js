import { runsScripts } from '../../script-commands.js';
import { expectEqual, expectError, expectThat, shown } from './expect.js';
import { losing, watchPending } from './watched.js';

/**
 * @import { Connection, Item, WorkloadPlugin } from '../../plugins/types.js'
 * @import { ContractCheck } from './expect.js'
 */

const TIMES = 3;

/**
 * What must be true of a workload.
 *
 * @param {object} under
 * @param {WorkloadPlugin} under.workload
 * @param {any} under.parameter
 * @param {() => Connection} under.connection
 * @param {(...command: string[]) => Promise<any>} under.query
 * @param {string} under.prefix of keys
 * @returns {ContractCheck[]}
 */
export function workloadChecks({ workload, parameter, connection, query, prefix }) {
  /** @type {Item[]} */
  const items = Array.from({ length: TIMES }, (_, index) => ({
    index,
    key: `${prefix}${index}`,
    hash: `${prefix}h`,
    value: `the value ${index}`,
  }));
  const context = { role: 0, keys: items.length, processes: 1, itemsOf: () => items, keyPrefix: prefix };
  const iterations = workload.cycle?.(parameter, context) ?? [];
  const steps = iterations.flat();

  /** @param {(step: typeof steps[number], item: Item) => Promise<void>} act */
  async function onEach(act) {
    for (const step of steps) for (const item of items) await act(step, item);
  }
  return [
    {
      title: 'has commands, or code, in every iteration',
      async run() {
        expectThat('at least one iteration', iterations.length > 0);
        expectThat(
          'no empty iteration',
          iterations.every((each) => each.length > 0),
        );
      },
    },
    {
      title: 'means something that survives the way to a worker',
      run: async () =>
        expectEqual('as JSON', JSON.parse(JSON.stringify(parameter ?? null)), parameter ?? null),
    },
    {
      title: 'stores what it needs, and takes the replies for right',
      async run() {
        for (const step of workload.prepare?.(parameter) ?? []) {
          for (const item of items) await step.send(connection(), item);
        }
        await onEach(async (step, item) => void (await step.store?.(connection(), item)));
        await onEach(async (step, item) => {
          const reply = await step.send(connection(), item);
          // What is truthy would be taken for right.
          if (workload.iterate) {
            const isVerdict = reply == null || typeof reply === 'boolean';
            expectThat(`iterate() to return nothing, true or false, got ${shown(reply)}`, isVerdict);
          }
          expectThat(
            step.wrongText
              ? `true or nothing from iterate(); it ${step.wrongText(reply, item)}`
              : `a right reply to ${step.command}`,
            step.accept(reply, item),
          );
        });
      },
    },
    {
      title: "sends what it says, by the server's count",
      async run() {
        for (const step of steps) step.takeCalls?.();
        await query('CONFIG', 'RESETSTAT');
        await onEach(async (step, item) => void (await step.send(connection(), item)));
        /** @type {Record<string, number>} */
        const claimed = {};
        for (const step of steps) {
          const calls = step.takeCalls?.() ?? { [step.command]: items.length };
          for (const [name, count] of Object.entries(calls)) claimed[name] = (claimed[name] ?? 0) + count;
        }
        const counted = countsIn(String(await query('INFO', 'commandstats')));
        const own = runsScripts(claimed) ? withoutThoseOfScripts(counted, claimed) : counted;
        expectEqual('commands that the server counted', own, claimed);
      },
    },
    {
      title: 'awaits its commands',
      async run() {
        await onEach(async (step, item) => {
          const watched = watchPending(connection());
          await step.send(watched.connection, item);
          const what = workload.iterate ? 'iterate()' : step.command;
          expectEqual(`commands under way when ${what} had ended`, watched.pending(), 0);
        });
      },
    },
    {
      title: 'passes on the errors of its commands',
      async run() {
        for (const step of steps) {
          const send = async () => {
            if (!step.accept(await step.send(losing(connection()), items[0]), items[0]))
              throw new Error('wrong');
          };
          await expectError('a connection that was lost', send, /./);
        }
      },
    },
    {
      title: 'works on keys of its own alone',
      async run() {
        const keys = /** @type {string[]} */ (await query('KEYS', '*'));
        expectEqual(
          'keys that do not begin with the key of the item',
          keys.filter((key) => !key.startsWith(prefix)),
          [],
        );
      },
    },
  ];
}

/** @param {string} stats @returns {Record<string, number>} by command, subcommands with their commands */
function countsIn(stats) {
  /** @type {Record<string, number>} */
  const counts = {};
  for (const [, name, calls] of stats.matchAll(/^cmdstat_([^:|]+)(?:\|[^:]*)?:calls=(\d+)/gm)) {
    if (name !== 'info' && name !== 'config') counts[name] = (counts[name] ?? 0) + Number(calls);
  }
  return counts;
}

/**
 * Scripts send what they like, which the server counts too: of each command that was claimed, no more than that.
 *
 * @param {Record<string, number>} counted
 * @param {Record<string, number>} claimed
 * @returns {Record<string, number>}
 */
const withoutThoseOfScripts = (counted, claimed) =>
  Object.fromEntries(
    Object.entries(claimed).map(([name, count]) => [name, Math.min(count, counted[name] ?? 0)]),
  );
