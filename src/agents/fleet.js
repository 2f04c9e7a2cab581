import { randomBytes } from 'node:crypto';
import os from 'node:os';
import { InterruptedError, messageOf, RunError, ServerError, UsageError } from '../errors.js';
import { describeTool } from '../machine/environment.js';
import { installedPackages } from '../machine/releases/manifest.js';
import { untilAborted, within } from '../process/wait.js';
import { labelOf } from '../server/target.js';
import { machineId } from './agent-facts.js';
import { openAgentLink } from './agent-link.js';
import { agentsAmong, commanderLease } from './bull.js';
import { createClock } from './clock-offset.js';
import { holdLease } from './lease.js';
import { placeOf } from './permissions.js';
import { createRemoteWorkers } from './remote-workers.js';

/** @import { AgentFacts, Notice } from '../results/types.js' */
/** @import { Server } from '../server/types.js' */
/** @import { AgentLink } from './agent-link.js' */
/** @import { ControlRedis } from './control-redis.js' */
/** @import { Fleet, Hello, Owner, Refusing, Typed } from './types.js' */

const ENDS_WITHIN_MS = 2000;

/** @returns {string} a new one each time: the queues' events still hold answers to earlier calls */
export const createCallerName = () =>
  `${os.hostname()}-${process.pid}-${randomBytes(3).toString('hex')}`.replace(/[^\w.-]/g, '-');

/** Asks every agent that has a queue who it is. @param {ControlRedis} control @param {string} caller */
export async function greet(control, caller) {
  const names = agentsAmong(await control.queueNames());
  const all = await Promise.all(names.map((name) => openAgentLink(control, name, caller)));
  const answers = await Promise.all(
    all.map((link) =>
      link.hello().then(
        (hello) => ({ link, hello, why: '' }),
        (error) => ({ link, hello: null, why: messageOf(error) }),
      ),
    ),
  );
  await Promise.all(answers.map(({ link, hello }) => (hello === null ? link.close() : undefined)));
  const here = answers.flatMap(({ link, hello }) => (hello === null ? [] : [{ link, hello }]));
  const others = answers
    .filter(({ hello }) => hello === null)
    .map(({ link: { name }, why }) => ({ name, why }));
  return {
    links: here.map(({ link }) => link),
    hellos: here.map(({ hello }) => hello),
    silent: others.filter(({ why }) => why === '').map(({ name }) => name),
    refusing: others.filter(({ why }) => why !== ''),
  };
}

/** Whether it is an agent with another token. @param {Refusing} refusing */
export const isAgent = ({ why }) => why.includes('--queue-token');

/**
 * Uses every agent that waits at a control Redis.
 * @param {ControlRedis} control @param {Owner} [owner] who started them here @param {AbortSignal} [signal]
 * @throws {ServerError} where there is none, or one is busy
 * @throws {UsageError} where one has another version or another token @throws {InterruptedError}
 */
export async function gatherFleet(control, owner, signal = new AbortController().signal) {
  /** @type {(() => Promise<unknown>)[]} in reverse */
  const endings = [async () => control.close()];
  const close = async () => {
    // A lost control Redis answers none of them; the last one ends all connections.
    for (const end of endings.splice(0).reverse()) await within(ENDS_WITHIN_MS, end()).catch(() => {});
  };
  try {
    return await untilAborted(signal, assemble(control, owner, endings, close));
  } catch (error) {
    await close();
    if (signal.aborted) throw new InterruptedError('interrupted before the agents had begun');
    throw error;
  }
}

/**
 * @param {ControlRedis} control @param {Owner | undefined} owner @param {(() => Promise<unknown>)[]} endings
 * @param {() => Promise<void>} close @returns {Promise<Fleet>}
 */
async function assemble(control, owner, endings, close) {
  const caller = createCallerName();
  const { links, hellos, silent, refusing } = await greet(control, caller);
  endings.push(() => Promise.all(links.map((link) => link.close())));
  refuseSome(control, hellos, silent, refusing);
  const lease = randomBytes(16).toString('hex');
  const endLease = await holdLease(control, commanderLease(caller), lease, (why) => {
    for (const link of links) link.lose(new RunError(why));
  });
  endings.splice(1, 0, async () => endLease?.());
  const offer = { tool: describeTool().version, commander: caller, lease };
  await Promise.all(links.map((link, index) => link.begin(offer, hellos[index]))).catch((error) => {
    throw new ServerError(error.message);
  });
  const clock = await createClock(control.time);
  const agents = hellos.map(
    ({ worksFor: _, aheadMs: _ahead, nonce: _nonce, lease: _lease, ...facts }) => facts,
  );
  const areLocal = agents.every(({ machine }) => machine === machineId());
  return {
    agents,
    areLocal,
    isPrivate: control.isPrivate,
    notes: notesOf(agents, silent, refusing),
    lose: (name, reason) => links.find((link) => link.name === name)?.lose(reason),
    startWorkers: createRemoteWorkers({ links, clock, areLocal, owner }),
    plan: (servers, typed) => plan({ control, links, areLocal, owner }, servers, typed),
    close,
  };
}

