import { allOrNone, until } from '../process/wait.js';
import { untilReady } from './cluster.js';
import { startManagedServer, stopServer } from './managed.js';
import { placeOf } from './target.js';

/** @import { ManagedOptions } from './managed.js' */
/** @import { Control, ManagedProcess, NodeAddress, Watched } from './types.js' */

export const MASTER_NAME = 'rpb';
const SENTINELS = 3;
const QUORUM = 2;
/** If two Sentinels compete for the lead, each retries after twice this time: 3 minutes by default. */
const FAILOVER_TIMEOUT_MS = 3000;

/** Period of their hello messages in ms: Redis default, and during the start. */
const [HELLO_MS, FIRST_HELLO_MS] = ['2000', '100'];

/**
 * Waits until they know each other and the replicas. `downAfterMs`: silence before a server counts as down.
 * @param {string} binary @param {ManagedProcess} primary
 * @param {Pick<ManagedOptions, 'certificates'> & {replicas: number, downAfterMs: number}} options
 */
export async function startSentinels(binary, primary, { replicas, downAfterMs, certificates }) {
  const { host, port } = placeOf(primary);
  const watches = [
    `sentinel monitor ${MASTER_NAME} ${host} ${port} ${QUORUM}`,
    `sentinel down-after-milliseconds ${MASTER_NAME} ${downAfterMs}`,
    `sentinel failover-timeout ${MASTER_NAME} ${FAILOVER_TIMEOUT_MS}`,
  ];
  const starting = Array.from({ length: SENTINELS }, () =>
    startManagedServer(binary, { certificates, replicatesByTls: true, watches }),
  );
  const sentinels = await allOrNone(starting, stopServer);
  try {
    await Promise.all(sentinels.map(({ control }) => ready(control, replicas)));
    return sentinels;
  } catch (error) {
    await Promise.all(sentinels.map(stopServer));
    throw error;
  }
}

/** @param {Control} control @param {number} replicas */
async function ready(control, replicas) {
  // Redis before 7 does not have this setting.
  const greet = (/** @type {string} */ everyMs) =>
    control.command('SENTINEL', 'DEBUG', 'publish-period', everyMs).catch(() => {});
  await greet(FIRST_HELLO_MS);
  await untilReady(
    async () => {
      const { 'num-other-sentinels': others } = fieldsOf(
        await control.command('SENTINEL', 'MASTER', MASTER_NAME),
      );
      const known = await replicasOf(control, MASTER_NAME);
      return Number(others) === SENTINELS - 1 && known.length === replicas;
    },
    () => 'the managed Sentinels did not find each other and the replicas',
  );
  await greet(HELLO_MS);
}

/** @param {Control} control @param {string} name @returns {Promise<NodeAddress[]>} those that are up */
export async function replicasOf(control, name) {
  const reply = /** @type {unknown[]} */ (await control.command('SENTINEL', 'REPLICAS', name));
  return reply
    .map(fieldsOf)
    .filter((fields) => fields['master-link-status'] === 'ok' && !/down|disconnected/.test(fields.flags))
    .map(({ ip, port }) => ({ host: ip, port: Number(port) }));
}

/** @param {unknown} reply alternating names and values @returns {Record<string, string>} */
export function fieldsOf(reply) {
  const texts = /** @type {unknown[]} */ (reply).map(String);
  return Object.fromEntries(
    texts.flatMap((name, index) => (index % 2 === 0 ? [[name, texts[index + 1]]] : [])),
  );
}

/** Sentinels and the server must agree; `before` may hang. @param {Watched} watched @param {ManagedProcess} [before] */
async function primaryOf({ name, sentinels, servers }, before) {
  const ask = sentinels.map(({ control }) => control.command('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', name));
  const [place, ...others] = (await Promise.all(ask)).map(String);
  const named = servers.find((server) => {
    const { host, port } = placeOf(server);
    return place === `${host},${port}`;
  });
  if (named === undefined || named === before || others.some((other) => other !== place)) return null;
  const role = await named.control.command('ROLE').catch(() => []);
  return String(/** @type {unknown[]} */ (role)[0]) === 'master' ? named : null;
}

/** They exchange hellos every 2 s, and retry after FAILOVER_TIMEOUT_MS. */
const SETTLED_WITHIN_MS = 30_000;

/** @param {Watched} watched @returns {Promise<ManagedProcess>} once all Sentinels agree */
export async function settledPrimary(watched) {
  const late = () => 'the Sentinels did not agree on a primary';
  return /** @type {ManagedProcess} */ (await untilReady(() => primaryOf(watched), late, SETTLED_WITHIN_MS));
}

/**
 * When any Sentinel names another primary, clients can learn of it.
 * @param {Watched} watched @param {ManagedProcess} before
 * @param {{everyMs: number, withinMs?: number, signal?: AbortSignal}} how
 * @returns {Promise<ManagedProcess | null>} null if it times out
 */
export const promotedBy = ({ name, sentinels, servers }, before, how) =>
  until(async () => {
    const named = await Promise.all(
      sentinels.map((sentinel) => primaryOf({ name, sentinels: [sentinel], servers }, before)),
    );
    return named.find((server) => server !== null) ?? null;
  }, how);

/** @param {Watched} watched */
export const orderFailover = ({ name, sentinels: [{ control }] }) =>
  control.command('SENTINEL', 'FAILOVER', name);
