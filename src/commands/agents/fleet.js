import { randomBytes } from 'node:crypto';
import { InterruptedError, RunError, ServerError, UsageError } from '../../errors.js';
import { describeTool } from '../../machine/environment.js';
import { installedPackages } from '../../machine/packages.js';
import { startAnswering } from '../../process/answering.js';
import { untilAborted, within } from '../../process/wait.js';
import { startManagedServer } from '../../server/managed.js';
import { locateServer } from '../../server/sources.js';
import { labelOf } from '../../server/target.js';
import { createCallerName, greet, isAgent, machineId } from './agent-link.js';
import { commanderLease, createClock, holdLease, loadBull, openControlRedis } from './control-redis.js';
import { typedFor } from './job-request.js';
import { placeOf } from './permissions.js';
import { createRemoteWorkers } from './remote-workers.js';

/** @import { Settings } from '../../options/types.js' */
/** @import { Server } from '../../server/types.js' */
/** @import { Notice } from '../../store/types.js' */
/** @import { AgentLink } from './agent-link.js' */
/** @import { ControlRedis } from './control-redis.js' */
/** @import { AgentFacts, Hello, Owner, Refusing, Typed } from './types.js' */
/** @import { Asked, Prepared } from '../../run/prepare.js' */
/** @import { Fleet } from '../../run/types.js' */

const ENDS_WITHIN_MS = 2000;

/**
 * Uses every agent that waits at a control Redis.
 * @param {Settings} settings `agents`: which @param {AbortSignal} [signal] @returns {Promise<Fleet>}
 * @throws {ServerError} where there is none, or one is busy
 * @throws {UsageError} where one has another version or another token @throws {InterruptedError}
 */
export async function openFleet(settings, signal = new AbortController().signal) {
  const { agents: asked = '' } = settings;
  // First, because agents that cannot load it would be waited for.
  await loadBull();
  /** @type {AgentLink[]} */
  const links = [];
  /** Reports the end of an agent here before its key shows it. @param {string} name @param {Error} reason */
  const lose = (name, reason) => links.find((link) => link.name === name)?.lose(reason);
  const owner = typeof asked === 'string' ? undefined : await startLocalAgents(asked.local, settings, lose);
  /** @type {(() => Promise<unknown>)[]} in reverse */
  const endings = [];
  const close = async () => {
    // A lost control Redis answers none of them; the last one ends all connections.
    for (const end of endings.splice(0).reverse()) await within(ENDS_WITHIN_MS, end()).catch(() => {});
    await owner?.stop();
  };
  /** @returns {Promise<Fleet>} */
  async function assemble() {
    // The same authorities hold for the target and for the control Redis.
    const control = await openControlRedis(owner?.url ?? `${asked}`, owner ? {} : settings, '--agents');
    endings.push(async () => control.close());
    const commander = createCallerName();
    const { hellos, ...others } = await greet(control, commander);
    links.push(...others.links);
    endings.push(() => Promise.all(links.map((link) => link.close())));
    refuseSome(control, hellos, others);
    const lease = randomBytes(16).toString('hex');
    const endLease = await holdLease(control, commanderLease(commander), lease, (why) => {
      for (const link of links) link.lose(new RunError(why));
    });
    endings.splice(1, 0, async () => endLease?.());
    const offer = { tool: describeTool().version, commander, lease };
    await Promise.all(links.map((link, index) => link.begin(offer, hellos[index]))).catch((error) => {
      throw new ServerError(error.message);
    });
    const clock = await createClock(control.time);
    const agents = hellos.map(({ worksFor: _, aheadMs: _a, nonce: _n, lease: _l, ...facts }) => facts);
    const areLocal = agents.every(({ machine }) => machine === machineId());
    return {
      facts: { agents },
      openFiles: leastFiles(agents),
      notes: [
        ...agents.flatMap(differences),
        ...others.silent.map(noticeOfSilent),
        ...others.refusing.map(noticeOfRefusing),
      ],
      startWorkers: createRemoteWorkers({ links, clock, areLocal, owner }),
      settingsFor: (settings) => settingsOn(agents, areLocal, settings),
      /** @param {Server[]} servers @param {Asked} asked @param {Prepared} prepared */
      async plan(servers, asked, prepared) {
        const typed = await typedFor(control, asked, prepared);
        refuseServers(control, servers, areLocal);
        await plan(links, owner, servers, typed);
      },
      close,
    };
  }
  try {
    return await untilAborted(signal, assemble());
  } catch (error) {
    await close();
    if (signal.aborted) throw new InterruptedError('interrupted before the agents had begun');
    throw error;
  }
}

