import { once } from 'node:events';
import { messageWithPosition } from '../errors.js';
import { openedSince, openNow } from '../leftovers.js';
import { CHECKED_WITH } from '../plugins/plugin-kinds.js';
import { loadPlugin } from '../plugins/registry.js';
import { completeConnection } from '../plugins/shared/connections.js';
import { createRequestStep, FETCH, STORE, sequenceOf } from '../plugins/shared/requests.js';
import { deferred, until } from '../process/wait.js';
import { loadClient } from '../worker/cell-parts.js';
import { borrowOf, createConnector } from '../worker/connections.js';
import { connectionChecks } from './connection-checks.js';
import {
  expectEqual,
  expectError,
  expectNone,
  expectSoon,
  expectThat,
  watchProcess,
  watchReads,
} from './expect.js';
import { pipeliningChecks, workloadChecks } from './step-checks.js';

/** @import { ContractResult, OwnOptions, PluginFolders, PluginKind, Plugins, Step, WayPlugin, WorkloadPlugin, ClientPlugin, Connection, Lease, ScenarioPlugin } from '../plugins/types.js' */
/** @import { Target } from '../server/types.js' */
/** @import { ContractChecks, Query } from './expect.js' */

/** @typedef {{kind: PluginKind, id: string, pluginFolders: PluginFolders, target: Target, prefix: string}} CheckJob plain JSON */

/**
 * @typedef {CheckJob & {query: Query, check: (checks: ContractChecks, about: string) => Promise<void>,
 *   opening: <T>(title: string, open: () => Promise<T>, about: string) => Promise<T | undefined>}} Asked
 */

const CHECK_WITHIN_MS = 10_000;
const TASKS = 3;
const KEYS = 3;

