import { messageWithPlace } from '../../errors.js';
import { openedSince, openNow } from '../../leavings.js';
import { CHECKED_WITH } from '../../plugins/plugin-kinds.js';
import { loadPlugin } from '../../plugins/registry.js';
import { completeConnection } from '../../plugins/shared/complete-connection.js';
import { loadClient } from '../client-library.js';
import { createConnector } from '../connector.js';
import { connectionChecks } from './connection-checks.js';
import { expectEqual, expectError, expectNone } from './expect.js';
import { leaseChecks } from './lease-checks.js';
import { pipeliningChecks } from './pipelining-checks.js';
import { workloadChecks } from './step-checks.js';
import { watchProcess, watchReads } from './watched.js';

/**
 * @import { ClientPlugin, Connection, ContractResult, OwnOptions, PluginFolders, PluginKind } from '../../plugins/types.js'
 * @import { Target } from '../../server/types.js'
 * @import { ContractCheck } from './expect.js'
 */

/**
 * @typedef {object} CheckJob plain JSON
 * @property {PluginKind} kind
 * @property {string} id
 * @property {PluginFolders} pluginFolders
 * @property {Target} target a server that nobody else uses
 * @property {string} prefix of keys
 */

/** @typedef {CheckJob & {query: (...command: string[]) => Promise<any>}} Asked */

/** A check that waits for longer waits for ever. */
const CHECK_WITHIN_MS = 10_000;
const TASKS = 3;

/**
 * Runs the contract tests over a plugin of the user's.
 *
 * @param {CheckJob} job
 * @returns {Promise<ContractResult[]>}
 */
export async function checkOwn(job) {
  const raw = await loadPlugin('clients', 'raw');
  const before = openNow();
  await loadPlugin(job.kind, job.id, job.pluginFolders);
  const loading = openedSince(before);
  const probe = await raw.connect(job.target, {}, undefined);
  const query = (/** @type {string[]} */ ...command) => probe.command(/** @type {any} */ (command));
  const watched = watchProcess();
  const idle = openNow();
  try {
    /** @type {Partial<Record<PluginKind, (asked: Asked) => Promise<ContractResult[]>>>} */
    const checks = {
      clients: checkClient,
      scenarios: checkScenario,
      workloads: checkWorkload,
      pipelining: checkMode,
    };
    const results = (await checks[job.kind]?.({ ...job, query })) ?? [];
    // What a check that failed leaves behind is no fault of its own.
    const isClean = results.every(({ failed }) => failed === null);
    return [...results, ...(await runAll(processChecks({ job, loading, idle, watched, isClean })))];
  } finally {
    watched.stop();
    probe.destroy();
  }
}

/**
 * @param {object} seen
 * @param {CheckJob} seen.job
 * @param {string[]} seen.loading what was opened as the file was loaded
 * @param {string[]} seen.idle what was open before it was used
 * @param {ReturnType<typeof watchProcess>} seen.watched
 * @param {boolean} seen.isClean whether all other checks have passed
 * @returns {ContractCheck[]}
 */
const processChecks = ({ job, loading, idle, watched, isClean }) => [
  // Clients are loaded in workers only, which end with what they have opened.
  ...(job.kind === 'clients'
    ? []
    : [
        {
          title: 'opens nothing when it is loaded',
          run: async () => expectNone('what is open then', loading),
        },
      ]),
  {
    title: 'adds no listener with each command',
    run: async () => expectNone('warnings of Node', watched.listeners()),
  },
  ...(isClean
    ? [
        {
          title: 'leaves no rejection unhandled',
          run: async () => expectNone('rejections', watched.unhandled()),
        },
        {
          title: 'leaves nothing open',
          async run() {
            await soon(async () => openedSince(idle).length === 0);
            expectNone('what is open at the end', openedSince(idle));
          },
        },
      ]
    : []),
];