/** @param {Omit<AgentFacts, 'clock'>[]} agents @param {boolean} areLocal @param {Settings} settings @throws {UsageError} */
function settingsOn(agents, areLocal, settings) {
  const { machines = [agents.length], rtt, pin, nodeBin, clients } = settings;
  if (Math.max(...machines) > agents.length) {
    throw new UsageError(
      `--machines: expected at most ${agents.length}, as many agents as there are (${agents.map(({ name }) => name).join(', ')}), got '${machines.join()}'`,
    );
  }
  const released = clients.find((client) => client.includes('@'));
  const onlyHere = [
    rtt.some((each) => each !== 0) &&
      '--rtt: the relay stands on this machine, and what agents send from others does not pass it; leave --rtt out (agents have a distance of their own)',
    pin.includes('same') &&
      '--pin same: the workers of agents run on other machines than the server; leave it out',
    nodeBin !== undefined &&
      '--node-bin names files of this machine; start the agents with the Node that is to be measured',
    released !== undefined &&
      `--clients ${released}: releases are installed on this machine only; install the release where the agents run, and name the client without it`,
  ].find(Boolean);
  if (onlyHere && !areLocal) throw new UsageError(onlyHere);
  return { ...settings, machines };
}

/**
 * @param {ControlRedis} control @param {Hello[]} hellos @param {{silent: string[], refusing: Refusing[]}} others
 * @throws {UsageError | ServerError} why they cannot be used
 */
function refuseSome({ label, token }, hellos, { silent, refusing }) {
  const { version } = describeTool();
  const old = hellos.filter(({ tool }) => tool !== version).map(({ name, tool }) => `${name} with ${tool}`);
  if (old.length > 0)
    throw new UsageError(
      `--agents: expected agents of version ${version}, as this one is, found ${old.join(', ')}; install the same version there`,
    );
  const ofOtherToken = refusing.find(isAgent);
  if (ofOtherToken !== undefined) throw new UsageError(`--queue-token: ${ofOtherToken.why}`);
  const open = hellos.filter(({ nonce }) => token !== null && !nonce).map(({ name }) => name);
  if (open.length > 0)
    throw new UsageError(
      `--queue-token: expected agents that were started with it, but ${open.join(', ')} took none and would run any job; ` +
        'start the agents with the same token, or leave it out here',
    );
  const why = [...silent.map((name) => `${name} does not reply`), ...refusing.map((each) => each.why)];
  if (hellos.length === 0)
    throw new ServerError(
      `expected agents that wait for jobs at ${label}, found ${why.length === 0 ? 'none' : `none that can be used (${why.join('; ')})`}; ` +
        `start one on each load machine: redis-pipe-bench agent --queue redis://${label} --allow redis://TARGET`,
    );
  const busy = hellos.filter(({ worksFor }) => worksFor !== null);
  if (busy.length > 0)
    throw new ServerError(
      `--agents: expected idle agents, but ${busy.map(({ name, worksFor }) => `${name} works for ${worksFor}`).join(', ')}; ` +
        'try again when that benchmark is over',
    );
}

/** The target must not be the control Redis. @param {ControlRedis} control @param {Server[]} servers @param {boolean} areLocal */
function refuseServers({ label, runId }, servers, areLocal) {
  for (const { runIds, targets, isLocal } of servers) {
    const labels = Object.values(targets).map(labelOf);
    if (runIds === null ? labels.includes(label) : runIds.includes(`${runId}`))
      throw new UsageError(
        `--agents: ${label} is both the control Redis and the measured server, so commands of the control would be ` +
          'counted; use another Redis for one of them',
      );
    if (isLocal && !areLocal)
      throw new UsageError(
        `--agents: ${labels[0]} is on this machine only, and agents on other machines cannot reach it; name the ` +
          'server by an address that they know (--url)',
      );
  }
}