/**
 * @param {ControlRedis} control @param {Hello[]} hellos @param {string[]} silent @param {Refusing[]} refusing
 * @throws {UsageError | ServerError} why they cannot be used
 */
function refuseSome({ label, token }, hellos, silent, refusing) {
  const { version } = describeTool();
  const some = (/** @type {(hello: Hello) => boolean} */ is, /** @type {(hello: Hello) => string} */ text) =>
    hellos.filter(is).map(text).join(', ');
  const others = some(
    ({ tool }) => tool !== version,
    ({ name, tool }) => `${name} with ${tool}`,
  );
  if (others !== '') {
    throw new UsageError(
      `--agents: expected agents of version ${version}, as this one is, found ${others}; install the same version there`,
    );
  }
  const ofOtherToken = refusing.find(isAgent);
  if (ofOtherToken !== undefined) throw new UsageError(`--queue-token: ${ofOtherToken.why}`);
  const open = some(
    ({ nonce }) => token !== null && !nonce,
    ({ name }) => name,
  );
  if (open !== '') {
    throw new UsageError(
      `--queue-token: expected agents that were started with it, but ${open} took none and would run any job; ` +
        'start the agents with the same token, or leave it out here',
    );
  }
  if (hellos.length === 0) {
    const why = [...silent.map((name) => `${name} does not reply`), ...refusing.map((each) => each.why)];
    throw new ServerError(
      `expected agents that wait for jobs at ${label}, found ${why.length === 0 ? 'none' : `none that can be used (${why.join('; ')})`}; ` +
        `start one on each load machine: redis-pipe-bench agent --queue redis://${label} --allow redis://TARGET`,
    );
  }
  const busy = some(
    ({ worksFor }) => worksFor !== null,
    ({ name, worksFor }) => `${name} works for ${worksFor}`,
  );
  if (busy !== '') {
    throw new ServerError(
      `--agents: expected idle agents, but ${busy}; try again when that benchmark is over`,
    );
  }
}

/**
 * How agents differ, which may be why their figures do.
 * @param {AgentFacts[]} agents @param {string[]} silent @param {Refusing[]} refusing @returns {Notice[]}
 */
function notesOf(agents, silent, refusing) {
  const here = { node: process.versions.node, packages: installedPackages(Object.keys(agents[0].packages)) };
  /** @type {Notice[]} */
  const notes = [];
  for (const { name, node, packages } of agents) {
    if (node !== here.node) notes.push({ kind: 'agent-node', agent: name, node, here: here.node });
    for (const [id, version] of Object.entries(packages)) {
      const own = here.packages[id] ?? null;
      if (version !== own)
        notes.push({ kind: 'agent-package', agent: name, package: id, version, here: own });
    }
  }
  for (const agent of silent) notes.push({ kind: 'agent-silent', agent });
  for (const { why } of refusing) notes.push({ kind: 'agent-refuses', why });
  return notes;
}

/**
 * The target must not be the control Redis, and every agent must be able, and allowed, to reach it.
 * @param {{control: ControlRedis, links: AgentLink[], areLocal: boolean, owner: Owner | undefined}} fleet
 * @param {Server[]} servers @param {Omit<Typed, 'targets'>} typed @throws {UsageError}
 */
async function plan({ control, links, areLocal, owner }, servers, typed) {
  for (const { runIds, targets, isLocal } of servers) {
    const [first, ...more] = Object.values(targets).map(labelOf);
    const same =
      runIds === null ? [first, ...more].includes(control.label) : runIds.includes(`${control.runId}`);
    if (same) {
      throw new UsageError(
        `--agents: ${control.label} is both the control Redis and the measured server, so commands of the control would be ` +
          'counted; use another Redis for one of them',
      );
    }
    if (isLocal && !areLocal) {
      throw new UsageError(
        `--agents: ${first} is on this machine only, and agents on other machines cannot reach it; name the ` +
          'server by an address that they know (--url)',
      );
    }
  }
  const targets = servers.flatMap((server) => Object.values(server.targets));
  for (const target of targets) await owner?.name(target);
  const asked = { ...typed, targets: targets.map(placeOf) };
  const answers = await Promise.all(links.map((link) => link.call('plan', asked))).catch((error) => {
    throw new UsageError(`--agents: ${error.message}`);
  });
  const refusals = answers.flatMap((texts, index) =>
    texts.length === 0 ? [] : [`${links[index].name} does not allow ${texts.join(', ')}`],
  );
  if (refusals.length > 0) throw new UsageError(`--agents: ${refusals.join('; ')}`);
}