/** @param {ContractCheck[]} checks @param {string} [about] what stands before their titles @returns {Promise<ContractResult[]>} */
async function runAll(checks, about = '') {
  /** @type {ContractResult[]} */
  const results = [];
  for (const { title, run } of checks) {
    /** @type {NodeJS.Timeout | undefined} */
    let timer;
    const late = new Promise((_, reject) => {
      timer = setTimeout(
        () => reject(new Error(`it had not ended after ${CHECK_WITHIN_MS / 1000} s`)),
        CHECK_WITHIN_MS,
      ).unref();
    });
    const failed = await Promise.race([run(), late]).then(() => null, messageWithPlace);
    clearTimeout(timer);
    results.push({ title: `${about}${title}`, failed });
  }
  return results;
}

/** @param {Asked} asked */
async function checkClient({ id, pluginFolders, target, prefix, query }) {
  const client = await loadPlugin('clients', id, pluginFolders);
  const results = [];
  for (const [variant, options] of Object.entries(client.variants)) {
    const reads = watchReads(options);
    const connect = () => connectTo(client, target, reads.options);
    const about = Object.keys(client.variants).length > 1 ? `${id}:${variant}: ` : '';
    /** @type {Connection | undefined} */
    let connection;
    const connecting = await runAll(
      [
        {
          title: 'connects',
          async run() {
            connection = await connect();
          },
        },
      ],
      about,
    );
    results.push(...connecting);
    if (connection === undefined) continue;
    const opened = connection;
    const reading = {
      title: 'reads the options of its variant',
      run: async () => expectNone('options that connect() never read', reads.unread()),
    };
    const hasPipeline = client.capabilities.has('pipeline');
    results.push(
      ...(await runAll(
        [
          ...(Object.keys(options).length > 0 ? [reading] : []),
          ...connectionChecks({
            connection: () => opened,
            query,
            prefix: `${prefix}${variant}:`,
            hasPipeline,
          }),
        ],
        about,
      )),
    );
    opened.destroy();
    results.push(
      ...(await runAll(closingChecks({ client, connect, query, prefix, target, options }), about)),
    );
  }
  return results;
}

/**
 * @param {object} under
 * @param {ClientPlugin} under.client
 * @param {() => Promise<Connection>} under.connect
 * @param {(...command: string[]) => Promise<any>} under.query
 * @param {string} under.prefix
 * @param {Target} under.target
 * @param {Record<string, any>} under.options
 * @returns {ContractCheck[]}
 */