/**
 * Every agent must be able, and allowed, to do it. @param {AgentLink[]} links @param {Owner | undefined} owner
 * @param {Server[]} servers @param {Omit<Typed, 'targets'>} typed @throws {UsageError}
 */
async function plan(links, owner, servers, typed) {
  const targets = servers.flatMap((server) => Object.values(server.targets));
  for (const target of targets) await owner?.name(target);
  const asked = { ...typed, targets: targets.map(placeOf) };
  const answers = await Promise.all(links.map((link) => link.call('plan', asked))).catch((error) => {
    throw new UsageError(`--agents: ${error.message}`);
  });
  const refused = links.flatMap(({ name }, index) =>
    answers[index].length === 0 ? [] : `${name} does not allow ${answers[index].join(', ')}`,
  );
  if (refused.length > 0) throw new UsageError(`--agents: ${refused.join('; ')}`);
}

/** Files that a process may open on any of them. @param {Omit<AgentFacts, 'clock'>[]} agents @returns {number | null} */
function leastFiles(agents) {
  const known = agents.flatMap(({ openFiles }) => openFiles ?? []);
  return known.length === 0 ? null : Math.min(...known);
}

/** Which may be why figures of agents differ. @type {(agent: Omit<AgentFacts, 'clock'>) => Notice[]} */
function differences({ name: agent, node, packages }) {
  const { node: here } = process.versions;
  const installed = installedPackages(Object.keys(packages));
  const others = Object.entries(packages).filter(([id, version]) => version !== (installed[id] ?? null));
  /** @type {Notice[]} */
  const packageNotices = others.map(([id, version]) => ({
    kind: 'agent-package',
    agent,
    package: id,
    version,
    here: installed[id] ?? null,
  }));
  return node === here ? packageNotices : [{ kind: 'agent-node', agent, node, here }, ...packageNotices];
}

/** @type {(agent: string) => Notice} */
const noticeOfSilent = (agent) => ({ kind: 'agent-silent', agent });
/** @type {(refusing: Refusing) => Notice} */
const noticeOfRefusing = ({ why }) => ({ kind: 'agent-refuses', why });

const ENTRY = new URL('./local-agent.js', import.meta.url);
/** Sixteen agents that load BullMQ at once take seconds on two processors. */
const READY_WITHIN_MS = 30_000;

/**
 * Starts a control Redis and agents on this machine, to simulate several machines.
 * @param {number} count @param {{serverBin?: string}} options
 * @param {(name: string, reason: Error) => void} onEnd called for an agent that ends by itself
 * @throws {ServerError | RunError}
 */
async function startLocalAgents(count, { serverBin }, onEnd) {
  const control = await startManagedServer(await locateServer({ serverBin }));
  const queue = `unix://${control.targets.unix.path}`;
  let stopping = false;
  const agents = Array.from({ length: count }, (_, index) => {
    // Names sort by their numbers.
    const name = `local-${`${index + 1}`.padStart(`${count}`.length, '0')}`;
    const what = { name: `the agent ${name}`, entry: ENTRY };
    const lost = () => stopping || onEnd(name, new RunError(`the agent ${name} ended`));
    return { name, ...startAnswering(what, null, { onEnd: lost }) };
  });
  async function stop() {
    stopping = true;
    await Promise.all(agents.map(({ dismiss }) => dismiss()));
    control.control.close();
    await control.stop();
  }
  try {
    const starting = agents.map(({ name, call }) => call('start', { queue, name }));
    await within(READY_WITHIN_MS, Promise.all(starting));
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    url: queue,
    stop,
    /** @type {Owner['name']} */
    name: async (target) => void (await Promise.all(agents.map(({ call }) => call('server', target)))),
  };
}
