import { once } from 'node:events';
import { addUp } from '../collections.js';
import { messageOf, messageWithPosition } from '../errors.js';
import { CHECKED_WITH, loadPlugin } from '../plugins/registry.js';
import { CommandBatch, completeConnection } from '../plugins/shared/connections.js';
import { openedSince, openNow } from '../process/leftovers.js';
import { until } from '../process/wait.js';
import { runsScripts } from '../server/command-places.js';
import { loadClient } from '../worker/cell-parts.js';
import { createClientEvents } from '../worker/client-events.js';
import { createConnector } from '../worker/connections.js';
import {
  callsOf,
  closingChecks,
  connectionChecks,
  connectionsOf,
  expectEqual,
  expectError,
  expectNone,
  expectSoon,
  expectThat,
  leaseChecks,
  shown,
} from './connection-checks.js';

/** @import { ClientPlugin, Connection, Item, OwnOptions, PluginFolders, PluginKind, ScenarioPlugin, WorkloadPlugin } from '../plugins/types.js' */
/** @import { Target } from '../server/types.js' */
/** @import { ContractChecks, Query } from './connection-checks.js' */

/** @typedef {{kind: PluginKind, id: string, pluginFolders: PluginFolders, target: Target, prefix: string}} CheckJob plain JSON */

/**
 * @typedef {Omit<CheckJob, 'kind' | 'id'> & {query: Query, check: (checks: ContractChecks, about?: string) => Promise<void>,
 *   opening: <T>(title: string, open: () => Promise<T>, about: string) => Promise<T | undefined>}} Asked
 */

const CHECK_WITHIN_MS = 10_000;

/** Runs the contract tests over a plugin of the user's, in a process of its own. @param {CheckJob} job */
export async function checkOwn({ kind, id, ...job }) {
  const raw = await loadPlugin('clients', 'raw');
  const before = openNow();
  /** @type {any} */
  const plugin = await loadPlugin(kind, id, job.pluginFolders);
  const loading = openedSince(before);
  const probe = await raw.connect(job.target, {}, undefined);
  /** @type {Query} */
  const query = (...command) => probe.command(command);
  /** @type {{title: string, failed: string | null}[]} */
  const results = [];
  /** @type {Asked['check']} */
  async function check(checks, about = '') {
    for (const [title, run] of Object.entries(checks))
      results.push({ title: `${about}${title}`, failed: await failureOf(run) });
  }
  /** @type {Asked['opening']} */
  async function opening(title, open, about) {
    let opened;
    const run = async () => {
      opened = await open();
    };
    await check({ [title]: run }, about);
    return opened;
  }
  /** @type {string[]} */
  const listeners = [];
  /** @type {string[]} */
  const unhandled = [];
  process.on('warning', ({ name, message }) => {
    if (name === 'MaxListenersExceededWarning') listeners.push(message);
  });
  process.on('unhandledRejection', (error) => unhandled.push(messageOf(error)));
  const idle = openNow();
  try {
    const asked = { ...job, query, check, opening };
    if (kind === 'clients') await checkClient(plugin, asked);
    else if (kind === 'scenarios') await checkScenario(plugin, asked);
    else await checkWorkload(plugin, asked);
    // What a failed check leaves behind counts for that check alone.
    const isClean = results.every(({ failed }) => failed === null);
    await check({
      // Only workers load clients, and end with what these have opened.
      ...(kind !== 'clients' && {
        'opens nothing when it is loaded': () => expectNone('what is open then', loading),
      }),
      'adds no listener with each command': () => expectNone('warnings of Node', listeners),
      ...(isClean && {
        'leaves no rejection unhandled': () => expectNone('rejections', unhandled),
        async 'leaves nothing open'() {
          await until(() => openedSince(idle).length === 0, { everyMs: 5, withinMs: 3000 });
          expectNone('what is open at the end', openedSince(idle));
        },
      }),
    });
    return results;
  } finally {
    probe.destroy();
  }
}

/** @param {() => unknown} run a check @returns {Promise<string | null>} */
async function failureOf(run) {
  // This timer does not keep the process open.
  const late = once(AbortSignal.timeout(CHECK_WITHIN_MS), 'abort').then(() => {
    throw new Error(`it had not ended after ${CHECK_WITHIN_MS / 1000} s`);
  });
  late.catch(() => {});
  return Promise.race([(async () => run())(), late]).then(() => null, messageWithPosition);
}

/** @param {ClientPlugin} client @param {Asked} asked */
async function checkClient(client, { target, prefix, query, check, opening }) {
  const { watch } = createClientEvents().ofConnection();
  for (const [variant, options] of Object.entries(client.variants)) {
    const unread = new Set(Object.keys(options));
    const watched = new Proxy(options, {
      get(all, name) {
        unread.delete(String(name));
        return Reflect.get(all, name);
      },
    });
    const connect = async (/** @type {Target} */ to = target) =>
      completeConnection(await client.connect(to, watched, await loadClient(client), { watch }), client.id);
    const about = Object.keys(client.variants).length > 1 ? `${client.id}:${variant}: ` : '';
    const opened = await opening('connects', connect, about);
    if (opened === undefined) continue;
    const reading = Object.keys(options).length > 0 && {
      'reads the options of its variant': () => expectNone('options that connect() never read', [...unread]),
    };
    const hasPipeline = client.capabilities.has('pipeline');
    const { caches } = client;
    const under = { connection: () => opened, query, prefix: `${prefix}${variant}:`, hasPipeline, caches };
    await check({ ...reading, ...connectionChecks(under) }, about);
    opened.destroy();
    await check(closingChecks({ client, connect, query, prefix, target }), about);
  }
}