const closingChecks = ({ client, connect, query, prefix, target, options }) => [
  {
    title: 'close waits for what is under way',
    async run() {
      await query('SET', `${prefix}long`, 'x'.repeat(100_000));
      const connection = await connect();
      const replies = Promise.all(Array.from({ length: 50 }, () => connection.get(`${prefix}long`)));
      await Promise.all([replies, connection.close()]);
    },
  },
  {
    title: 'close closes the connection (capability prompt-close)',
    async run() {
      const before = await connectionsOf(query);
      const connection = await connect();
      await connection.ping();
      await connection.close();
      if (client.capabilities.has('prompt-close'))
        await soonEqual('connections', () => connectionsOf(query), before);
    },
  },
  {
    title: 'destroy closes at once',
    async run() {
      const connection = await connect();
      connection.destroy();
      await expectError('a command afterwards', () => connection.ping(), /./);
    },
  },
  {
    title: 'uses the database of the target',
    async run() {
      const connection = await connectTo(client, { ...target, database: 5 }, options);
      await connection.set(`${prefix}in-five`, 'x');
      await connection.close();
      expectEqual('the key in database 0', await query('EXISTS', `${prefix}in-five`), 0);
    },
  },
  {
    title: client.reconnects
      ? 'a lost connection is opened again (reconnects: true)'
      : 'a lost connection is an error, and not opened again (or say reconnects: true)',
    async run() {
      const connection = await connect();
      const own = String(await connection.command(['CLIENT', 'ID']));
      await query('CLIENT', 'KILL', 'ID', own);
      if (client.reconnects) {
        await soonEqual('the reply to PING', () => connection.ping().catch(() => null), 'PONG');
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
  },
];

const SOON_MS = 3000;

/** @param {() => Promise<boolean>} condition @returns {Promise<void>} once it holds, or is not going to */
async function soon(condition) {
  const deadline = performance.now() + SOON_MS;
  while (!(await condition()) && performance.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** @param {string} what @param {() => Promise<unknown>} read @param {unknown} expected */
async function soonEqual(what, read, expected) {
  await soon(async () => (await read()) === expected);
  expectEqual(what, await read(), expected);
}

/** @param {(...command: string[]) => Promise<any>} query */
const connectionsOf = async (query) =>
  Number(/connected_clients:(\d+)/.exec(String(await query('INFO', 'clients')))?.[1]);

/** @param {ClientPlugin} client @param {Target} target @param {Record<string, any>} options */
const connectTo = async (client, target, options) =>
  completeConnection(await client.connect(target, options, await loadClient(client)), client.id);

/** @param {OwnOptions} [ownOptions] @returns {Record<string, any>} */
const defaultsOf = (ownOptions = {}) =>
  Object.fromEntries(
    Object.entries(ownOptions).map(([name, { default: [first] = [undefined] }]) => [name, first]),
  );

/** @param {Asked} asked */
async function checkScenario({ id, pluginFolders, target, prefix, query }) {
  const [scenario, client] = await Promise.all([
    loadPlugin('scenarios', id, pluginFolders),
    loadPlugin('clients', CHECKED_WITH),
  ]);
  const key = `${prefix}key`;
  await query('SET', key, 'value');
  const options = defaultsOf(scenario.ownOptions);
  const library = await loadClient(client);
  const results = [];
  for (const tasks of [1, TASKS, 8]) {
    const earlier = await connectionsOf(query);
    const connector = createConnector({
      connect: () => client.connect(target, client.variants.default, library),
      connectPool: () => Promise.reject(new Error(`${CHECKED_WITH} has no pool of its own`)),
      wrap: (connection) => connection,
    });
    /** @type {Awaited<ReturnType<typeof scenario.open>> | undefined} */
    let lease;
    const under = {
      scenario,
      opened: () => ({ lease: /** @type {NonNullable<typeof lease>} */ (lease), connector }),
      tasks,
      expected: scenario.connections(tasks, options),
      connections: async () => (await connectionsOf(query)) - earlier,
      key,
    };
    const about = `${tasks} ${tasks === 1 ? 'task' : 'tasks'}: `;
    const [opening] = await runAll(
      [
        {
          title: 'opens its connections',
          async run() {
            lease = await scenario.open({ ...connector, tasks, options });
          },
        },
      ],
      about,
    );
    results.push(opening);
    if (lease === undefined) continue;
    const opened = /** @type {NonNullable<typeof lease>} */ (lease);
    const closing = {
      title: 'closes them all',
      async run() {
        await opened.close();
        await soonEqual('connections on the server', under.connections, 0);
      },
    };
    results.push(...(await runAll([...leaseChecks(under), closing], about)));
    connector.destroyAll();
  }
  return results;
}

/** @param {Asked} asked */
async function checkWorkload({ id, pluginFolders, target, prefix, query }) {
  const [workload, client] = await Promise.all([
    loadPlugin('workloads', id, pluginFolders),
    loadPlugin('clients', CHECKED_WITH),
  ]);
  const parameter = workload.parse?.(undefined, defaultsOf(workload.ownOptions)) ?? null;
  const connection = await connectTo(client, target, client.variants.default);
  try {
    return await runAll(
      workloadChecks({ workload, parameter, connection: () => connection, query, prefix: `${prefix}w` }),
    );
  } finally {
    connection.destroy();
  }
}

/** @param {Asked} asked */
async function checkMode({ id, pluginFolders, target, prefix }) {
  const [mode, client] = await Promise.all([
    loadPlugin('pipelining', id, pluginFolders),
    loadPlugin('clients', CHECKED_WITH),
  ]);
  const parameter = mode.parse?.(undefined, defaultsOf(mode.ownOptions)) ?? null;
  const connect = () => connectTo(client, target, client.variants.default);
  return runAll(pipeliningChecks({ mode, parameter, connect, prefix: `${prefix}p` }));
}