/** Runs the contract tests over a plugin of the user's. @param {CheckJob} job @returns {Promise<ContractResult[]>} */
export async function checkOwn(job) {
  const raw = await loadPlugin('clients', 'raw');
  const before = openNow();
  await loadPlugin(job.kind, job.id, job.pluginFolders);
  const loading = openedSince(before);
  const probe = await raw.connect(job.target, {}, undefined);
  const query = (/** @type {string[]} */ ...command) => probe.command(/** @type {any} */ (command));
  /** @type {ContractResult[]} */
  const results = [];
  /** @type {Asked['check']} */
  async function check(checks, about) {
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
  const watched = watchProcess();
  const idle = openNow();
  try {
    await CHECKS[job.kind]?.({ ...job, query, check, opening });
    // What a failed check leaves behind is no fault of its own.
    const isClean = results.every(({ failed }) => failed === null);
    await check(processChecks({ job, loading, idle, watched, isClean }), '');
    return results;
  } finally {
    watched.stop();
    probe.destroy();
  }
}

/**
 * @param {{job: CheckJob, loading: string[], idle: string[], watched: ReturnType<typeof watchProcess>, isClean: boolean}} seen
 *   `loading`: what was opened as the file was loaded; `idle`: what was open before it was used @returns {ContractChecks}
 */
const processChecks = ({ job, loading, idle, watched, isClean }) => ({
  // Only workers load clients, and end with what these have opened.
  ...(job.kind !== 'clients' && {
    'opens nothing when it is loaded': () => expectNone('what is open then', loading),
  }),
  'adds no listener with each command': () => expectNone('warnings of Node', watched.listeners()),
  ...(isClean && {
    'leaves no rejection unhandled': () => expectNone('rejections', watched.unhandled()),
    async 'leaves nothing open'() {
      await until(() => openedSince(idle).length === 0, { everyMs: 5, withinMs: 3000 });
      expectNone('what is open at the end', openedSince(idle));
    },
  }),
});

/** @param {() => unknown} run a check @returns {Promise<string | null>} */
async function failureOf(run) {
  // This timer does not keep the process open.
  const late = once(AbortSignal.timeout(CHECK_WITHIN_MS), 'abort').then(() => {
    throw new Error(`it had not ended after ${CHECK_WITHIN_MS / 1000} s`);
  });
  late.catch(() => {});
  return Promise.race([(async () => run())(), late]).then(() => null, messageWithPosition);
}

/** @param {OwnOptions} [ownOptions] @returns {Record<string, any>} */
const defaultsOf = (ownOptions = {}) =>
  Object.fromEntries(
    Object.entries(ownOptions).map(([name, { default: [first] = [undefined] }]) => [name, first]),
  );

/** @param {Asked} asked */
async function checkScenario({ id, pluginFolders, target, prefix, query, check, opening }) {
  const [scenario, client] = await Promise.all([
    loadPlugin('scenarios', id, pluginFolders),
    loadPlugin('clients', CHECKED_WITH),
  ]);
  const key = `${prefix}key`;
  await query('SET', key, 'value');
  const options = defaultsOf(scenario.ownOptions);
  const library = await loadClient(client);
  for (const tasks of [1, TASKS, 8]) {
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
    const closing = {
      async 'closes them all'() {
        await lease.close();
        await expectSoon('connections on the server', connections, 0);
      },
    };
    await check(
      { ...leaseChecks({ scenario, opened, tasks, expected, connections, key }), ...closing },
      about,
    );
    connector.destroyAll();
  }
}

/** @param {string} command @param {number} right the reply to it @returns {Step} */
const partOf = (command, right) => ({
  command,
  send: (commands, { key }) => commands.command([command, key]),
  accept: (reply) => reply === right,
});

/** Of a key that is stored without a time to live. */
const SEQUENCE = sequenceOf([partOf('persist', 0), partOf('exists', 1)]);

/** @param {WayPlugin} way @returns {WorkloadPlugin} stores and fetches; a sequence has no form for several keys */
function workloadWith(way) {
  const kinds = way.form === undefined ? [STORE, FETCH, SEQUENCE] : [STORE, FETCH];
  /** @type {WorkloadPlugin['cycle']} */
  const cycle = (_parameter, context) =>
    kinds.map((kind) => [createRequestStep(kind, kind.parts?.length ?? KEYS, { ...context, way })]);
  return { ...way, prepare: () => [], cycle };
}

/**
 * @template {'workloads' | 'ways'} Kind @param {Kind} kind @param {(plugin: Plugins[Kind]) => WorkloadPlugin} workloadOf
 * @returns {(asked: Asked) => Promise<void>}
 */
const checkSteps = (kind, workloadOf) => async (asked) => {
  const { plugin, connect, parameter } = await loadChosen(kind, asked);
  const workload = workloadOf(plugin);
  const connection = await connect();
  const { query, prefix } = asked;
  const under = { workload, parameter, connection: () => connection, query, prefix: `${prefix}w` };
  try {
    await asked.check(workloadChecks(under), '');
  } finally {
    connection.destroy();
  }
};

/** @param {Asked} asked */
async function checkMode(asked) {
  const { plugin: mode, connect, parameter } = await loadChosen('pipelining', asked);
  await asked.check(pipeliningChecks({ mode, parameter, connect, prefix: `${asked.prefix}p` }), '');
}

/** @template {'workloads' | 'pipelining' | 'ways'} Kind @param {Kind} kind @param {Asked} asked */
async function loadChosen(kind, { id, pluginFolders, target }) {
  const [plugin, client] = await Promise.all([
    loadPlugin(kind, id, pluginFolders),
    loadPlugin('clients', CHECKED_WITH),
  ]);
  return {
    plugin,
    parameter: 'parse' in plugin ? (plugin.parse?.(undefined, defaultsOf(plugin.ownOptions)) ?? null) : null,
    connect: () => connectTo(client, target, client.variants.default),
  };
}

/** @type {Partial<Record<PluginKind, (asked: Asked) => Promise<void>>>} */
const CHECKS = {
  clients: checkClient,
  scenarios: checkScenario,
  workloads: checkSteps('workloads', (workload) => workload),
  pipelining: checkMode,
  ways: checkSteps('ways', workloadWith),
};

/** @param {Asked} asked */
async function checkClient({ id, pluginFolders, target, prefix, query, check, opening }) {
  const client = await loadPlugin('clients', id, pluginFolders);
  for (const [variant, options] of Object.entries(client.variants)) {
    const reads = watchReads(options);
    const connect = () => connectTo(client, target, reads.options);
    const about = Object.keys(client.variants).length > 1 ? `${id}:${variant}: ` : '';
    const opened = await opening('connects', connect, about);
    if (opened === undefined) continue;
    const checks = connectionChecks({
      connection: () => opened,
      query,
      prefix: `${prefix}${variant}:`,
      hasPipeline: client.capabilities.has('pipeline'),
    });
    const reading = Object.keys(options).length > 0 && {
      'reads the options of its variant': () =>
        expectNone('options that connect() never read', reads.unread()),
    };
    await check({ ...reading, ...checks }, about);
    opened.destroy();
    await check(closingChecks({ client, connect, query, prefix, target, options }), about);
  }
}

/**
 * @param {{client: ClientPlugin, connect: () => Promise<Connection>, query: Query, prefix: string, target: Target,
 *   options: Record<string, any>}} under @returns {ContractChecks}
 */
const closingChecks = ({ client, connect, query, prefix, target, options }) => ({
  async 'close waits for what is in flight'() {
    await query('SET', `${prefix}long`, 'x'.repeat(100_000));
    const connection = await connect();
    const replies = Promise.all(Array.from({ length: 50 }, () => connection.get(`${prefix}long`)));
    await Promise.all([replies, connection.close()]);
  },
  async 'close closes the connection (capability prompt-close)'() {
    const before = await connectionsOf(query);
    const connection = await connect();
    await connection.ping();
    await connection.close();
    if (client.capabilities.has('prompt-close'))
      await expectSoon('connections', () => connectionsOf(query), before);
  },
  async 'destroy closes at once'() {
    const connection = await connect();
    connection.destroy();
    await expectError('a command afterwards', () => connection.ping(), /./);
  },
  async 'uses the database of the target'() {
    const connection = await connectTo(client, { ...target, database: 5 }, options);
    await connection.set(`${prefix}in-five`, 'x');
    await connection.close();
    expectEqual('the key in database 0', await query('EXISTS', `${prefix}in-five`), 0);
  },
  async [client.reconnects
    ? 'a lost connection is opened again (reconnects: true)'
    : 'a lost connection is an error, and not opened again (or say reconnects: true)']() {
    const connection = await connect();
    const own = String(await connection.command(['CLIENT', 'ID']));
    await query('CLIENT', 'KILL', 'ID', own);
    if (client.reconnects) {
      await expectSoon('the reply to PING', () => connection.ping().catch(() => null), 'PONG');
    } else {
      const twice = async () => {
        // The loss may be noticed with the first command only.
        await connection.ping();
        await connection.ping();
      };
      await expectError('a command after the loss', twice, /./);
    }
    connection.destroy();
  },
});

/** @param {Query} query */
const connectionsOf = async (query) =>
  Number(/connected_clients:(\d+)/.exec(String(await query('INFO', 'clients')))?.[1]);

/** @param {ClientPlugin} client @param {Target} target @param {Record<string, any>} options */
const connectTo = async (client, target, options) =>
  completeConnection(await client.connect(target, options, await loadClient(client)), client.id);

const ROUNDS = 3;

/**
 * @param {{scenario: ScenarioPlugin, opened: () => {lease: Lease, connector: ReturnType<typeof createConnector>},
 *   tasks: number, expected: number, connections: () => Promise<number>, key: string}} under `connections`: of the server;
 *   `key`: holds `value` @returns {ContractChecks}
 */
export function leaseChecks({ scenario, opened, tasks, expected, connections, key }) {
  /** @template T @param {(connection: Connection) => Promise<T>} use @returns {Promise<T[]>} */
  const onEach = (use) =>
    Promise.all(Array.from({ length: tasks }, (_, index) => borrowOf(opened().lease, index)(use)));
  const opening = scenario.opensDuringRun
    ? 'opens a connection for each use'
    : 'opens no connection while it is used';
  /** @param {Lease} lease */
  async function checkBusy(lease) {
    // No more tasks can hold lent connections than there are, unless one is lent to several.
    const held = lease.forTask ? tasks : Math.min(tasks, scenario.opensDuringRun ? tasks : expected);
    // The kernel accepts a connection before the server does.
    if (!scenario.opensDuringRun) await expectSoon(`connections(${tasks})`, connections, expected);
    const released = deferred();
    /** @type {Set<unknown>} */
    const ids = new Set();
    let atWork = 0;
    const work = onEach(async (connection) => {
      ids.add(await connection.command(['CLIENT', 'ID']));
      atWork++;
      await released.promise;
    });
    work.catch(() => {});
    try {
      await until(() => atWork >= held, { everyMs: 2, withinMs: 5000 });
      expectThat(`${held} tasks to be busy at once`, atWork >= held);
      expectEqual('connections on the server', await connections(), expected);
      expectEqual('connections that are used', ids.size, Math.min(tasks, expected));
    } finally {
      released.resolve();
      await work;
    }
    expectThat('every task to have its turn', atWork === tasks);
  }
  return {
    'gives every task a connection that works': async () =>
      expectEqual(
        'the replies to all tasks',
        await onEach((connection) => connection.get(key)),
        Array(tasks).fill('value'),
      ),
    [`has ${expected} connections on the server when all tasks are busy`]: () => checkBusy(opened().lease),
    async [opening]() {
      const { connector } = opened();
      const before = connector.opened();
      for (let round = 0; round < ROUNDS; round++) await onEach((connection) => connection.ping());
      expectEqual(
        'connections opened meanwhile',
        connector.opened() - before,
        scenario.opensDuringRun ? ROUNDS * tasks : 0,
      );
      if (!scenario.opensDuringRun) expectEqual('connections opened before', before, expected);
    },
    async 'passes on the error of a task, and the others go on'() {
      const { lease } = opened();
      await expectError(
        'HSET of a string',
        () => borrowOf(lease, 0)((connection) => connection.hset(key, 'field', 'x')),
        /WRONGTYPE/,
      );
      expectEqual(
        'the last task afterwards',
        await borrowOf(lease, tasks - 1)((connection) => connection.get(key)),
        'value',
      );
    },
  };
}