/** @param {OwnOptions} [own] @returns {Record<string, unknown>} */
const defaultsOf = (own = {}) =>
  Object.fromEntries(Object.entries(own).map(([name, { default: values }]) => [name, values?.[0]]));

/** @param {ScenarioPlugin} scenario @param {Asked} asked */
async function checkScenario(scenario, { target, prefix, query, check, opening }) {
  const client = await loadPlugin('clients', CHECKED_WITH);
  const library = await loadClient(client);
  const options = defaultsOf(scenario.ownOptions);
  const key = `${prefix}key`;
  await query('SET', key, 'value');
  for (const tasks of [1, 3, 8]) {
    const earlier = await connectionsOf(query);
    const connector = createConnector({
      connect: () => client.connect(target, client.variants.default, library),
      connectPool: () => Promise.reject(new Error(`${CHECKED_WITH} has no pool of its own`)),
      wrap: (connection) => connection,
    });
    const about = `${tasks} ${tasks === 1 ? 'task' : 'tasks'}: `;
    const open = () => scenario.open({ ...connector, tasks, options });
    const lease = await opening('opens its connections', open, about);
    if (lease === undefined) continue;
    const expected = scenario.connections(tasks, options);
    const connections = async () => (await connectionsOf(query)) - earlier;
    const opened = () => ({ lease, connector });
    await check(leaseChecks({ scenario, opened, tasks, expected, connections, key }), about);
    const closing = async () => {
      await lease.close();
      await expectSoon('connections on the server', connections, 0);
    };
    await check({ 'closes them all': closing }, about);
    connector.destroyAll();
  }
}

/** @param {WorkloadPlugin} workload @param {Asked} asked */
async function checkWorkload(workload, { target, prefix, query, check }) {
  const client = await loadPlugin('clients', CHECKED_WITH);
  const parameter = workload.parse?.(undefined, defaultsOf(workload.ownOptions)) ?? null;
  const connection = await client.connect(target, client.variants.default, await loadClient(client));
  const under = { workload, parameter, connection: () => connection, query, prefix: `${prefix}w` };
  await check(workloadChecks(under)).finally(() => connection.destroy());
}

const TIMES = 3;

/** @param {{workload: WorkloadPlugin, parameter: unknown, connection: () => Connection, query: Query, prefix: string}} under */
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
    'means something that survives the way to a worker': () =>
      expectEqual('as JSON', JSON.parse(JSON.stringify(parameter)), parameter),
    async 'stores what it needs, and takes the replies for right'() {
      for (const step of workload.prepare?.(parameter, context) ?? []) {
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
      // Scripts may send more than is claimed.
      const own = Object.entries(claimed).map(([name, count]) => [name, Math.min(count, counted[name] ?? 0)]);
      const seen = runsScripts(claimed) ? Object.fromEntries(own) : counted;
      expectEqual('commands that the server counted', seen, claimed);
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
      const keys = await query('KEYS', '*');
      expectEqual(
        'keys that do not begin with the key of the item',
        keys.filter((/** @type {string} */ key) => !key.startsWith(prefix)),
        [],
      );
    },
  };
}

const SENDING = 'get set hset exists del ping command pipeline transaction'.split(' ');

/** @param {Connection} connection @param {(send: () => Promise<unknown>) => Promise<unknown>} around @returns {Connection} */
function intercepted(connection, around) {
  /** @type {any} */
  const other = Object.create(connection);
  for (const name of SENDING) {
    other[name] = (/** @type {unknown[]} */ ...args) =>
      around(() => Promise.resolve(Reflect.apply(Reflect.get(connection, name), connection, args)));
  }
  return Object.assign(other, { batch: () => new CommandBatch(other) });
}

/**
 * Counts what has no reply yet. Of the replies that have come, the latest is given out first: otherwise the first would
 * always be there before the last, whether it is awaited or not.
 * @param {Connection} connection @returns {{connection: Connection, pending: () => number}}
 */
function watchPending(connection) {
  /** @type {(() => void)[]} */
  const come = [];
  let pending = 0;
  const giveOut = () => {
    if (come.length === pending) come.pop()?.();
  };
  const watched = intercepted(connection, async (send) => {
    pending++;
    const reply = send();
    await reply.catch(() => {});
    await new Promise((resolve) => {
      come.push(() => resolve(undefined));
      setImmediate(giveOut);
    });
    pending--;
    setImmediate(giveOut);
    return reply;
  });
  return { connection: watched, pending: () => pending };
}

/** @param {Connection} connection @returns {Connection} one that rejects whatever is sent */
const losing = (connection) =>
  intercepted(connection, () => Promise.reject(new Error('the connection was lost')));
