import { runsScripts } from '../command-places.js';
import { addUp } from '../worker/meters/all-meters.js';
import { createBatchMeter } from '../worker/tally.js';
import {
  callsOf,
  expectEqual,
  expectError,
  expectNone,
  expectThat,
  LOST,
  losing,
  MEMBERS,
  parameterChecks,
  shown,
  watchPending,
} from './expect.js';

/** @import { Connection, Item, WorkloadPlugin, PipeliningPlugin } from '../plugins/types.js' */
/** @import { Query } from './expect.js' */

const TIMES = 3;

/** @param {{workload: WorkloadPlugin, parameter: any, connection: () => Connection, query: Query, prefix: string}} under */
export function workloadChecks({ workload, parameter, connection, query, prefix }) {
  /** @type {Item[]} */
  const items = Array.from({ length: TIMES }, (_, index) => ({
    index,
    key: `${prefix}${index}`,
    hash: `${prefix}h`,
    value: `the value ${index}`,
  }));
  const all = () => items;
  const own = { keyPrefix: prefix, anyCommand: true };
  const context = { role: 0, keys: TIMES, processes: 1, itemsOf: all, items: all, ...own };
  const iterations = workload.cycle?.(parameter, context) ?? [];
  const steps = iterations.flat();

  /** @param {(step: typeof steps[number], item: Item) => Promise<void>} act */
  async function onEach(act) {
    for (const step of steps) for (const item of items) await act(step, item);
  }
  return {
    async 'has commands, or code, in every iteration'() {
      expectThat('at least one iteration', iterations.length > 0);
      expectThat(
        'no empty iteration',
        iterations.every((each) => each.length > 0),
      );
    },
    ...parameterChecks(parameter),
    async 'stores what it needs, and takes the replies for right'() {
      for (const step of workload.prepare?.(parameter) ?? []) {
        for (const item of items) await step.send(connection(), item);
      }
      await onEach(async (step, item) => void (await step.store?.(connection(), item)));
      await onEach(async (step, item) => {
        const reply = await step.send(connection(), item);
        // What is truthy would be taken for right.
        if (workload.iterate) {
          const isVerdict = reply == null || typeof reply === 'boolean' || reply instanceof Error;
          expectThat(`iterate() to return nothing, true, false or an Error, got ${shown(reply)}`, isVerdict);
        }
        expectThat(
          workload.iterate && step.wrongText
            ? `true or nothing from iterate(); it ${step.wrongText(reply, item, String)}`
            : `a right reply to ${step.command}`,
          step.accept(reply, item),
        );
      });
    },
    async "sends what it says, by the server's count"() {
      for (const step of steps) step.takeCalls?.();
      await query('CONFIG', 'RESETSTAT');
      await onEach(async (step, item) => void (await step.send(connection(), item)));
      const claimed = addUp(...steps.map((step) => step.takeCalls?.() ?? { [step.command]: items.length }));
      const { info, config, ...counted } = await callsOf(query);
      const own = runsScripts(claimed) ? withoutThoseOfScripts(counted, claimed) : counted;
      expectEqual('commands that the server counted', own, claimed);
    },
    async 'awaits its commands'() {
      await onEach(async (step, item) => {
        const watched = watchPending(connection());
        await step.send(watched.connection, item);
        const what = workload.iterate ? 'iterate()' : step.command;
        expectEqual(`commands in flight when ${what} had ended`, watched.pending(), 0);
      });
    },
    async 'passes on the errors of its commands'() {
      for (const step of steps) {
        const send = async () => {
          if (!step.accept(await step.send(losing(connection()), items[0]), items[0]))
            throw new Error('wrong');
        };
        await expectError('a connection that was lost', send, /./);
      }
    },
    async 'works on keys of its own alone'() {
      const keys = /** @type {string[]} */ (await query('KEYS', '*'));
      expectEqual(
        'keys that do not begin with the key of the item',
        keys.filter((key) => !key.startsWith(prefix)),
        [],
      );
    },
  };
}

/** Scripts may send more than is claimed. @param {Record<string, number>} counted @param {Record<string, number>} claimed */
const withoutThoseOfScripts = (counted, claimed) =>
  Object.fromEntries(
    Object.entries(claimed).map(([name, count]) => [name, Math.min(count, counted[name] ?? 0)]),
  );

const MANY = 20;

/** @param {{mode: PipeliningPlugin, parameter: any, connect: () => Promise<Connection>, prefix: string}} under */
export function pipeliningChecks({ mode, parameter, connect, prefix }) {
  const keys = Array.from({ length: MANY }, (_, index) => `${prefix}${index}`);
  /** @param {(connection: Connection) => Promise<void>} use @param {(inner: Connection) => Connection} [through] */
  async function onWrapped(use, through = (inner) => inner) {
    const inner = await connect();
    const given = through(inner);
    try {
      await use(mode.wrap?.(given, parameter, createBatchMeter()) ?? given);
    } finally {
      inner.destroy();
    }
  }
  return {
    ...parameterChecks(parameter),
    'has all that a connection has': () =>
      onWrapped(async (connection) =>
        expectNone(
          'what is missing',
          MEMBERS.filter((name) => typeof connection[name] !== 'function'),
        ),
      ),
    'passes on that the connection was lost': () =>
      onWrapped(async (connection) => {
        const get = (/** @type {string} */ key) =>
          expectError('a command', async () => connection.get(key), new RegExp(LOST));
        await Promise.all(keys.map(get));
      }, losing),
    'gives each command its own reply': () =>
      onWrapped(async (connection) => {
        const stored = await Promise.all(keys.map((key) => connection.set(key, `value of ${key}`)));
        expectEqual('the replies of set', stored, Array(MANY).fill('OK'));
        const replies = await Promise.all(keys.map((key) => connection.get(key)));
        expectEqual(
          'the replies of get',
          replies,
          keys.map((key) => `value of ${key}`),
        );
        await expectError(
          'HSET of a string',
          async () => connection.hset(keys[0], 'field', 'x'),
          /WRONGTYPE/,
        );
        expectEqual('a missing key', await connection.get(`${prefix}missing`), null);
        await connection.close();
      }),
  };
}
